"""Archiving by rule, bringing back by use, and, only where it is allowed, erasing what was retracted long ago."""
