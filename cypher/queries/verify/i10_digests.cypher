// I10: the changes with all that their digest covers, and their place in the chain of their subject, from a sequence number on.
MATCH (c:Change)
WHERE c.tenant = $tenant AND c.sequence > $after
RETURN c.sequence AS sequence, c.id AS id, c.subject_id AS subject, c {
  .digest, .chain, .salt, .id, .operation, .targets, .sources, .actor, .reason, .classification, .confidence,
  .session_id, .run_id, .request_id, .before, .after, .effects
} AS change
ORDER BY sequence
LIMIT $first
