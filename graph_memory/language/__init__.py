"""Text alone: its characters, sentences, names, dates, values and secrets. Pure functions; no service, no store."""
