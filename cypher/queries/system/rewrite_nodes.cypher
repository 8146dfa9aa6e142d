// Every node of the store.
MATCH (n)
RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS properties
