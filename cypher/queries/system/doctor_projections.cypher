// Graphs of the algorithms that were projected more than so many seconds ago, oldest first.
CALL gds.graph.list() YIELD graphName, creationTime
WITH graphName, creationTime
WHERE creationTime < datetime.realtime() - duration({seconds: $seconds})
RETURN graphName AS name
ORDER BY creationTime
