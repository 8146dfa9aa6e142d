// How many memories there are, as they were believed and true at a moment.
// include: memory/parts/browsed
RETURN count(*) AS total
