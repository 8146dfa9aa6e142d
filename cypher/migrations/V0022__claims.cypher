// A memory states the value of one attribute of something at most: its claim, with a recorded interval and an id like a link's.
CREATE CONSTRAINT attribute_id IF NOT EXISTS FOR (n:Attribute) REQUIRE (n.tenant, n.id) IS UNIQUE;
CREATE CONSTRAINT attribute_of_entity IF NOT EXISTS FOR (n:Attribute) REQUIRE (n.tenant, n.entity_id, n.key) IS UNIQUE;
CREATE CONSTRAINT states_open_key IF NOT EXISTS FOR ()-[r:STATES]-() REQUIRE (r.tenant, r.open_key) IS UNIQUE;
CREATE CONSTRAINT states_state IF NOT EXISTS FOR ()-[r:STATES]-() REQUIRE (r.tenant, r.id, r.recorded_to) IS UNIQUE;
// What is stored already waits for being read; a job does that.
CREATE INDEX memory_unread IF NOT EXISTS FOR (n:Memory) ON (n.tenant, n.unread);
MATCH (m:Memory)
WHERE NOT EXISTS { (m)-[:STATES]->() }
CALL (m) {
  WITH m
  WHERE NOT m:Summary
  SET m.unread = true
} IN TRANSACTIONS OF 10000 ROWS;
