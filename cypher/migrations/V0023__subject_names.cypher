// An account's subjects are read page by page in the order of their names.
CREATE INDEX subject_name IF NOT EXISTS FOR (n:Subject) ON (n.tenant, n.name);
