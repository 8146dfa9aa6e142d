"""What everything may use and nothing of ours stands below: errors, ids, times, the walls of a scope."""
