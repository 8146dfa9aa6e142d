// The changes of some kinds after a sequence number, oldest first.
// include: ledger/parts/after_of_operation
RETURN c {.*} AS change
ORDER BY c.sequence
LIMIT $first
