// The memory of `r` that no longer stands as the question needs it, and a note that tells so; null where it can be decided.
MATCH (m:Memory {tenant: $tenant, id: r.memory_id})
MATCH (target:Memory {tenant: $tenant, id: r.target_id})
WITH r, target, CASE
  WHEN m = target THEN CASE WHEN m.status = 'ARCHIVED' THEN null ELSE m END
  WHEN NOT target:Live THEN target
  WHEN r.action <> 'FORGET' AND NOT m:Live THEN m
END AS gone
WITH r, gone, 'The ' + CASE WHEN gone = target AND r.memory_id <> r.target_id THEN 'known' ELSE 'new' END + ' memory ' + gone.id
  + CASE
    WHEN gone.status = 'ARCHIVED' THEN ' was archived'
    WHEN gone.status = 'MERGED' THEN ' went into another'
    WHEN gone.status = 'RETRACTED' THEN ' was retracted'
    WHEN gone:Live THEN ' stands already'
    ELSE ' holds no longer'
  END + ' since this was asked.' AS why
