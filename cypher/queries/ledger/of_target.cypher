// The changes of one memory after a sequence number, oldest first; of some kinds, when any is named.
// include: ledger/parts/after_of_target
RETURN c {.*} AS change
ORDER BY c.sequence
LIMIT $first
