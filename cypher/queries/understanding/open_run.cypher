// The run that extracts a conversation, waiting until all of it is stored.
MATCH (q:Request {tenant: $tenant, id: $request_id})
CREATE (r:Run {
  tenant: $tenant, subject_id: $subject, id: $run_id, job: $job, kind: 'IMPORT', status: 'RECEIVING', phase: 'store',
  done: 0, total: $total, attempts: 0, created_at: $now, updated_at: $now
})
SET q.run_id = $run_id
RETURN r.id AS id
