// Holds back others who would change the model until this transaction ends.
MATCH (lock:VectorSpace {role: 'lock'})
SET lock.held = true
