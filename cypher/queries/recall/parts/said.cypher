// What a passage is made of, with the memories that were taken from it, those of the other grain being empty: `said`.
CASE WHEN node:Passage THEN node {
  .id, .subject_id, .text, .speaker, .at, .role, .ref, .session, .segment_id, .position,
  memory_ids: [(taken:Memory)-[:EXTRACTED_FROM]->(node) | taken.id]
} END AS said
