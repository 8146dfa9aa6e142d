"""What comes in is looked at before it is kept: hidden characters, secrets, orders to a judge, and what it is worth."""
