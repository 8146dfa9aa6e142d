// How many conversations a scope has.
// include: understanding/parts/sessions
RETURN count(*) AS total
