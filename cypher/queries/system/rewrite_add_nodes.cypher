// Writes nodes as another store holds them; says under which id each stands here.
UNWIND $rows AS row
CREATE (n:$(row.labels))
SET n = row.properties
RETURN row.id AS was, elementId(n) AS id
