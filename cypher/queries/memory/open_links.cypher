// Opens links.
UNWIND $rows AS row
MATCH (a:Memory {tenant: $tenant, id: row.from}), (b:Memory {tenant: $tenant, id: row.to})
WHERE a.subject_id = $subject AND b.subject_id = $subject
CREATE (a)-[r:$(row.kind)]->(b)
SET r = {
  tenant: $tenant, id: row.id, open_key: row.from + '>' + row.to, confidence: row.confidence, strength: row.strength,
  reason: row.reason, created_at: $now, created_by: $actor, run_id: $run_id, recorded_from: $pending, recorded_to: $forever,
  repeats: row.repeats, lends: row.lends
}
RETURN r.id AS id
