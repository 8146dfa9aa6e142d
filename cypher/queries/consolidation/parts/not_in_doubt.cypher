// Only memories `m` that are no order to whoever reads them, or for which a person stands.
AND (m.confirmed_at IS NOT NULL OR none(label IN coalesce(m.labels, []) WHERE label IN $alarming))
