// Each subject with live memories or open communities, with a mark that moves whenever its memories do.
CALL () {
  MATCH (m:Live)
  WHERE
    m.tenant = $tenant AND m.holds_to IS NOT NULL
    // Whether there is a vector: none is read, as they are large.
    AND (
      m.embedding IS NOT NULL AND ($model IS NULL OR m.embedding_model = $model)
      OR $uses_next AND m.embedding_next IS NOT NULL
    )
  RETURN m.subject_id AS subject, count(m) AS live, max(m.recorded_from) AS newest, min(m.embedding_model) AS model, 0 AS open
  UNION ALL
  MATCH (c:Community)
  WHERE c.tenant = $tenant AND c.ended_at IS NULL
  RETURN c.subject_id AS subject, 0 AS live, null AS newest, null AS model, count(c) AS open
}
WITH subject, sum(live) AS live, max(newest) AS newest, max(model) AS model, sum(open) AS open
OPTIONAL MATCH (s:Subject {tenant: $tenant, id: subject})
RETURN subject, s.name AS name, live, open, newest, s.clustered_by AS clustered_by, s.clustered_to AS clustered_to,
       coalesce(s.clustered_drift, 0) AS drift, live + '/' + coalesce(toString(newest), '') + '/' + coalesce(model, '') AS mark,
       s.clustered_as AS clustered_as
ORDER BY subject
