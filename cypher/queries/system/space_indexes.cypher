// The vector indexes of memories and passages: their state, the size of the vectors they are made for, and by what they filter.
SHOW VECTOR INDEXES YIELD name, state, properties, options, populationPercent
WHERE name IN ['memory_live', 'memory_past', 'passage', 'memory_live_next', 'memory_past_next', 'passage_next']
RETURN name, state, options.indexConfig['vector.dimensions'] AS dimension,
       populationPercent AS filled, properties[1..] AS filters
