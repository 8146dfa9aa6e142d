"""Words for times: the one place that reads them, in front of it `resolver.resolve`."""
