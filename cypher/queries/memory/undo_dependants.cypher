// Later changes of the memories that these changes touched, which nobody has undone.
UNWIND $sequences AS sequence
MATCH (c:Change {tenant: $tenant, sequence: sequence})-[:CHANGED]->(:Memory)<-[:CHANGED]-(later:Change)
WHERE later.sequence > sequence AND NOT later.sequence IN $sequences AND later.undone_by IS NULL AND later.operation <> 'NOOP'
WITH DISTINCT later
RETURN later {.*} AS change
