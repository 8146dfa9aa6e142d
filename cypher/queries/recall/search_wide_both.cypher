// The passages and states nearest to a vector and to words that were believed at a moment, true then or before, or put away, fused, best first.
// include: recall/parts/wide
// include: recall/parts/passages
// include: recall/parts/recent
// include: recall/parts/page
WITH row, row.node AS node, place, total, likeliest
CALL (node) {
  OPTIONAL MATCH (head:Memory {tenant: $tenant, id: coalesce(node.memory_id, node.id)})-[r:SUPERSEDES]->(older:Memory)
  WHERE r.recorded_from <= $known_at AND r.recorded_to > $known_at AND older.status = 'ACTIVE' AND older.valid_from < older.valid_to
    AND ($trusted IS NULL OR older.source_kind IN $trusted OR older.confirmed_at IS NOT NULL)
  RETURN [item IN collect({id: older.id, text: older.text, until: older.valid_to, reason: r.reason}) WHERE item.id IS NOT NULL] AS predecessors
}
RETURN
// include: recall/parts/state
  ,
// include: recall/parts/said
  , CASE WHEN node:Passage THEN node.picture END AS picture,
// include: recall/parts/found
  , predecessors
ORDER BY place
