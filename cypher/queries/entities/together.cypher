// With which entities of its type each entity is mentioned together, and in how many memories.
UNWIND $ids AS id
MATCH (e:Entity {tenant: $tenant, id: id})<-[r:MENTIONS]-(m:Memory)-[s:MENTIONS]->(other:Entity)
WHERE e.subject_id >= $lo AND e.subject_id <= $hi AND r.recorded_to = $forever AND s.recorded_to = $forever
  AND other <> e AND other.type = e.type
RETURN id, other.id AS other, count(DISTINCT m) AS together
