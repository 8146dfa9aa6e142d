"""What is measured of a pair of statements; the regression weighs it. Pure functions of the two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np

from graph_memory.judge import contrast
from graph_memory.judge.contrast import ALIKE
from graph_memory.judge.word_similarity import Matrix, WordVectors, likeness
from graph_memory.language import cues
from graph_memory.language.analysis import Reading
from graph_memory.language.synonyms import stand_apart
from graph_memory.language.values import DATE, MONTH, NUMBER, TIME, WEEKDAY

AKIN = 0.45

_SHOWN_BY_BOTH = ("event", "habit", "plan", "past", "additive", "many", "single", "says", "said_of_another")
_SHOWN_BY_NEW = (
    "now",
    "since",
    "no_longer",
    "switch",
    "ending",
    "beginning",
    "because",
    "purpose",
    "disproof",
    "blocker",
    "hedge",
)


@dataclass(frozen=True)
class Compared:
    """Two readings side by side, and what was measured of them."""

    old: Reading
    new: Reading
    features: Mapping[str, float]
    course: str | None
    gone: tuple[str, ...]
    come: tuple[str, ...]


def compare(old: Reading, new: Reading, same_day: bool, vectors: WordVectors | None) -> Compared:
    """All features of a pair, by name; `same_day` tells that both were said on one day."""
    alike = likeness(old.spelled, new.spelled, vectors)
    gone, come = _unmatched(old, alike.max(axis=0, initial=0)), _unmatched(new, alike.max(axis=1, initial=0))
    frame = _frame(old, new)
    course = cues.outcome(old.low, new.low)
    measured: dict[str, float] = {}
    measured |= _overlap(alike)
    measured |= _kinship(alike, gone, come, old, new)
    measured |= frame
    measured |= _values(old, new)
    measured |= _names(old, new)
    measured |= _cues(old, new)
    measured |= _subject(old, new, alike)
    measured |= _grammar(old, new, alike)
    measured |= contrast.measured(old, new, alike)
    measured["denial_differs"] = float(old.denies != new.denies)
    measured["both_deny"] = float(old.denies and new.denies)
    measured["opposed"] = float(cues.opposed(frozenset(old.content), frozenset(new.content)))
    measured["course"] = float(course is not None)
    measured["longer"] = float(np.clip(np.log((len(new.tokens) + 1) / (len(old.tokens) + 1)), -1.5, 1.5))
    measured["same_day"] = float(same_day)
    measured |= _together(measured)
    return Compared(old, new, measured, course, gone, come)


def _unmatched(reading: Reading, best: Matrix) -> tuple[str, ...]:
    return tuple(word for word, value in zip(reading.content, best, strict=True) if value < 1)


def _overlap(alike: Matrix) -> dict[str, float]:
    """How much of each is in the other, by stems and by likeness."""
    in_old, in_new = alike.max(axis=1, initial=0), alike.max(axis=0, initial=0)
    return {
        "new_in_old": _mean(in_old >= 1),
        "old_in_new": _mean(in_new >= 1),
        "new_like_old": _mean(in_old),
        "old_like_new": _mean(in_new),
        "new_far": min(4, float((in_old < AKIN).sum())) / 4,
        "old_far": min(4, float((in_new < AKIN).sum())) / 4,
        "new_farthest": float(in_old.min(initial=1)),
        "old_farthest": float(in_new.min(initial=1)),
        "new_more": min(6, float((in_old < ALIKE).sum())) / 6,
        "old_more": min(6, float((in_new < ALIKE).sum())) / 6,
        "all_of_new": float(bool(len(in_old)) and in_old.min(initial=1) >= ALIKE),
        "all_of_old": float(bool(len(in_new)) and in_new.min(initial=1) >= ALIKE),
        "any_shared": float(bool((alike >= 1).any())),
        "shared": min(4.0, float((in_old >= 1).sum())) / 4,
    }


def _kinship(
    alike: Matrix, gone: tuple[str, ...], come: tuple[str, ...], old: Reading, new: Reading
) -> dict[str, float]:
    """Among the words that differ: is there one of the same sort (Berlin for Munich)?"""
    rows = [place for place, word in enumerate(new.content) if word in come]
    columns = [place for place, word in enumerate(old.content) if word in gone]
    rest = alike[np.ix_(rows, columns)] if rows and columns else np.zeros((0, 0), np.float32)
    best = float(rest.max(initial=0))
    return {
        "nearest_of_rest": best,
        "akin": float(AKIN <= best < ALIKE),
        "mean_of_rest": float(rest.max(axis=1).mean()) if rest.size else 0.0,
        "nothing_gone": float(not gone),
        "nothing_come": float(not come),
        "only_gone": float(bool(gone) and not come),
        "only_come": float(bool(come) and not gone),
        "set_apart": float(any(stand_apart(one, other) for one in gone for other in come)),
        "one_for_one": float(len(gone) == len(come) == 1),
    }


def _frame(old: Reading, new: Reading) -> dict[str, float]:
    """Whether both are one sentence with something put in another's place, and where."""
    blocks = SequenceMatcher(None, old.tokens, new.tokens, autojunk=False).get_opcodes()
    kept = sum(end - start for sign, start, end, _, _ in blocks if sign == "equal")
    swaps = [block for block in blocks if block[0] == "replace"]
    ratio = 2 * kept / max(1, len(old.tokens) + len(new.tokens))
    one = len(swaps) == 1 and all(block[0] in ("equal", "replace") for block in blocks)
    at_end = bool(swaps) and swaps[-1][2] == len(old.tokens)
    at_start = bool(swaps) and swaps[0][1] == 0
    return {
        "frame": ratio,
        "one_swap": float(one and ratio >= 0.4),
        "swap_at_end": float(one and at_end and ratio >= 0.4),
        "swap_at_start": float(one and at_start and ratio >= 0.4),
        "same_start": float(old.tokens[:2] == new.tokens[:2]),
        "same_end": float(old.tokens[-2:] == new.tokens[-2:]),
    }


