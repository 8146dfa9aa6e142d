// Each search index: its kind, its state, and the settings it was made with.
SHOW INDEXES YIELD name, type, state, options
WHERE type IN ['VECTOR', 'FULLTEXT']
RETURN name, type, state, options.indexConfig['vector.dimensions'] AS dimensions
