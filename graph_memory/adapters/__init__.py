"""What frameworks for agents take for a memory, each over the client: `graph_memory.adapters.langgraph` and its neighbours.

None is imported unless it is asked for, and each needs the extra of its name.
"""
