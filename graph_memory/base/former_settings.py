"""Settings that are none any more, and what holds instead: whoever still sets one is told."""

from __future__ import annotations

from collections.abc import Mapping

_ASKED: Mapping[str, str] = {
    "anthropic_model": '`models` names it: {"anthropic": "..."}',
    "openai_model": '`models` names it: {"openai": "..."}',
    "temperature": "each purpose has its own",
    "top_p": "it is left to the model",
    "frequency_penalty": "each purpose has its own",
}


def _always(**values: float | str) -> Mapping[str, str]:
    return {name: f"it is always {value}" for name, value in values.items()}


# By section and name.
FORMER: Mapping[str, Mapping[str, str]] = {
    "neo4j": _always(connect_timeout=5.0),
    "api": _always(
        max_depth=12,
        max_tokens=4000,
        max_aliases=30,
        max_document=65536,
        document_cache=16000000,
        max_forecast=20000000,
        max_subscriptions=20,
        look=0.5,
    ),
    "providers": _always(rest=60.0, warn_share=0.8),
    "extract": _ASKED,
    "classify": _ASKED,
    "review": _ASKED,
    "screen": _ASKED,
    "ask": _ASKED,
    "summarise": _ASKED,
    "entities": _always(
        dormant_links=5,
        merge_cosine=0.75,
        merge_likeness=0.85,
        merge_overlap=0.3,
        merge_candidates=5,
        batch=50,
    ),
    "texts": _always(max_tags=32),
    "links": _always(shared_most=50, batch=1000),
    "traversal": _always(max_limit=1000, fan_out=1000, reads=50000),
    "pipeline": _always(link_confidence=0.7, related_kind="RELATED", related_strength=0.8),
    "conversations": _always(pinned=10, fuzzy=0.95, link_floor=0.55, tries=3, wait_minutes=10.0),
    "reviews": _always(batch=1000),
    "batches": _always(
        faults=3, tries=3, retries=4, timeout=300.0, provider_hours=24.0, expire_hours=48.0, keep_hours=48.0
    ),
    "decay": _always(critical_floor=0.9),
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
    ),
    "linear": _always(max_access=100),
    "retention": _always(saturation=20, activation_boost=0.1),
    "communities": _always(
        neighbours=10, overlap=0.3, lineage=50, keep_ended=180, summary_min=3, sentences=5, seed=7
    ),
    "consolidation": _always(neighbours=10, seed=7),
    "jobs": _always(
        backoff=10.0,
        reweigh=86400,
        compact=86400,
        fill=300,
        due=60,
        sweep=300,
        expire_reviews=3600,
        poll_extraction=60,
        poll_relationships=60,
        retry_batches=21600,
        purge_batches=86400,
    ),
}
