// Creates memories whose statement is not live already; for each the id of the memory that holds it.
UNWIND $rows AS row
OPTIONAL MATCH (twin:Memory {tenant: $tenant, subject_id: $subject, live_key: row.properties.live_key})
CALL (row, twin) {
  WHEN twin IS NULL THEN {
    CREATE (m:Memory:$(CASE WHEN row.properties.live_key IS NULL THEN 'Past' ELSE 'Live' END) {tenant: $tenant})
    SET m += row.properties
    WITH m, row
    CALL (m, row) {
      MATCH (source:Message {tenant: $tenant, id: row.message_id})
      CREATE (m)-[:EXTRACTED_FROM]->(source)
    }
    RETURN m.id AS holder
  } ELSE {
    RETURN twin.id AS holder
  }
}
RETURN row.key AS key, holder
