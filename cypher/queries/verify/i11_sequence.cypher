// I11: sequence numbers that are missing, out of time, or not the tenant's own.
CALL () {
  MATCH (c:Change)
  WHERE c.tenant = $tenant AND c.sequence > 1
  OPTIONAL MATCH (before:Change {tenant: $tenant, sequence: c.sequence - 1})
  WITH c, before
  WHERE before IS NULL OR before.at > c.at
  RETURN toString(c.sequence) AS number
  UNION ALL
  OPTIONAL MATCH (t:Tenant {id: $tenant})
  CALL () {
    MATCH (c:Change)
    WHERE c.tenant = $tenant AND c.sequence > -1
    RETURN min(c.sequence) AS first, max(c.sequence) AS last, max(c.at) AS latest
  }
  WITH t, coalesce(last, 0) AS last, first, latest
  WHERE first <> 1 OR coalesce(t.sequence, 0) <> last OR t.recorded_at < latest
  RETURN toString(last) AS number
}
RETURN count(number) AS violations, collect(number)[..20] AS examples
