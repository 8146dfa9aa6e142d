// What is stated is drawn by its value, as one that is not so where it is denied.
MATCH (a:Attribute)
WHERE NOT EXISTS { (a)<-[r:STATES]-() WHERE r.caption IS NOT NULL }
CALL (a) {
  MATCH (a)<-[r:STATES]-()
  SET r.caption = left(CASE r.polarity WHEN 'DENIED' THEN 'not ' ELSE '' END + r.value, 40)
} IN TRANSACTIONS OF 10000 ROWS;
