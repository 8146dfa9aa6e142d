// Waits until the full-text indexes hold everything committed before.
CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
