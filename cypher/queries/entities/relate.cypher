// Stores what memories state of two entities each, as long as their texts are what they are.
UNWIND $rows AS row
MATCH (m:Memory {tenant: $tenant, id: row.memory_id})
WHERE m.subject_id = $subject
MATCH (a:Entity {tenant: $tenant, id: row.from}), (b:Entity {tenant: $tenant, id: row.to})
MERGE (a)-[r:RELATES_TO {tenant: $tenant, type: row.type, memory_id: row.memory_id, content_hash: m.content_hash}]->(b)
ON CREATE SET r.strength = row.strength, r.source_kind = row.source_kind
