// In how many steps of an interval statements began or ended to hold, as believed at a time.
// include: memory/parts/steps
RETURN count(DISTINCT start) AS total
