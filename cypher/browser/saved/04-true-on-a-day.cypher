// What was true on a day, of one person's memories or of all
// :param day => '2026-03-01'
// :param subject => ''
MATCH (s:Subject)<-[:BELONGS_TO]-(m:Memory)
WHERE ($subject = '' OR s.name = $subject) AND m.status = 'ACTIVE'
  AND m.valid_from <= datetime($day) AND m.holds_to > datetime($day)
RETURN m.text AS text, m.kind AS kind, date(m.valid_from) AS since,
       CASE WHEN m.valid_to.year < 9999 THEN date(m.valid_to) END AS until, s.name AS whose
ORDER BY m.importance DESC, m.id
LIMIT 50
