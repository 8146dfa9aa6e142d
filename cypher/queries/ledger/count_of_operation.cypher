// How many changes of some kinds there are after a sequence number.
// include: ledger/parts/after_of_operation
RETURN count(*) AS total
