// Sets a person's time zone; the present date there fails where the database does not know the zone.
MATCH (s:Subject {tenant: $tenant, id: $subject})
SET s.time_zone = $time_zone
RETURN toString(date(datetime({datetime: $now, timezone: $time_zone}))) AS today
