// A subject's memories that are long, used and settled, and that nobody has refined or declined to refine too often: the longest first.
MATCH (m:Live)
WHERE m.tenant = $tenant AND m.subject_id = $subject AND m.holds_to IS NOT NULL
  AND size(m.text) >= $chars AND m.access_count >= $accesses AND m.created_at <= $born_by AND m.recorded_from <= $stable_since
  AND (m.refined_at IS NULL OR m.refined_at <= $refined_by)
  AND ($rejections = 0 OR coalesce(m.rejection_count, 0) < $rejections)
  AND NOT EXISTS { (m)-[:SUPERSEDES]-(:Memory) }
  // Also where that was undone: it is not split again by itself.
  AND NOT EXISTS { (m)-[:DERIVED_FROM]-(:Memory) }
  AND NOT EXISTS {
    MATCH (r:Review)
    WHERE r.tenant = $tenant AND r.subject_id = m.subject_id AND r.status = 'PENDING' AND (r.memory_id = m.id OR r.target_id = m.id)
  }
RETURN m {.*, embedding: null, embedding_next: null} AS memory
ORDER BY size(m.text) DESC, m.content_hash, m.id
LIMIT $most
