"""Composes the service: settings, database, embedder and language models, opened together and closed in reverse."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import cast

import neo4j

from graph_memory.base import tracing
from graph_memory.base.clock import Clock, system_clock
from graph_memory.batches.handlers import HANDLERS
from graph_memory.ingest import asked_extraction, asked_links
from graph_memory.model.batch import Kind
from graph_memory.models.embedders import open_embedder
from graph_memory.models.registry import Providers, open_providers
from graph_memory.models.settings import EmbedderSettings
from graph_memory.models.spaces import Following
from graph_memory.settings import Settings
from graph_memory.store.protocols import Embedder
from graph_memory.store.service import Service, open_driver

HANDLERS.update({Kind.EXTRACTION: asked_extraction.HANDLER, Kind.RELATIONSHIP: asked_links.HANDLER})


def compose(
    settings: Settings,
    driver: neo4j.Driver,
    embedder: Embedder,
    clock: Clock = system_clock,
    providers: Providers | None = None,
) -> Service:
    """A service of what is open already; without `providers` no language model is asked."""
    return Service(settings, driver, embedder, providers or Providers(), clock)


@contextmanager
def open_service(settings: Settings, clock: Clock = system_clock) -> Iterator[Service]:
    """Opens driver, embedder and providers, checks the server, and closes all in reverse order.

    Raises Unavailable, Unsupported, MissingExtra, ModelFault, and MixedModels when the store's vectors are of another model.
    """
    embedder = open_embedder(settings[EmbedderSettings])
    with tracing.running(settings), open_driver(settings) as driver, open_providers(settings) as providers:
        service = compose(settings, driver, embedder, clock, providers)
        yield replace(service, embedder=Following(settings[EmbedderSettings], embedder, service.system))


def all_settings(service: Service) -> Settings:
    """The settings of a service as a whole, for what copies or hands on all of them."""
    return cast(Settings, service.settings)
