// What a claim `r` is called where it is drawn: its value, as one that is not so where it is denied.
SET r.caption = left(CASE r.polarity WHEN 'DENIED' THEN 'not ' ELSE '' END + r.value, 40)
