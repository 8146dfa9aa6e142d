// How many changes there are after a sequence number.
// include: ledger/parts/after
RETURN count(*) AS total
