// How much there is of everything that an export holds.
CALL () {
  MATCH (n:Subject)
  WHERE n.tenant = $tenant AND n.id >= $lo AND n.id <= $hi
  RETURN 'subject' AS record, count(n) AS number
  UNION ALL
  MATCH (n:Entity)
  WHERE n.tenant = $tenant AND n.id >= '' AND n.subject_id >= $lo AND n.subject_id <= $hi
  RETURN 'entity' AS record, count(n) AS number
  UNION ALL
  MATCH (n:Attribute)
  WHERE n.tenant = $tenant AND n.id >= '' AND n.subject_id >= $lo AND n.subject_id <= $hi
  RETURN 'attribute' AS record, count(n) AS number
  UNION ALL
  MATCH (n:Segment)
  WHERE n.tenant = $tenant AND n.id >= '' AND n.subject_id >= $lo AND n.subject_id <= $hi
  RETURN 'segment' AS record, count(n) AS number
  UNION ALL
  MATCH (n:Message)
  WHERE n.tenant = $tenant AND n.id >= '' AND n.subject_id >= $lo AND n.subject_id <= $hi
  RETURN 'message' AS record, count(n) AS number
  UNION ALL
  MATCH (n:Memory)
  WHERE n.tenant = $tenant AND n.id >= '' AND n.subject_id >= $lo AND n.subject_id <= $hi
  RETURN 'memory' AS record, count(n) AS number
  UNION ALL
  MATCH (n:Revision)
  WHERE n.tenant = $tenant AND n.id >= '' AND n.subject_id >= $lo AND n.subject_id <= $hi
  RETURN 'revision' AS record, count(n) AS number
  UNION ALL
  MATCH (n:Community)
  WHERE n.tenant = $tenant AND n.id >= '' AND n.subject_id >= $lo AND n.subject_id <= $hi
  RETURN 'community' AS record, count(n) AS number
  UNION ALL
  MATCH (n:Review)
  WHERE n.tenant = $tenant AND n.id >= '' AND n.subject_id >= $lo AND n.subject_id <= $hi
  RETURN 'review' AS record, count(n) AS number
  UNION ALL
  MATCH (n:Memory|Entity|Attribute|Community)-[r]->(other)
  WHERE n.tenant = $tenant AND n.id >= '' AND n.subject_id >= $lo AND n.subject_id <= $hi AND NOT type(r) IN $implied
    AND other.tenant = $tenant AND other.subject_id >= $lo AND other.subject_id <= $hi
  RETURN 'link' AS record, count(r) AS number
  UNION ALL
  MATCH (n:Change)
  WHERE n.tenant = $tenant AND n.id >= '' AND n.subject_id >= $lo AND n.subject_id <= $hi
  RETURN 'change' AS record, count(n) AS number
  UNION ALL
  MATCH (n:Request)
  WHERE n.tenant = $tenant AND n.id >= '' AND ($subject IS NULL OR EXISTS {
    MATCH (c:Change)
    WHERE c.tenant = $tenant AND c.request_id = n.id AND c.subject_id = $subject
  })
  RETURN 'request' AS record, count(n) AS number
  UNION ALL
  MATCH (n:Tombstone)
  WHERE n.tenant = $tenant AND n.subject_id >= $lo AND n.subject_id <= $hi
  RETURN 'tombstone' AS record, count(n) AS number
}
RETURN record, number
