// The model of the store's vectors and, while it is being changed, the next one.
MATCH (s:VectorSpace {role: 'store'})
RETURN s {.*} AS space
