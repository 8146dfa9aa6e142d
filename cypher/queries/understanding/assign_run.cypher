// Names the run that was opened to extract some segments, to which what comes of them is credited.
UNWIND $segments AS id
MATCH (s:Segment {tenant: $tenant, id: id})
SET s.run_id = $run
