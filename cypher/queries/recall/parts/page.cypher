// One page, best first: `row` with what there is of each, its `place`, and of all pages `total`, how many there are, and `likeliest`, what
// is seen of the one with the best score. Behind the first `reread`, which are looked at once more, only what scores enough is there.
WITH row
ORDER BY coalesce(row.standing, row.logit) DESC, row.node.id
WITH collect(row) AS found
WITH [i IN range(0, size(found) - 1) WHERE i < $reread OR found[i].logit >= $min_logit | found[i]] AS ranked
// The page begins behind the memory that ended the one before, or at its place where that one is gone.
WITH ranked, size(ranked) AS total, CASE
  WHEN $after IS NULL THEN 0
  ELSE coalesce(head([i IN range(0, size(ranked) - 1) WHERE ranked[i].node.id = $after | i + 1]), $skip)
END AS start, reduce(best = ranked[0], each IN ranked | CASE WHEN each.logit > best.logit THEN each ELSE best END).seen AS likeliest
UNWIND range(start, CASE WHEN start + $limit < total THEN start + $limit ELSE total END - 1) AS place
WITH ranked[place] AS row, place, total, likeliest
