// Puts nodes back as they were.
UNWIND $rows AS row
CREATE (n:$(row.labels) {tenant: $tenant})
SET n += row.properties
