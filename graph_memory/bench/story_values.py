"""Checks of values: what holds, what held, in which order, and on which day.

`current`, `as_of`: the first five hits of a search, for `as_of` at local noon. Each `want` must be in the text of a hit.
A `not` fails the check if a hit has it, unless the clause with it says that it was left, corrected or cancelled, or the
hit expired before the moment. A match that is a bare number below 1000 or a weekday counts only in a text that shares a
word with the question. Milder: whatever else stands there.

`history`: all states of the chains of the first twenty hits, DEEP and STANDARD. The values by `valid_from` must be those
of `ordered`, each ended when the next began. States of no length never held and do not count. Milder: nothing need have
ended.

`date`: one of the first five hits must tell of the event and have the day: when it happens, a full date in its text, or
a `valid_from` other than the moment of saying. What happens at 00:00 UTC is a whole day, any other instant is read in the
story's zone. Milder: the day of saying counts where no date was found.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from graph_memory.bench.story_evidence import (
    TOP,
    Verdict,
    World,
    end,
    failed,
    lost,
    missing,
    origin,
    saying,
    show,
    standing,
)
from graph_memory.bench.story_files import Check
from graph_memory.bench.wording import asserts, days_in, has, matched, overlap, told
from graph_memory.model.memory import Memory
from graph_memory.recall.modes import Mode

_WIDE = 20
_DAY = timedelta(days=1)
# What was recorded within a minute of its being said holds from then on: no other time was found in it.
_AT_ONCE = timedelta(seconds=60)

_Row = tuple[str, Memory]


def current(world: World, check: Check, at: datetime | None = None) -> Verdict:
    """What holds now, or held at a moment."""
    question, hits, moment = check["question"], world.search(check["question"], at=at), at or world.now
    absent = [value for value in check["want"] if not any(has(hit.text, value) for hit in hits)]
    wrong = [
        (value, hit)
        for value in check["not"]
        for hit in hits
        if asserts(hit.text, value, question) and end(hit.expires_at) > moment
    ]
    stands = list(dict.fromkeys(f"{matched(hit.text, value)!r}: {hit.text}" for value, hit in wrong))
    verdict: Verdict = {
        "ok": not absent and not wrong,
        "mild": not absent,
        "missing": absent,
        "wrong": stands,
        "evidence": [show(world, hit) for hit in hits],
    }
    if at is None:
        verdict["stale"] = [
            memory.text
            for memory in world.live
            if any(asserts(memory.text, value, question) for value in check["not"])
        ]
    if absent:
        verdict |= missing(world, absent[0], question, at)
    elif wrong:
        verdict |= standing(world, [world.every.get(hit.id, hit) for _, hit in wrong], at)
    if wrong:
        verdict["why"] += "; stands: " + " / ".join(stands)
    return verdict


def as_of(world: World, check: Check) -> Verdict:
    """What held at local noon of a day."""
    return current(world, check, datetime.combine(date.fromisoformat(check["on"]), time(12), world.zone))


def history(world: World, check: Check) -> Verdict:
    """The values in order, each ended when the next began."""
    ordered, rows = check["ordered"], _rows(world, check)
    found = [value for place, (value, _) in enumerate(rows) if place == 0 or rows[place - 1][0] != value]
    still = _unended(rows)
    verdict: Verdict = {
        "ok": found == ordered and not still,
        "mild": found == ordered,
        "got": found,
        "evidence": [show(world, memory, value=value) for value, memory in rows],
    }
    lacking = [value for value in ordered if value not in found]
    if lacking and not verdict["ok"]:
        verdict |= _not_found(world, lacking[0], check["question"])
    elif still:
        verdict |= standing(world, [world.every.get(memory.id, memory) for memory in still])
    elif not verdict["ok"]:
        verdict |= failed("other", f"the order is wrong: {found}")
    return verdict


def dated(world: World, check: Check) -> Verdict:
    """The day of an event."""
    wanted, hits = date.fromisoformat(check["day"]), world.search(check["question"])
    right = [hit for hit in hits if has(hit.text, check["which"])]
    verdict: Verdict = {
        "ok": any(wanted in _days(world, hit) for hit in right),
        "mild": any(wanted in _days(world, hit, of_saying=True) for hit in right),
        "rivals": sorted({str(day) for hit in right for day in _days(world, hit)} - {check["day"]}),
        "evidence": [
            show(world, hit, days=sorted(map(str, _days(world, hit))), on_topic=hit in right) for hit in hits
        ],
    }
    return verdict if verdict["ok"] else verdict | _undated(world, check["which"], wanted)


def _rows(world: World, check: Check) -> list[_Row]:
    """The states that tell a value, by the time from which they held."""
    question = check["question"]
    hits = [*world.search(question, _WIDE, Mode.DEEP), *world.search(question, _WIDE)]
    states = {
        state.id: state for hit in {hit.id: hit for hit in hits}.values() for state in world.states(hit)
    }
    rows = []
    for state in states.values():
        value, is_vague = told(state.text, check["ordered"])
        if value and not (state.valid_to and state.valid_to <= state.valid_from):
            rows.append((value, state, overlap(state.text, question), is_vague))
    near = {value for value, _, is_near, _ in rows if is_near}
    kept = [
        (value, state)
        for value, state, is_near, is_vague in rows
        if is_near or (value not in near and not is_vague)
    ]
    return sorted(kept, key=lambda row: row[1].valid_from)


def _unended(rows: Sequence[_Row]) -> list[Memory]:
    """The states that held on when each later value had begun."""
    found = []
    for place, (value, memory) in enumerate(rows):
        later = [each.valid_from for other, each in rows[place + 1 :] if other != value]
        if later and all(end(memory.valid_to) > start + _DAY for start in later):
            found.append(memory)
    return found


def _not_found(world: World, value: str, question: str) -> Verdict:
    stored = saying(world, value, live=False)
    if any(overlap(memory.text, question) for memory in stored):
        return failed("ranking", f"{value!r} is stored but not found")
    if stored:
        return failed("extraction-wrong-text", f"{value!r} is stored where no word of the question is")
    return failed(origin(world, value), f"{value!r} is in no memory")


def _undated(world: World, source: str, wanted: date) -> Verdict:
    able = saying(world, source)
    days = [_days(world, memory) for memory in able]
    if any(wanted in each for each in days):
        return failed("ranking", f"the dated memory is not in the top {TOP}")
    if able:
        found = sorted({str(day) for each in days for day in each})
        return failed("date-unresolved", f"the memory has {found or 'no date'}")
    return lost(world, source, "it")


def _days(world: World, memory: Memory, *, of_saying: bool = False) -> set[date]:
    """The calendar days that a memory tells of; also the one on which it was said, if that counts and it has no other."""
    days = days_in(memory.text)
    happens, start = memory.happens_at, memory.valid_from
    if happens:
        is_whole_day = (happens.hour, happens.minute, happens.second) == (0, 0, 0)
        days.add(happens.date() if is_whole_day else happens.astimezone(world.zone).date())
    said = next((heard.at for heard in world.said if heard.ref and heard.ref == memory.source.ref), None)
    is_told = not happens and (said is None or abs(start - said) > _AT_ONCE)
    if is_told or (of_saying and not days):
        is_whole_day = (start.hour, start.minute) == (0, 0)
        days.add(start.date() if is_whole_day else start.astimezone(world.zone).date())
    return days
