// The statement that makes each index, by its name, those of constraints aside.
SHOW INDEXES YIELD name, type, owningConstraint, createStatement
WHERE owningConstraint IS NULL AND type <> 'LOOKUP'
RETURN name, createStatement AS statement
