// How many statements began and ended to hold in each step of an interval, after a given step, as believed at a time.
// include: memory/parts/steps
RETURN start, sum(event.begun) AS begun, sum(event.ended) AS ended
ORDER BY start
LIMIT $first
