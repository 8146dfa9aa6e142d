// Of what is found, what began to hold later comes first where the question asks how things are; the score does not change by it.
WITH coalesce(row.node.valid_from, row.node.at) AS begins, collect(row) AS together
ORDER BY begins
WITH collect(together) AS groups
UNWIND range(0, size(groups) - 1) AS i
UNWIND groups[i] AS row
WITH row, row.seen AS seen, CASE WHEN $is_of_now AND size(groups) > 1 THEN toFloat(i) / (size(groups) - 1) ELSE 0.0 END AS recent
WITH row {.*, seen: seen {.*, recent: recent}, standing: row.logit + coalesce(row.recent_weight, 0.0) * recent} AS row
