"""From what people said to statements worth keeping."""
