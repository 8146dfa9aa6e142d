"""A text on its way in: secrets masked, and labels for what was seen in it.

Labels are words that stay with the memory: `suspicious` speaks to a judge, `hidden_characters` held letters that nobody
sees, `mixed_script` has words with letters that pass for others, `masked` lost a secret; `secret:password` and the like
name its kind, `personal:email` and `personal:phone` what is about people. Values are never kept or told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from graph_memory.base.errors import Invalid
from graph_memory.language import characters, personal_data, secrets
from graph_memory.language.injection import is_suspicious
from graph_memory.language.secrets import Found
from graph_memory.memory.settings import ScreeningSettings
from graph_memory.model.memory import Fact, Memory

SUSPICIOUS, HIDDEN_CHARACTERS, MIXED_SCRIPT, MASKED = (
    "suspicious",
    "hidden_characters",
    "mixed_script",
    "masked",
)
# What carries one of these changes nothing known by itself.
ALARMING = frozenset({SUSPICIOUS, HIDDEN_CHARACTERS, MIXED_SCRIPT})


@dataclass(frozen=True)
class Screened:
    """A text as it may be kept, and its labels, sorted."""

    text: str
    labels: tuple[str, ...] = ()

    @property
    def masked(self) -> tuple[str, ...]:
        """The kinds of what was taken out."""
        if MASKED not in self.labels:
            return ()
        return tuple(each.partition(":")[2] for each in self.labels if each.startswith("secret:"))


def is_in_doubt(memory: Memory) -> bool:
    """Whether it may be an order to whoever reads it. Nothing like that comes into a prompt until a person stands for it."""
    return memory.confirmed_at is None and not ALARMING.isdisjoint(memory.labels)


def screened(settings: ScreeningSettings, text: str, path: str) -> Screened:
    """The text without what must not be kept. Invalid, naming the kind, where settings refuse it.

    Screening what was screened changes nothing, but labels that tell of what is gone are not given again.
    """
    labels = set(_seen(text)) if settings.labels else set()
    kept = text
    for word, how, found in (
        ("secret", settings.secrets, secrets.found),
        ("personal", settings.personal, personal_data.found),
    ):
        if how != "off":
            kept, kinds = _handled(kept, how, found, path)
            labels |= {f"{word}:{kind}" for kind in kinds}
            labels |= {MASKED} if kinds and how == "mask" else set()
    return Screened(kept, tuple(sorted(labels)))


def screened_fact(settings: ScreeningSettings, fact: Fact, path: str) -> Fact:
    """A fact with its text and heading screened; what the caller's map and tags hold is masked as well."""
    text = screened(settings, fact.text, f"{path}.text")
    heading = screened(settings, fact.heading, f"{path}.heading") if fact.heading else Screened("")
    labels = {*fact.labels, *text.labels, *heading.labels}
    if settings.secrets in ("mask", "refuse") and (fact.metadata or fact.tags):
        metadata, in_map = _masked_map(fact.metadata)
        tags = [secrets.masked(tag) for tag in fact.tags]
        kinds = {*in_map, *(kind for _, found in tags for kind in found)}
        if kinds and settings.secrets == "refuse":
            _refuse(sorted(kinds), f"{path}.metadata")
        fact = replace(fact, metadata=metadata, tags=tuple(tag for tag, _ in tags)) if kinds else fact
        labels |= {MASKED, *(f"secret:{kind}" for kind in kinds)} if kinds else set()
    return replace(fact, text=text.text, heading=heading.text, labels=tuple(sorted(labels)))


def inherited(settings: ScreeningSettings, texts: Iterable[str]) -> tuple[str, ...]:
    """The labels that a statement has from the messages it was made of, whatever it says itself."""
    if not settings.labels:
        return ()
    return tuple(sorted({label for text in texts for label in _seen(text)}))


def _seen(text: str) -> Iterable[str]:
    if characters.hides(text):
        yield HIDDEN_CHARACTERS
    if characters.mixed(text):
        yield MIXED_SCRIPT
    if is_suspicious(text):
        yield SUSPICIOUS


def _handled(
    text: str, how: str, found: Callable[[str], list[Found]], path: str
) -> tuple[str, tuple[str, ...]]:
    places = found(text)
    kinds = tuple(sorted({each.kind for each in places}))
    if kinds and how == "refuse":
        _refuse(kinds, path)
    return (secrets.without(text, places) if how == "mask" else text), kinds


def _refuse(kinds: Iterable[str], path: str) -> None:
    told = ", ".join(kind.replace("_", " ") for kind in kinds)
    raise Invalid(
        f"{path} holds what is not kept here ({told}); leave it out, or set GRAPH_MEMORY_SCREENING_SECRETS=mask.",
        path=path,
    )


def _masked_map(metadata: Mapping[str, Any]) -> tuple[dict[str, Any], set[str]]:
    kept, kinds = dict(metadata), set[str]()
    for name, value in metadata.items():
        if isinstance(value, str):
            kept[name], found = secrets.masked(value)
            kinds |= set(found)
    return kept, kinds
