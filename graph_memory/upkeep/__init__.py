"""The bodies of the jobs that keep a store tidy."""
