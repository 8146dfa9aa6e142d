// Remembers that a migration was applied.
MERGE (n:Migration {version: $version})
SET n.name = $name, n.checksum = $checksum, n.applied_at = $at
