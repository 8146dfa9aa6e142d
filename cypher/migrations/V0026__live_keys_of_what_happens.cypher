// What happens at a time is another statement than the same words about another time: its key says when, as
// `graph_memory/memory/live_keys.py` makes it.
MATCH (m:Live)
WHERE m.happens_at IS NOT NULL
CALL (m) {
  WITH m
  WHERE NOT m.live_key CONTAINS '/'
  SET m.live_key = m.live_key + '/' + toString(m.happens_at.epochSeconds * 1000000 + m.happens_at.microsecond)
} IN TRANSACTIONS OF 10000 ROWS;
