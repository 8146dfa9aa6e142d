// Removes groups of plans that quote erased memories; says how many.
MATCH (p:PlannedMerge)
WHERE p.tenant = $tenant AND p.subject_id = $subject AND (any(id IN p.members WHERE id IN $ids) OR p.product_id IN $ids)
DELETE p
RETURN count(*) AS removed
