// Takes the next records of a restore; no row when somebody else took them.
MATCH (t:Tenant {id: $tenant})
SET t.restoring = t.restoring
WITH t
WHERE t.restoring = $file AND t.restored = $done
SET t.restored = $done + $records
RETURN t.restored AS restored
