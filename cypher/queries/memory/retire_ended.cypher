// Makes past what the clock has ended in this subject, and gives what has begun the key of what is current; says how many.
CALL () {
  MATCH (m:Live)
  WHERE m.tenant = $tenant AND m.valid_to <= $now AND m.subject_id = $subject
  SET m:Past
  REMOVE m:Live
  SET m.live_key = null
  RETURN count(m) AS retired
}
CALL () {
  MATCH (m:Memory)
  WHERE m.tenant = $tenant AND m.subject_id = $subject AND m.live_key >= '@' AND m.live_key < $begun
  WITH split(m.live_key, '@')[2] AS key, m
  ORDER BY m.live_key
  WITH key, collect(m)[0] AS m
  WHERE NOT EXISTS { MATCH (:Memory {tenant: $tenant, subject_id: $subject, live_key: key}) }
  SET m.live_key = key
  RETURN count(m) AS begun
}
RETURN retired, begun
