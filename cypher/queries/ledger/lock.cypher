// Lets the writers of one subject follow one another, makes the subject at its first write, and follows the clock there.
MERGE (t:Tenant {id: $tenant})
ON CREATE SET t.name = $tenant_name, t.sequence = 0, t.recorded_at = $now - duration({milliseconds: 1}), t.created_at = $now
MERGE (s:Subject {tenant: $tenant, id: $subject})
ON CREATE SET s.name = $name, s.sequence = 0, s.created_at = $now
FOREACH (_ IN CASE s.sequence WHEN 0 THEN [1] ELSE [] END |
  MERGE (s)-[:BELONGS_TO]->(t)
)
SET s.sequence = s.sequence + 1
WITH s, toString(date(datetime({datetime: $now, timezone: coalesce(s.time_zone, 'UTC')}))) AS today,
     // No time zone is there yet. A date that lies further ahead, of us and of the database, is a wrong clock's.
     toString(date(CASE WHEN $now > datetime() THEN $now ELSE datetime() END) + duration({days: 2})) AS farthest
// The first write of a date of the person's own calendar makes it a day of activity.
FOREACH (_ IN CASE WHEN $is_activity AND coalesce(s.last_active_on < today OR s.last_active_on > farthest, true)
                   THEN [1] ELSE [] END |
  SET s.activity_days = coalesce(s.activity_days, 0) + 1, s.last_active_on = today
)
WITH s
// What has ended is no longer live.
CALL () {
  MATCH (m:Live)
  WHERE m.tenant = $tenant AND m.holds_to <= $now AND m.subject_id = $subject
  SET m:Past
  REMOVE m:Live
  SET m.live_key = null
  RETURN count(m) AS retired
}
// What was dated ahead and has begun takes the key of what is current, when that is free.
CALL () {
  MATCH (m:Memory)
  WHERE m.tenant = $tenant AND m.subject_id = $subject AND m.live_key STARTS WITH '@' AND m.valid_from <= $now
  WITH split(m.live_key, '@')[2] AS key, m
  ORDER BY m.live_key
  WITH key, collect(m)[0] AS m
  WHERE NOT EXISTS { MATCH (:Memory {tenant: $tenant, subject_id: $subject, live_key: key}) }
  SET m.live_key = key
  RETURN count(m) AS begun
}
RETURN s.sequence AS sequence, retired, begun, s.chain AS chain
