"""What a client can be asked for. Each is a generator of steps, so that the sync and the async client are one."""
