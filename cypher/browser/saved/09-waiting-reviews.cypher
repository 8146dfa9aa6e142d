// What waits for a person to decide, and which memories it is about
// :param status => 'PENDING'
MATCH whose = (r:Review {status: $status})-[:BELONGS_TO]->(:Subject)
WITH r, whose
ORDER BY r.created_at
LIMIT 15
OPTIONAL MATCH about = (r)-[:ABOUT]->(:Memory)
RETURN r, whose, about
LIMIT 60
