// What waits for its vector, found without looking at the rest; and one record of the store's model.
CREATE INDEX memory_unembedded IF NOT EXISTS FOR (n:Memory) ON (n.tenant, n.unembedded);
CREATE INDEX revision_unembedded IF NOT EXISTS FOR (n:Revision) ON (n.tenant, n.unembedded);
CREATE CONSTRAINT vector_space_role IF NOT EXISTS FOR (n:VectorSpace) REQUIRE n.role IS UNIQUE;
