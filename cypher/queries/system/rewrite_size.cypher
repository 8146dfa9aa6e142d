// How many nodes and relationships the store has.
RETURN COUNT { MATCH (n) } AS nodes, COUNT { MATCH ()-[r]->() } AS links
