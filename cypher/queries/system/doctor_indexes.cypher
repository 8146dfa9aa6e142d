// Each index, those of constraints too: its kind, its state, and the settings it was made with.
SHOW INDEXES YIELD name, type, state, options
WHERE type <> 'LOOKUP'
RETURN name, type, state, options.indexConfig['vector.dimensions'] AS dimensions
