"""Who and what memories are about: which name means whom, relations between them, and putting mistakes right."""
