// Remembers what was undone, and that what an undone undo had taken back stands again.
OPTIONAL MATCH (c:Change {tenant: $tenant})
WHERE c.sequence IN $sequences
SET c.undone_by = $by
WITH count(c) AS undone
OPTIONAL MATCH (c:Change {tenant: $tenant})
WHERE c.sequence IN $released
SET c.undone_by = null
RETURN undone, count(c) AS released
