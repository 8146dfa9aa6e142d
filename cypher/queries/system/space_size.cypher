// How many states and passages the store holds, former states too.
RETURN COUNT { (:Memory) } + COUNT { (:Revision) } + COUNT { (:Passage) } AS states
