"""What people decide: reviews, quarantine of a source, entities put right."""
