// Numbers the changes of each subject that has one without a number within it.
MATCH (c:Change)
WHERE c.tenant = $tenant AND c.sequence > 0 AND c.place IS NULL
WITH DISTINCT c.subject_id AS subject
CALL (subject) {
  MATCH (c:Change)
  WHERE c.tenant = $tenant AND c.sequence > 0 AND c.subject_id = subject
  WITH c
  ORDER BY c.sequence
  WITH collect(c) AS changes
  UNWIND range(1, size(changes)) AS place
  WITH changes[place - 1] AS c, place
  SET c.place = place
}
RETURN count(*) AS subjects
