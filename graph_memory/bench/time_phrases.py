"""`bench temporal`: what the words for times in sentences come to, against what careful readers expect of them.

An expectation names a phrase of its text and what it comes to, in the person's zone: a year, a month, a day or a moment
(`2025`, `2025-04`, `2025-04-03`, `2025-04-03T18:30`), a stretch with both ends included (`2025-04-03..2025-04-09`), an open one
(`2025-04-03..`, `..2025-04-09`), `repeated`, or null for what does not say it. A `precision` is compared where it is given.
"""

from __future__ import annotations

import json
from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from graph_memory.base.errors import Invalid
from graph_memory.language.times.resolver import Means, Time, resolve

# Early, mid and late have no sharp ends.
_BLURRED = ("early", "mid", "late")
_FIGURES = ("year", "month", "day")


@dataclass(frozen=True)
class Case:
    """A phrase of a text, said at a moment in a zone, and what a reader takes it for; `expected` as it was written."""

    text: str
    phrase: str
    said_at: datetime
    expected: str | None
    precision: str | None


def bench_temporal(phrases: Path) -> dict[str, Any]:
    """The figures of `bench temporal`; see the keys in design section 14."""
    cases = read(phrases)
    answers = [(case, _answer(case)) for case in cases]
    mistakes = [
        {
            "text": case.text,
            "phrase": case.phrase,
            "said_at": case.said_at.isoformat(),
            "expected": case.expected,
            "precision": case.precision,
            "found": told(answer),
        }
        for case, answer in answers
        if not is_right(case, answer)
    ]
    missed = [answer for case, answer in answers if not is_right(case, answer)]
    wrong = sum(answer is not None and answer.means is not Means.UNRESOLVABLE for answer in missed)
    return {
        "n": len(cases),
        "accuracy": round(1 - len(mistakes) / max(1, len(cases)), 4),
        "wrong": wrong,
        "unresolved": len(mistakes) - wrong,
        "mistakes": mistakes,
    }


def read(path: Path) -> list[Case]:
    """The cases of a file: a list of {text, said_at, timezone, expected: [{phrase, resolved, precision}]}.

    Raises Invalid for a file of another form.
    """
    try:
        return [
            _case(item, expected)
            for item in json.loads(path.read_text("utf-8"))
            for expected in item["expected"]
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Invalid(
            f"{path} is no file of phrases: {error!r}. It is a list of {{text, said_at, timezone, expected: "
            "[{phrase, resolved}]}; `docs/explanation/time.md` tells how times are written.",
            path="phrases",
        ) from error


def _case(item: Mapping[str, Any], expected: Mapping[str, Any]) -> Case:
    zone, said_at = ZoneInfo(item.get("timezone") or "UTC"), datetime.fromisoformat(item["said_at"])
    local = said_at.astimezone(zone) if said_at.tzinfo else said_at.replace(tzinfo=zone)
    phrase, resolved = expected.get("phrase") or item["text"], expected["resolved"]
    _expected(resolved, zone)
    return Case(item["text"], phrase, local, resolved, expected.get("precision"))


def _answer(case: Case) -> Time | None:
    """What was found in the text where the phrase stands."""
    place = case.text.find(case.phrase)
    found = [
        each
        for each in resolve(case.text, case.said_at)
        if each.span.start < place + len(case.phrase) and each.span.end > place
    ]
    return max(found, key=lambda each: len(each.span.text), default=None)


def is_right(case: Case, found: Time | None) -> bool:
    """Whether what was found is the time that was expected, to the precision that was asked for."""
    if found is None or found.means is Means.UNRESOLVABLE:
        return case.expected is None
    if case.expected is None or case.expected == "repeated":
        return case.expected == found.means
    zone = case.said_at.tzinfo
    assert isinstance(zone, ZoneInfo)
    expected, ends = _expected(case.expected, zone), (found.begins, found.ends)
    if case.precision and case.precision != found.precision:
        return False
    if found.part in _BLURRED:
        return _contains(expected, ends) or _contains(ends, expected)
    # An hour may stand for the part of a day that was named.
    hour = found.moment if found.precision == "day" else None
    return ends == expected or (hour is not None and expected == (hour, hour))


Ends = tuple[datetime | None, datetime | None]


def _contains(whole: Ends, part: Ends) -> bool:
    if None in whole or None in part:
        return whole == part
    return whole[0] <= part[0] and part[1] <= whole[1]  # type: ignore[operator]


def _expected(resolved: str | None, zone: ZoneInfo) -> Ends:
    """The first instant of what was expected, and the first after it; of a moment twice the moment."""
    if resolved is None or resolved == "repeated":
        return None, None
    start, dots, end = resolved.partition("..")
    return (_edge(start, zone)[0] if start else None), (
        _edge(end if dots else start, zone)[1] if end or not dots else None
    )


def _edge(when: str, zone: ZoneInfo) -> tuple[datetime, datetime]:
    if "T" in when or " " in when:
        moment = datetime.fromisoformat(when)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=zone)
        return moment.astimezone(UTC), moment.astimezone(UTC)
    figures = [int(figure) for figure in when.split("-")]
    year, month = figures[0], figures[1] if len(figures) > 1 else None
    first = date(year, month or 1, figures[2] if len(figures) == len(_FIGURES) else 1)
    last = (
        first if len(figures) == len(_FIGURES) else date(year, month or 12, monthrange(year, month or 12)[1])
    )
    return _midnight(first, zone), _midnight(last + timedelta(days=1), zone)


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)


def told(found: Time | None) -> dict[str, str | None]:
    """What was found, as a file of phrases writes it, with its precision and what it means."""
    if found is None:
        return {"resolved": None, "precision": None, "means": None, "phrase": None}
    ends = [each.isoformat() if each is not None else "" for each in (found.start, found.end)]
    resolved = None if ends == ["", ""] else ends[0] if ends[0] == ends[1] else "..".join(ends)
    if found.means is Means.REPEATED:
        resolved = "repeated"
    return {
        "resolved": resolved,
        "precision": found.precision,
        "means": str(found.means),
        "phrase": found.span.text,
    }


def report(figures: Mapping[str, Any]) -> str:
    """The figures for people, with each phrase that was missed."""
    rows: Sequence[Mapping[str, Any]] = figures["mistakes"]
    lines = [
        f"  {each['phrase']!r} in {each['text']!r}, said {each['said_at']}: "
        f"{each['expected'] or 'unresolvable'} ({each['precision'] or 'any'}) expected, "
        f"{each['found']['resolved'] or each['found']['means'] or 'nothing'} ({each['found']['precision']}) found"
        for each in rows
    ]
    shares = f"{figures['accuracy']:.1%} right, {figures['wrong']} wrong, {figures['unresolved']} unresolved"
    head = f"{figures['n']} phrases, {shares}"
    return "\n".join([head, *lines])
