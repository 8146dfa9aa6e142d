"""Taking a tenant out of the store as a file, and putting it back byte for byte."""
