// Waits until every index is filled.
CALL db.awaitIndexes(86400)
