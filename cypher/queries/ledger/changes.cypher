// The changes after a sequence number, oldest first.
// include: ledger/parts/after
RETURN c {.*} AS change
ORDER BY c.sequence
LIMIT $first
