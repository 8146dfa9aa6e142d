// I6: relationships of memories whose recorded interval is upside down, unsettled, or ahead of the clock.
MATCH (m:Memory)-[r]->()
WHERE m.tenant = $tenant AND m.id >= '' AND (r.recorded_from IS NOT NULL OR r.recorded_to IS NOT NULL)
WITH m.id AS id,
     r.recorded_from > $pending AND r.recorded_from <= r.recorded_to AND r.recorded_from <= $soon
       AND (r.recorded_to <= $soon OR r.recorded_to = $forever) AS sane
WHERE NOT coalesce(sane, false)
RETURN count(id) AS violations, collect(id)[..20] AS examples
