"""Taking all that a source has said out of answers at once, and deciding afterwards whether it was wrong."""
