"""The GraphQL service: thin over the capabilities, async, and the only part that knows about the web."""
