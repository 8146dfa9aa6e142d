// Remembers the model of the store's vectors. The lock of the migrations keeps two starters from making two records.
MERGE (lock:Migration {version: 0})
SET lock.held = true
WITH lock
MERGE (s:VectorSpace {role: 'store'})
SET s = $values, s.role = 'store', s.changed_at = datetime()
MERGE (:VectorSpace {role: 'lock'})
