// How many messages a segment has.
// include: understanding/parts/said
RETURN count(*) AS total
