// What was stored without having been judged, found without looking at the rest.
CREATE INDEX memory_unjudged IF NOT EXISTS FOR (n:Memory) ON (n.tenant, n.unjudged);
