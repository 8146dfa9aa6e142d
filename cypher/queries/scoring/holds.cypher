// Until when live memories that expire answer, by the settings of now. The same as in graph_memory/memory/live_keys.py.
MATCH (m:Live)
WHERE m.tenant = $tenant AND m.holds_to IS NOT NULL AND m.expires_at IS NOT NULL
WITH m, CASE WHEN coalesce(m.critical, false) AND $critical_overrides_expiry THEN m.valid_to
             ELSE m.expires_at + duration({milliseconds: toInteger($grace_days * 86400000)}) END AS expires
WITH m, CASE WHEN expires < m.valid_to THEN expires ELSE m.valid_to END AS holds_to
WHERE m.holds_to <> holds_to
CALL (m, holds_to) {
  // An index filter: each write of it inserts the vector anew.
  SET m.holds_to = holds_to
} IN TRANSACTIONS OF $batch ROWS
RETURN count(m) AS changed
