// Notes what became of a group of a plan.
MATCH (p:PlannedMerge {tenant: $tenant, id: $id})
SET p.status = $status, p.settled_at = $now, p.settled_by = $run_id, p.product_id = $product_id, p.fault = $fault
RETURN p.id AS id
