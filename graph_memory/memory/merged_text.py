"""The one text that two memories become, and what is wrong with it. People, judges and reviews all make it here."""

from __future__ import annotations

from dataclasses import dataclass

from graph_memory.base.errors import Invalid
from graph_memory.base.sections import Sections
from graph_memory.language import patterns, texts
from graph_memory.language.names import mentions
from graph_memory.language.subsumption import both
from graph_memory.memory.screening import screened
from graph_memory.memory.settings import ScreeningSettings, TextsSettings

_NUMBER = patterns.compile(r"\d+(?:[.,:/]\d+)*")


@dataclass(frozen=True)
class MergedText:
    """A text for two memories, with the numbers and names of theirs that it lacks, and whether it has others."""

    text: str
    lost: tuple[str, ...] = ()
    makes_up: bool = False

    def or_refuse(self) -> str:
        """The text. Raises Invalid where it loses something; a person may add what neither memory says."""
        if self.lost:
            told = ", ".join(self.lost)
            raise Invalid(
                f"The merged text loses {told}; a merge keeps every number and name, so write it in.",
                path="text",
            )
        return self.text

    @property
    def fault(self) -> str | None:
        """Why a judge's text is not taken, in words that quote neither memory; None for one that is."""
        if self.lost:
            return "the merged text loses a number or a name"
        return "the merged text has a number or a name that neither says" if self.makes_up else None


def merged_text(settings: Sections, old: str, new: str, given: str | None = None) -> MergedText:
    """The given text as it may be stored: cleaned and screened; without one, both texts, or the fuller where it says all.

    Raises Invalid for a text that may not be stored.
    """
    said = both(old, new) if given is None else given
    text = texts.clean(said, settings[TextsSettings].max_length, "text")
    if given is not None:
        text = screened(settings[ScreeningSettings], text, "text").text
    return MergedText(text, tuple(lost(text, old, new)), bool(lost(f"{old} {new}", text)))


def lost(merged: str, *originals: str) -> list[str]:
    """The numbers and names of the originals that a merged text no longer has."""
    kept_numbers, kept_names = set(_NUMBER.findall(merged)), texts.normalised(merged)
    wanted = [number for text in originals for number in _NUMBER.findall(text) if number not in kept_numbers]
    names = [
        name.name
        for text in originals
        for name in mentions(text)
        if texts.normalised(name.name) not in kept_names
    ]
    return list(dict.fromkeys(wanted + names))
