// I6: states whose intervals are upside down, unsettled, or recorded ahead of the clock.
CALL () {
  MATCH (s:Memory)
  WHERE s.tenant = $tenant AND s.id >= ''
  RETURN s
  UNION ALL
  MATCH (s:Revision)
  WHERE s.tenant = $tenant AND s.id >= ''
  RETURN s
}
WITH s.id AS id,
     s.valid_from <= s.valid_to AND s.holds_to IS NOT NULL AND s.recorded_from > $pending AND s.recorded_from < s.recorded_to
       AND s.recorded_from <= $soon AND (s.recorded_to <= $soon OR s.recorded_to = $forever) AS sane
WHERE NOT coalesce(sane, false)
RETURN count(id) AS violations, collect(id)[..20] AS examples
