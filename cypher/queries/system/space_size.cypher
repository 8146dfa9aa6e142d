// How many states the store holds, former ones too.
MATCH (m:Memory)
WITH count(m) AS memories
MATCH (r:Revision)
WITH memories, count(r) AS revisions
RETURN memories + revisions AS states
