// How many batches there are of some statuses.
// include: batches/parts/listed
RETURN count(*) AS total
