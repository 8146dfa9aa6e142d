"""What the service speaks of: memories, links, verdicts, messages, and every stored enum. Types only."""
