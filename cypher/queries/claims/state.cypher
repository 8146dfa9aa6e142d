// Lets memories that state nothing state a value each, making an attribute at its first statement; names what was opened.
UNWIND $rows AS row
MATCH (m:Memory {tenant: $tenant, id: row.memory_id})
WHERE m.subject_id = $subject AND NOT EXISTS { (m)-[r:STATES]->() WHERE r.open_key IS NOT NULL }
MATCH (e:Entity {tenant: $tenant, id: row.entity_id})
WHERE e.subject_id = $subject
MERGE (a:Attribute {tenant: $tenant, entity_id: e.id, key: row.key})
ON CREATE SET a.id = row.attribute_id, a.subject_id = $subject, a.name = row.name, a.caption = left(row.name, 40)
MERGE (a)-[:OF]->(e)
CREATE (m)-[r:STATES {
  tenant: $tenant, id: row.id, open_key: m.id, value: row.value, value_kind: row.value_kind, unit: row.unit,
  polarity: row.polarity, inherited: row.inherited, recorded_from: $pending, recorded_to: $forever
}]->(a)
// include: claims/parts/captioned
RETURN m.id AS memory, row.id AS claim
