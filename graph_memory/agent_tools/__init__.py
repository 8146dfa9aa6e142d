"""What an agent may call, by the Model Context Protocol: tools, resources and prompts, all over the Python client."""
