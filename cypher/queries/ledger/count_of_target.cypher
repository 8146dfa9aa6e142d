// How many changes of one memory there are after a sequence number; of some kinds, when any is named.
// include: ledger/parts/after_of_target
RETURN count(*) AS total
