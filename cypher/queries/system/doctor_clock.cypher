// What time the server thinks it is.
RETURN datetime.realtime() AS now
