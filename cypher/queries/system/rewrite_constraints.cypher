// The statement that makes each constraint, by its name.
SHOW CONSTRAINTS YIELD name, createStatement
RETURN name, createStatement AS statement