def _values(old: Reading, new: Reading) -> dict[str, float]:
    """Numbers, times and days: changed, added, left out, the same."""
    changed = added = lost = same = 0
    for kind in (NUMBER, TIME, DATE, MONTH, WEEKDAY):
        before = {value for value in old.values if value.kind == kind}
        after = {value for value in new.values if value.kind == kind}
        changed += bool(before - after and after - before)
        added += bool(after - before and not before - after)
        lost += bool(before - after and not after - before)
        same += bool(before & after)
    alone = changed > 0 and set(old.content) == set(new.content)
    return {
        "only_value": float(alone),
        "values_changed_twice": float(changed > 1),
        "value_changed": float(changed > 0),
        "value_added": float(added > 0),
        "value_lost": float(lost > 0),
        "value_same": float(same > 0),
    }


def _names(old: Reading, new: Reading) -> dict[str, float]:
    old_words, new_words = {*old.content, *old.names}, {*new.content, *new.names}
    come, gone = new.names - old_words, old.names - new_words
    return {
        "name_changed": float(bool(come and gone)),
        "name_added": float(bool(come and not gone)),
        "name_lost": float(bool(gone and not come)),
        "name_shared": float(bool(old.names & new.names)),
    }


def _cues(old: Reading, new: Reading) -> dict[str, float]:
    both = {
        f"{cue}_{side}": float(cue in reading.cues)
        for cue in _SHOWN_BY_BOTH
        for side, reading in (("old", old), ("new", new))
    }
    differ = {
        f"{cue}_differs": float((cue in old.cues) != (cue in new.cues)) for cue in ("event", "habit", "plan")
    }
    return (
        both
        | differ
        | {f"{cue}_new": float(cue in new.cues) for cue in _SHOWN_BY_NEW}
        | {"believed_old": float("believed" in old.cues)}
    )


def _subject(old: Reading, new: Reading, alike: Matrix) -> dict[str, float]:
    """Whether both speak of one: the first words of each stand in the other."""
    first_new = alike[0].max(initial=0) if alike.size else 0
    first_old = alike[:, 0].max(initial=0) if alike.size else 0
    return {
        "definite": float(new.tokens[:1] in (("the",), ("#self#",), ("at",), ("in",)) and first_new >= 1),
        "opening_in_old": float(first_new >= 1),
        "opening_in_new": float(first_old >= 1),
        "openings_alike": float(bool(alike.size) and alike[0, 0] >= 1),
        "other_person": float(("said_of_another" in old.cues) != ("said_of_another" in new.cues)),
        "both_of_user": float(old.is_of_user and new.is_of_user),
        "one_of_user": float(old.is_of_user != new.is_of_user),
    }


def _grammar(old: Reading, new: Reading, alike: Matrix) -> dict[str, float]:
    """Tenses, what stands before the verbs, and whether both are for or against something."""
    one, other = old.grammar, new.grammar
    rows = [place for place, word in enumerate(new.content) if word in new.subject]
    columns = [place for place, word in enumerate(old.content) if word in old.subject]
    stranger = bool(rows) and float(alike[rows].max(axis=1, initial=0).min()) < ALIKE
    missing = bool(columns) and float(alike[:, columns].max(axis=0, initial=0).min()) < ALIKE
    conditions = cues.condition(old.low, old.denies), cues.condition(new.low, new.denies)
    attitudes = one.attitude * other.attitude
    contrary = cues.opposed(frozenset(old.content), frozenset(new.content))
    return {
        "past_old": float(one.tense == "past"),
        "past_new": float(other.tense == "past"),
        "past_after_state": float(other.tense == "past" and one.tense in ("present", "ongoing", "")),
        "both_past": float(one.tense == other.tense == "past"),
        "perfect_new": float(other.tense == "perfect"),
        "both_present": float(one.tense == other.tense == "present"),
        "subject_strange": float(stranger),
        "subjects_part": float(stranger and missing),
        "was_object": float(
            bool(new.subject & (set(old.content) - old.subject)) and not new.subject & old.subject
        ),
        "named_was_object": float(bool(new.subject & new.names & (set(old.content) - old.subject))),
        "indefinite_new": float(new.tokens[:1] in (("a",), ("an",), ("another",), ("#self#",))),
        "subject_shared": float(bool(old.subject & new.subject)),
        "subject_same": float(bool(old.subject) and old.subject == new.subject),
        "names_lead_apart": float(
            bool(old.subject & old.names and new.subject & new.names and not old.subject & new.subject)
        ),
        "other_number_first": float(bool(old.titles and new.titles and not old.titles & new.titles)),
        "attitude_same": float(attitudes > 0),
        "attitude_turned": float(attitudes < 0),
        "contradicts": float(
            contrary != (old.denies != new.denies) and (contrary or old.denies != new.denies)
        ),
        "condition_same": float(conditions[0] == conditions[1] != 0),
        "condition_turned": float(conditions[0] * conditions[1] < 0),
        "put_in_order": float(conditions == (-1, 1)),
        "denied_opposite": float(contrary and old.denies != new.denies),
    }


