// Of what is found, what began to hold later comes first where the question asks how things are; the score does not change by it.
WITH row
ORDER BY row.node.valid_from, row.node.id
WITH collect(row) AS rows
UNWIND range(0, size(rows) - 1) AS i
WITH rows[i] AS row, rows[i].seen AS seen, CASE WHEN $is_of_now AND size(rows) > 1 THEN toFloat(i) / (size(rows) - 1) ELSE 0.0 END AS recent
WITH row {.*, seen: seen {.*, recent: recent}, standing: row.logit + row.lately * recent} AS row
