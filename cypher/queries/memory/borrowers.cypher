// The memories that some were merged into, and how many uses those had lent each.
UNWIND $ids AS id
MATCH (other:Memory {tenant: $tenant, id: id})-[r:MERGED_INTO WHERE r.open_key IS NOT NULL]->(keep:Memory)
WHERE other.subject_id = $subject
RETURN keep.id AS id, sum(CASE WHEN 'access_count' IN r.lends THEN 1 ELSE 0 END) AS uses
ORDER BY id
