// What was believed on a day and is told otherwise now: the states that were recorded then and were replaced since
// :param day => '2026-03-01'
MATCH (m:Memory)-[:REVISED_FROM]->(former:Revision)
WHERE former.recorded_from <= datetime($day) AND former.recorded_to > datetime($day)
RETURN former.text AS believed_then, m.text AS told_now,
       CASE WHEN former.valid_to.year < 9999 THEN date(former.valid_to) END AS end_believed_then,
       CASE WHEN m.valid_to.year < 9999 THEN date(m.valid_to) END AS end_known_now
ORDER BY former.recorded_to DESC, m.id
LIMIT 50
