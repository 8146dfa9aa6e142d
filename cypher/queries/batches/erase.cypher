// Empties every answer of the subject that waits to be applied; what was asked about the erased is asked anew or, with all, ends.
MATCH (i:BatchItem)
WHERE i.tenant = $tenant AND i.subject_id = $subject AND i.state = 'waiting'
WITH i, $everything OR any(id IN i.about WHERE id IN $ids) AS is_touched
SET i.answer = null, i.sent_in = CASE WHEN is_touched THEN null ELSE i.sent_in END,
    i.erasures = coalesce(i.erasures, 0) + CASE WHEN is_touched THEN 1 ELSE 0 END
WITH i
WHERE $everything
SET i.state = 'failed', i.fault = 'ERASED', i.erased_at = $now
WITH i.batch_id AS batch, count(i) AS ended
MATCH (b:Batch {tenant: $tenant, id: batch})
SET b.failed = b.failed + ended
RETURN sum(ended) AS ended