def _mean(values: Matrix) -> float:
    return float(np.mean(values)) if len(values) else 0.0


def _together(m: Mapping[str, float]) -> dict[str, float]:
    """Features that mean something only together."""
    change = max(m["switch_new"], m["no_longer_new"], m["ending_new"], m["now_new"])
    close = m["old_like_new"]
    same_values = 1 - max(m["value_changed"], m["name_changed"])
    return {
        "change": change,
        "change_close": change * close,
        "change_shared": change * m["shared"],
        "course_close": m["course"] * close,
        "course_shared": m["course"] * m["any_shared"],
        "swap_single": m["one_swap"] * max(m["single_old"], m["single_new"]),
        "swap_many": m["one_swap"] * max(m["many_old"], m["many_new"]),
        "swap_akin": m["one_swap"] * m["nearest_of_rest"],
        "value_changed_close": m["value_changed"] * close,
        "value_changed_frame": m["value_changed"] * m["frame"],
        "name_changed_close": m["name_changed"] * close,
        "denial_close": m["denial_differs"] * close,
        "opposed_close": m["opposed"] * close,
        "same_both_ways": min(m["new_like_old"], m["old_like_new"]) * same_values * (1 - m["denial_differs"]),
        "contained": m["new_like_old"]
        * same_values
        * (1 - m["name_added"])
        * (1 - m["value_added"])
        * (1 - m["denial_differs"]),
        "grown": m["old_like_new"] * m["new_more"] * same_values * (1 - change),
        "event_beside_state": m["event_new"] * (1 - m["event_old"]),
        "additive_frame": m["additive_new"] * m["frame"],
        "other_person_frame": m["other_person"] * m["frame"],
        "detail": max(m["name_added"], m["value_added"]) * m["any_shared"] * same_values * (1 - change),
        "contradicts_close": m["contradicts"] * close,
        "attitude_turned_close": m["attitude_turned"] * close,
        "attitude_same_close": m["attitude_same"] * min(m["new_like_old"], m["old_like_new"]),
        "denied_opposite_close": m["denied_opposite"] * close,
        "parted_frame": m["subjects_part"] * m["frame"],
        "parted_course": m["subjects_part"] * max(m["course"], change),
        "apart_change": m["names_lead_apart"] * max(m["course"], change),
        "past_no_change": m["past_after_state"] * (1 - max(change, m["course"])),
        "present_detail": m["both_present"] * m["any_shared"] * same_values * (1 - change),
        "set_apart_frame": m["set_apart"] * m["frame"],
        "set_apart_single": m["set_apart"] * max(m["single_old"], m["single_new"]),
        "set_apart_change": m["set_apart"] * change,
        "only_value_event": m["only_value"] * max(m["event_new"], m["past_new"]),
        "only_value_state": m["only_value"] * max(m["both_present"], m["single_old"], m["single_new"]),
        "strange_course": m["course"] * m["subject_strange"],
        "apart_unshared": max(m["names_lead_apart"], m["other_number_first"]) * (1 - m["name_shared"]),
        "change_because": change * m["because_new"],
        "change_purpose": change * m["purpose_new"],
        "change_strange": max(change, m["course"]) * m["subject_strange"],
        "change_far": max(change, m["course"]) * m["new_far"],
        "change_of_object": max(change, m["course"]) * m["named_was_object"],
        "change_indefinite": max(change, m["course"]) * m["indefinite_new"],
        "change_no_name": max(change, m["course"]) * m["name_added"],
        "course_without_change": m["course"] * (1 - change),
        "condition_turned_close": m["condition_turned"] * close,
        "put_in_order_shared": m["put_in_order"] * m["subject_shared"],
        "condition_denied": m["condition_same"] * m["denial_differs"],
        "condition_denied_close": m["condition_same"] * m["denial_differs"] * close,
        "says_both": m["says_old"] * m["says_new"],
        "changed_same_day": m["same_day"] * max(m["value_changed"], m["name_changed"]),
    }
