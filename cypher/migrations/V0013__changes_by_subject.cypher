// Each change also has its number within its subject; changes are found by that number and by what they did.
MATCH (c:Change)
WHERE c.place IS NULL
WITH DISTINCT c.tenant AS tenant, c.subject_id AS subject
CALL (tenant, subject) {
  MATCH (c:Change)
  WHERE c.tenant = tenant AND c.sequence > 0 AND c.subject_id = subject
  WITH c
  ORDER BY c.sequence
  WITH collect(c) AS changes
  UNWIND range(1, size(changes)) AS place
  WITH changes[place - 1] AS c, place
  SET c.place = place
} IN TRANSACTIONS OF 1 ROW;
CREATE INDEX change_place IF NOT EXISTS FOR (n:Change) ON (n.tenant, n.subject_id, n.place);
CREATE INDEX change_operation IF NOT EXISTS FOR (n:Change) ON (n.tenant, n.operation, n.sequence);
