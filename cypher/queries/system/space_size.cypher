// How many states and passages the store holds, former states too.
MATCH (m:Memory)
WITH count(m) AS memories
MATCH (r:Revision)
WITH memories, count(r) AS revisions
MATCH (p:Passage)
WITH memories, revisions, count(p) AS passages
RETURN memories + revisions + passages AS states
