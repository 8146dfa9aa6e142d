// How many entities a memory mentions or states something of at a moment.
// include: entities/parts/mentioned
RETURN count(*) AS total
