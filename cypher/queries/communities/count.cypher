// How many communities there are of what is asked for.
// include: communities/parts/found
RETURN count(*) AS total
