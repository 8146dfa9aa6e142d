// How many runs of each job stand in each status, and since when the oldest of them has waited.
MATCH (r:Run)
RETURN r.job AS job, r.status AS status, count(*) AS runs, min(r.created_at) AS since
