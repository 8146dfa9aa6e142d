"""Jobs: which there are, when they are due, who holds them, how far they have come.

All of it stands in Neo4j.
"""
