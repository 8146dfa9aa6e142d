UNWIND [
$rows
] AS row
MATCH (a:$start {tenant: row.tenant, id: row.a}), (b:$end {tenant: row.tenant, id: row.b})
MERGE (a)-[r:$kind$key]->(b)
SET r += row.properties;
