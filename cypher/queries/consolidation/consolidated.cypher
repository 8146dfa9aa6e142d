// Remembers by which rules and up to which moment a subject was consolidated.
MATCH (s:Subject {tenant: $tenant, id: $subject})
SET s.consolidated_as = $mark, s.consolidated_to = $to
