// Changes are chained by subject and no longer by tenant. What an earlier version chained begins without a chain.
MATCH (t:Tenant)
WHERE t.chain IS NOT NULL
MATCH (c:Change {tenant: t.id})
CALL (c) {
  SET c.chain = null
} IN TRANSACTIONS OF 10000 ROWS;
MATCH (t:Tenant)
WHERE t.chain IS NOT NULL
SET t.chain = null;
