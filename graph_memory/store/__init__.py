"""The one place that talks to Neo4j: connection, transactions, query files, migrations, the limit on writers."""
