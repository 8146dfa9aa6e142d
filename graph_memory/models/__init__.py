"""Models that are asked: embedders and language models, what they are asked, what they answer, what it costs."""
