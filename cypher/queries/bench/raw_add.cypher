// What the plain driver would send: the same rows in one statement.
UNWIND $rows AS row
CREATE (m:Memory:$(row.state) {tenant: $tenant})
SET m += row.properties
