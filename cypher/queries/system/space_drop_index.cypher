// Drops a vector index.
DROP INDEX $name IF EXISTS
