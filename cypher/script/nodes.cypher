UNWIND [
$rows
] AS row
MERGE (n:$label {tenant: row.tenant, id: row.id})
SET n += row.properties$labels;
