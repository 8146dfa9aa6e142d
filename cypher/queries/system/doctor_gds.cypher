// The version of the graph algorithms; fails where they are missing.
RETURN gds.version() AS version
