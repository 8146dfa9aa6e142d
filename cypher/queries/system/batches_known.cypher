// Which of a provider's batches belong to one of ours.
MATCH (b:Batch)
WHERE b.provider_id IN $ids
RETURN b.provider_id AS id
