// What is new in each tenant since a job's last run, how large it is and since when nothing was written; none where one ended lately or waits.
MATCH (t:Tenant)
CALL (t) {
  OPTIONAL MATCH (r:Run)
  WHERE r.tenant = t.id AND r.id IS NOT NULL AND r.job = $job AND NOT r.args CONTAINS '"rehearses": true'
  RETURN coalesce(max(r.finished_at), datetime({epochSeconds: 0})) AS since,
         max(r.finished_at) > $before AS is_recent, count(CASE WHEN r.finished_at IS NULL THEN r END) AS waiting
}
WITH t, since, waiting, is_recent
WHERE waiting = 0 AND NOT coalesce(is_recent, false)
CALL (t, since) {
  MATCH (m:Memory)
  WHERE m.tenant = t.id AND m.created_at > since AND m.id >= ''
  WITH m
  LIMIT $most_new
  RETURN count(m) AS new
}
WITH t, since, new
WHERE new > 0
CALL (t) {
  MATCH (m:Live)
  WHERE m.tenant = t.id AND m.holds_to IS NOT NULL
  WITH m
  LIMIT $most_live
  RETURN count(m) AS live
}
RETURN t.name AS name, since, new, live, t.recorded_at AS written_at
ORDER BY name
