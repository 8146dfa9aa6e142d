// Where links of `here` led at a moment, to what answered then: `link`, `m`, its state `node`, and `worth`, what the link is worth.
MATCH (here)-[link:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|SHARES_ENTITY]-(m:Memory)
WHERE m.tenant = $tenant AND m.subject_id >= $lo AND m.subject_id <= $hi
WITH here, m, link, CASE
  // Who shares an entity is stored as of now; it is as sure as the entity is rare.
  WHEN link.weight IS NOT NULL THEN CASE WHEN $is_past THEN 0.0 WHEN link.weight < 1 THEN link.weight ELSE 1.0 END
  WHEN link.recorded_from <= $known_at AND link.recorded_to > $known_at THEN link.confidence
  ELSE 0.0
END AS sure
WHERE sure >= $min_confidence AND sure > 0
WITH here, m, link, sure * coalesce($weights[type(link)], $weights.OTHER) AS worth
ORDER BY worth DESC, m.id
LIMIT $fan_out
WITH here, m, link, worth,
// include: recall/parts/then
// What `here` has superseded comes along although it holds no longer.
WHERE node.valid_from <= $as_of
  AND (node.holds_to > $as_of OR ($brings AND type(link) = 'SUPERSEDES' AND startNode(link) = here AND node.status = 'ACTIVE'))
  AND ($trusted IS NULL OR node.source_kind IN $trusted OR node.confirmed_at IS NOT NULL)
