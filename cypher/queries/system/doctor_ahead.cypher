// How many tenants were rescored as of a moment that has not come yet, and how many persons were active on such a date.
CALL () {
  MATCH (t:Tenant)
  WHERE t.rescored_at > datetime() + duration({minutes: $minutes})
  RETURN count(t) AS tenants, max(t.rescored_at) AS rescored_at
}
CALL () {
  MATCH (s:Subject)
  WHERE s.last_active_on > toString(date(datetime() + duration({days: 2})))
  RETURN count(s) AS subjects
}
RETURN tenants, rescored_at, subjects
