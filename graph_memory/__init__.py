"""A memory service for agents on Neo4j."""

__version__ = "0.1.0"
