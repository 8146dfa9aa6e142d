// What the search tells of each `row` beside what it is made of: how it was found, what was weighed, and where it stands.
row.logit AS logit, coalesce(row.standing, row.logit) AS standing, row.seen AS seen, likeliest,
row.vector_rank AS vector_rank, row.text_rank AS text_rank, row.pool AS pool, place, total,
row.heard.speaker + ': ' + row.heard.text AS heard
