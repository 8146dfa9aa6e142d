// Each subject with live memories that could be merged: how many they are, the newest of them, and up to where a run has seen them.
MATCH (m:Live)
WHERE m.tenant = $tenant AND m.holds_to IS NOT NULL AND m.subject_id >= $lo AND m.subject_id <= $hi
WITH m.subject_id AS subject, count(m) AS live, max(m.recorded_from) AS newest
WHERE live > 1
MATCH (s:Subject {tenant: $tenant, id: subject})
RETURN s.name AS name, live, newest, s.consolidated_as AS consolidated_as, s.consolidated_to AS consolidated_to
ORDER BY name
