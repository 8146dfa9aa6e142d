"""Language models behind one small interface: who is asked in which order, how long, how often, and at what cost."""
