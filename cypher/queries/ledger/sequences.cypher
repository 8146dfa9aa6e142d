// The sequence numbers of a subject's changes by their numbers within it.
UNWIND $places AS place
MATCH (c:Change)
WHERE c.tenant = $tenant AND c.subject_id = $subject AND c.place = place
RETURN place, c.sequence AS sequence
