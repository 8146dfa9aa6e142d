"""Reviews: what a judge wanted and was not done by itself waits here for a person."""
