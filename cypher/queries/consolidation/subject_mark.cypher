// Remembers the state of a subject from which its communities were made.
MATCH (s:Subject {tenant: $tenant, id: $subject})
SET s.clustered_as = $mark, s.clustered_by = $rules, s.clustered_to = $newest, s.clustered_drift = $drift
