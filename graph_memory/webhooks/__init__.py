"""Webhooks: the changes of an account, sent in their order to addresses that its admins name."""
