// Holds back other starters until this transaction ends.
MERGE (lock:Migration {version: 0})
SET lock.held = true
