// Each beginning and end `event` of a statement in an interval, with the `start` of its step, as believed at a time; after a given step.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.subject_id >= $lo AND m.subject_id <= $hi
CALL (m) {
  RETURN m AS s
  UNION ALL
  MATCH (m)-[:REVISED_FROM]->(v:Revision)
  RETURN v AS s
}
WITH s
WHERE s.recorded_from <= $known_at AND s.recorded_to > $known_at AND s.valid_from < s.holds_to
UNWIND [{at: s.valid_from, begun: 1, ended: 0}, {at: s.holds_to, begun: 0, ended: 1}] AS event
WITH event
WHERE event.at >= $start AND event.at < $end
WITH datetime.truncate($unit, event.at) AS start, event
WHERE $after IS NULL OR start > $after
