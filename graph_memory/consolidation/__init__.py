"""Memories that belong together: communities that keep their identity while their members change."""
