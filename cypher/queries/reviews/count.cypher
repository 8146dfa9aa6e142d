// How many reviews there are of a status, or of any.
// include: reviews/parts/waiting
RETURN count(*) AS total
