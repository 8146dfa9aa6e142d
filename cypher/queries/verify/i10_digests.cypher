// I10: the changes with all that their digest covers, from a sequence number on.
MATCH (c:Change)
WHERE c.tenant = $tenant AND c.sequence > $after
RETURN c.sequence AS sequence, c.id AS id, c {
  .digest, .salt, .operation, .targets, .sources, .actor, .reason, .before, .after, .effects
} AS change
ORDER BY sequence
LIMIT $first
