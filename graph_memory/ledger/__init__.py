"""One Change for each decision, in the transaction of its effect; one Request for each call; days of activity."""
