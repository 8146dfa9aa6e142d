// The vector indexes of memories: their state, and the size of the vectors they are made for.
SHOW VECTOR INDEXES YIELD name, state, options
WHERE name IN ['memory_live', 'memory_past', 'memory_live_next', 'memory_past_next']
RETURN name, state, options.indexConfig['vector.dimensions'] AS dimension
