"""What a memory is, how it is added, superseded and read back."""
