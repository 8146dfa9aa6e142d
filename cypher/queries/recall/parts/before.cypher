// What `node` took the place of and what held; what was corrected between them never did.
COLLECT {
  MATCH (node) (()-[c:SUPERSEDES WHERE c.open_key IS NOT NULL]->(wrong:Memory WHERE wrong.valid_from >= wrong.valid_to)){0,20}
        ()-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]->(older:Memory)
  WHERE older.status = 'ACTIVE' AND older.valid_from < older.valid_to
    AND ($trusted IS NULL OR older.source_kind IN $trusted OR older.confirmed_at IS NOT NULL)
  RETURN {id: older.id, text: older.text, until: older.valid_to, reason: r.reason}
}
