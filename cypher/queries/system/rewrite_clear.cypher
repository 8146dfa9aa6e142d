// Removes everything that a new store holds before another is written into it.
MATCH (n)
CALL (n) {
  DETACH DELETE n
} IN TRANSACTIONS OF 1000 ROWS
