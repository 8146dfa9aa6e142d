"""Many questions for a language model at once, as durable records: asked cheaply overnight, or now, applied once."""
