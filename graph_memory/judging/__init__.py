"""Judging how a new statement stands to what is known: the same, newer, more, or beside it."""
