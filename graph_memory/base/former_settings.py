"""Settings under other names than today's: those that moved and are still read, and those that are none any more."""

from __future__ import annotations

from collections.abc import Mapping

# Those of the jobs' table that were settings of their own.
_JOBS = (
    "rescore", "communities", "consolidate", "archive", "restore", "tidy", "verify", "collect_entities", "webhooks", "reconcile",
    "reweigh", "compact", "fill", "due", "sweep", "expire_reviews", "poll_extraction", "poll_relationships", "retry_batches",
    "purge_batches",
)  # fmt: skip
_PURPOSES = ("extract", "classify", "review", "screen", "ask", "summarise")

# Where the value stands that had a setting of this section and name: as good as before, and deprecated.
MOVED: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("recall", "superseded"): ("supersession", "visibility"),
    **{("jobs", name): ("jobs", "periods", name) for name in _JOBS},
    **{
        (purpose, name): ("providers", "purposes", purpose, name)
        for purpose in _PURPOSES
        for name in ("models", "max_tokens", "thinking", "timeout")
    },
}

_ASKED: Mapping[str, str] = {
    "anthropic_model": '`models` of its row in providers.purposes names it: {"anthropic": "..."}',
    "openai_model": '`models` of its row in providers.purposes names it: {"openai": "..."}',
    "temperature": "each purpose has its own",
    "top_p": "it is left to the model",
    "frequency_penalty": "each purpose has its own",
}


def _always(**values: float | str) -> Mapping[str, str]:
    return {name: f"it is always {value}" for name, value in values.items()}


# What holds instead of a setting that is none any more, by its section and name.
FORMER: Mapping[str, Mapping[str, str]] = {
    "neo4j": _always(connect_timeout=5.0, max_waiting_writers=64),
    "broker": {"visibility_timeout": "it is always twice broker.task_time_limit"},
    "api": _always(
        max_depth=12,
        max_tokens=4000,
        max_aliases=30,
        max_document=65536,
        document_cache=16000000,
        max_forecast=20000000,
        max_subscriptions=20,
        look=0.5,
        persisted_cache=2000000,
        header_timeout=10.0,
        body_timeout=30.0,
        idle_timeout=5.0,
    ),
    "providers": _always(rest=60.0, warn_share=0.8, connect_timeout=5.0, failures=5),
    "entities": _always(
        dormant_links=5,
        merge_cosine=0.75,
        merge_likeness=0.85,
        merge_overlap=0.3,
        merge_candidates=5,
        batch=50,
    ),
    "texts": _always(max_tags=32),
    "links": _always(shared_most=50, batch=1000, shared=10),
    "traversal": _always(max_limit=1000, fan_out=1000, reads=50000, depth=3, limit=100),
    "pipeline": _always(link_confidence=0.7, related_kind="RELATED", related_strength=0.8),
    "conversations": _always(
        pinned=10, fuzzy=0.95, link_floor=0.55, tries=3, wait_minutes=10.0, batch=100, chunk=40
    ),
    "reviews": _always(batch=1000),
    "batches": _always(
        faults=3,
        tries=3,
        retries=4,
        timeout=300.0,
        provider_hours=24.0,
        expire_hours=48.0,
        keep_hours=48.0,
        size=1000,
        megabytes=200,
    ),
    "decay": _always(critical_floor=0.9, batch=5000, kept_moves=1000),
    "earning": _always(
        value_weight=0.8,
        recency_rate=0.03,
        centre=2.0,
        hub_link=0.04,
        hub_links=10,
        hub_slope=0.02,
        hub_curve=0.05,
        newness_rate=0.133,
        day_factor=2.0,
        week_factor=1.5,
        fortnight_factor=1.2,
        past_end=0.1,
        past_days=14.0,
        min_age=7.0,
        rounding=3,
    ),
    "linear": _always(max_access=100, rounding=4),
    "retention": _always(saturation=20, activation_boost=0.1, rounding=3),
    "communities": _always(
        neighbours=10,
        overlap=0.3,
        lineage=50,
        keep_ended=180,
        summary_min=3,
        sentences=5,
        seed=7,
        whole_below=5000,
        drift=0.1,
    ),
    "consolidation": _always(neighbours=10, seed=7, gamma=1.0, min_size=2),
    "jobs": _always(backoff=10.0, attempts=5, max_tick=300),
    "recall": _always(overfetch=4, min_fetch=60, cold_handicap=0.1),
    "surfacing": _always(depth=2, min_confidence=0.6),
    "access": _always(batch=500, seconds=2.0, waiting=10000),
    "linker": {
        **_always(nearest=8, link=0.4, repeat=0.7),
        "margin": "all that a message may be about shares one softmax, so that no margin is needed",
    },
    "refinement": _always(age=7, stable=30, cooldown=30, rejections=3),
    "webhooks": _always(pause=5.0, longest_pause=3600.0),
    "ingest": _always(batch=500),
    "embedder": _always(tries=3, pause=15.0, batch=64, watch=2.0),
    **dict.fromkeys(_PURPOSES, _ASKED),
}
