// The newer memories of which a review asks whether they take the place of `node`, or asked and nobody answered, the likeliest three.
// What nobody stands for contests nothing that is trusted more, and what alarms contests nothing (memory/trust, memory/screening).
COLLECT {
  MATCH (node)<-[:ABOUT]-(review:Review {action: 'SUPERSEDE'})-[:ABOUT]->(newer:Live)
  WHERE review.status IN ['PENDING', 'EXPIRED'] AND review.target_id = node.id AND newer.id = review.memory_id
    AND ($trusted IS NULL OR newer.source_kind IN $trusted OR newer.confirmed_at IS NOT NULL)
    AND (newer.confirmed_at IS NOT NULL
      OR ((NOT newer.source_kind IN ['tool', 'web'] OR (node.confirmed_at IS NULL AND node.source_kind IN ['tool', 'web']))
        AND none(label IN coalesce(newer.labels, []) WHERE label IN ['suspicious', 'hidden_characters', 'mixed_script'])))
  RETURN {id: newer.id, text: newer.text, since: newer.valid_from}
  ORDER BY review.confidence DESC, review.id
  LIMIT 3
}
