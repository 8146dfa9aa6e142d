// The live memories of a subject that were recorded after a moment.
MATCH (m:Live)
WHERE m.tenant = $tenant AND m.subject_id = $subject AND m.holds_to IS NOT NULL AND m.recorded_from > $since
RETURN m.id AS id
