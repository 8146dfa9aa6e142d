// How many subjects of a tenant a scope sees.
// include: memory/parts/subjects
RETURN count(*) AS total
