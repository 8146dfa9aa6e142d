// Creates memories whose statement is not live already; for each the id of the memory that holds it.
MATCH (s:Subject {tenant: $tenant, id: $subject})
OPTIONAL MATCH (space:VectorSpace {role: 'store'})
UNWIND $rows AS row
OPTIONAL MATCH (twin:Memory {tenant: $tenant, subject_id: $subject, live_key: row.properties.live_key})
CALL (row, twin, space, s) {
  WHEN twin IS NULL THEN {
    CREATE (m:Memory:$(CASE WHEN row.properties.community_id IS NOT NULL THEN 'Summary'
                            WHEN row.properties.live_key IS NULL THEN 'Past' ELSE 'Live' END) {tenant: $tenant})-[:BELONGS_TO]->(s)
    SET m += row.properties, m.created_day = coalesce(s.activity_days, 0)
    // While the store's model is being changed, a vector goes where vectors of its model stand, or is made again.
    FOREACH (_ IN CASE WHEN row.properties.embedding_model IN space.refused THEN [1] ELSE [] END |
      SET m.embedding_next = CASE WHEN row.properties.embedding_model = space.next_model THEN row.properties.embedding END,
          m.unembedded = CASE WHEN row.properties.embedding_model = space.next_model THEN null ELSE true END,
          m.embedding = null,
          m.embedding_model = 'PENDING'
    )
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
