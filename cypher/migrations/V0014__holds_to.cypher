// Until when each state answers, as `graph_memory/memory/live_keys.py` says it, in batches that are done once. What a rule
// has archived is told by the ledger: it answers for the time before.
MATCH (m:Memory)
WHERE m.holds_to IS NULL
CALL (m) {
  WITH m, CASE WHEN m.status = 'ARCHIVED' AND m.archive_reason STARTS WITH 'By rule ' AND EXISTS {
      (m)<-[:CHANGED]-(c:Change {tenant: m.tenant, operation: 'ARCHIVE'})
      WHERE c.classification = toUpper(split(substring(m.archive_reason, 8), ':')[0])
    } THEN toUpper(split(substring(m.archive_reason, 8), ':')[0]) END AS rule
  WITH m, rule, [
    m.valid_to,
    CASE WHEN m.status = 'ARCHIVED' THEN m.archived_at END,
    CASE WHEN NOT (coalesce(m.critical, false) AND $critical_overrides_expiry)
      THEN m.expires_at + duration({milliseconds: toInteger($grace_days * 86400000)}) END
  ] AS ends
  SET m.archive_rule = rule,
      m.state_rank = CASE WHEN rule = 'EXPIRED' THEN 0 ELSE m.state_rank END,
      m.holds_to = CASE WHEN m.status = 'ACTIVE' OR rule IS NOT NULL
        THEN reduce(first = m.valid_to, end IN ends | CASE WHEN end < first THEN end ELSE first END)
        ELSE datetime('0001-01-01T00:00:00Z') END
} IN TRANSACTIONS OF 10000 ROWS;
MATCH (v:Revision)
WHERE v.holds_to IS NULL
CALL (v) {
  OPTIONAL MATCH (v)<-[:REVISED_FROM]-(m:Memory)<-[:CHANGED]-(c:Change {operation: 'ARCHIVE'})
  WHERE c.tenant = v.tenant AND v.status = 'ARCHIVED' AND v.archive_reason STARTS WITH 'By rule '
    AND c.classification = toUpper(split(substring(v.archive_reason, 8), ':')[0])
  WITH v, head(collect(c.classification)) AS rule
  WITH v, rule, [
    v.valid_to,
    CASE WHEN v.status = 'ARCHIVED' THEN v.archived_at END,
    CASE WHEN NOT (coalesce(v.critical, false) AND $critical_overrides_expiry)
      THEN v.expires_at + duration({milliseconds: toInteger($grace_days * 86400000)}) END
  ] AS ends
  SET v.archive_rule = rule,
      v.state_rank = CASE WHEN rule = 'EXPIRED' THEN 0 ELSE v.state_rank END,
      v.holds_to = CASE WHEN v.status = 'ACTIVE' OR rule IS NOT NULL
        THEN reduce(first = v.valid_to, end IN ends | CASE WHEN end < first THEN end ELSE first END)
        ELSE datetime('0001-01-01T00:00:00Z') END
} IN TRANSACTIONS OF 10000 ROWS;
CREATE INDEX memory_live_holds IF NOT EXISTS FOR (n:Live) ON (n.tenant, n.holds_to);
