// How many stretches of conversation a scope has, of a status and a session, or of any.
// include: understanding/parts/segments
RETURN count(*) AS total
