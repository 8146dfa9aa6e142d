// What a memory is made of, without its vector: `state`.
node {
  .id, .memory_id, .subject_id, .text, .caption, .heading, .kind, .tags, .labels, .metadata, .status, .confidence, .importance,
  .base_importance, .tier, .retention, .feedback, .critical, .pinned, .access_count, .last_accessed_at, .happens_at, .expires_at, .valid_from, .valid_to, .holds_to,
  .recorded_from, .recorded_to, .created_at, .updated_at, .chain_id, .session_id, .agent_id, .source_kind, .source_ref, .source_author, .confirmed_at
} AS state
