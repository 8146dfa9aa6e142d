// A memory with what judging it needs: its vector, what it mentions, whether it was extracted from talk, and when that was said.
MATCH (m:Memory {tenant: $tenant, id: $id})
WHERE m:Live AND m.subject_id = $subject AND m.unjudged = true AND m.embedding IS NOT NULL
RETURN m {.*} AS memory, EXISTS { (m)-[:EXTRACTED_FROM]->() } AS is_of_talk,
  head(COLLECT { MATCH (m)-[:EXTRACTED_FROM]->(b:Message) RETURN max(b.at) }) AS said_at, COLLECT {
  MATCH (m)-[r:MENTIONS]->(e:Entity)
  WHERE r.recorded_to = $forever
  RETURN {name: e.name, key: e.key, type: e.type}
} AS entities
