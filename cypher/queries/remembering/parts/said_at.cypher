// When `known` was said last in a conversation, itself or in what went into it; null where it was not.
CALL (known) {
  CALL (known) {
    RETURN known AS said
    UNION ALL
    MATCH (known)<-[r:MERGED_INTO WHERE r.open_key IS NOT NULL]-(said:Memory)
    RETURN said
    UNION ALL
    MATCH (known)-[r:CONSOLIDATES WHERE r.open_key IS NOT NULL]->(said:Memory)
    RETURN said
  }
  OPTIONAL MATCH (said)-[:EXTRACTED_FROM]->(message:Message)
  RETURN max(message.at) AS said_at
}
