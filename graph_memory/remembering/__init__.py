"""Remembering: a new statement is compared with what is known, and added, merged, put in place of, or left out."""
