// The time zone of a person, and how many days the person was active.
MATCH (s:Subject {tenant: $tenant, id: $subject})
RETURN s.name AS name, coalesce(s.time_zone, 'UTC') AS time_zone, coalesce(s.activity_days, 0) AS days,
       s.last_active_on AS last_active_on
