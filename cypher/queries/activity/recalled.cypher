// Counts the days of recalls that named a person, where the person's own date is not counted yet; says how many it counted.
UNWIND $rows AS row
MATCH (s:Subject {tenant: $tenant, id: row.subject})
// Takes the lock before the date is read: two writers would count one day twice.
SET s.name = s.name
WITH s, toString(date(datetime({datetime: row.at, timezone: coalesce(s.time_zone, 'UTC')}))) AS today,
     // No time zone is there yet. A date that lies further ahead, of us and of the database, is a wrong clock's.
     toString(date(CASE WHEN row.at > datetime() THEN row.at ELSE datetime() END) + duration({days: 2})) AS farthest
WHERE coalesce(s.last_active_on < today OR s.last_active_on > farthest, true)
SET s.activity_days = coalesce(s.activity_days, 0) + 1, s.last_active_on = today
RETURN count(s) AS counted
