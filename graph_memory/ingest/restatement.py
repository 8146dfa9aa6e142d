"""What says again what is known, so that no judge need be asked. Likeness alone decides nothing: values must agree."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import SequenceMatcher

from graph_memory.base.scope import Scope
from graph_memory.judge.contrast import says_otherwise
from graph_memory.judge.embedded import EmbeddedJudge
from graph_memory.judge.guards import Side, objection
from graph_memory.judge.judges import Classify
from graph_memory.judge.likeness import cosine, tells_of_another_day
from graph_memory.judge.panel import Judgement
from graph_memory.language.analysis import read
from graph_memory.language.kind_cues import EVENT, PICTURE
from graph_memory.language.texts import normalised
from graph_memory.model.memory import SourceKind
from graph_memory.model.verdict import Action, Statement, Verdict
from graph_memory.models import profiles
from graph_memory.store.service import Service

# Share of equal characters from which a statement repeats a known one, all values equal.
FUZZY = 0.95
_WORTH_COUNTING = 0.9
# Counting takes time with the square of the length.
_LONGEST = 1000
REPEATED = "It says nearly the same, with the same values."


def unless_repeated(classify: Classify, exempt: Collection[str] = ()) -> Classify:
    """The judge, who is not asked about a statement that repeats a candidate. `exempt` are texts that never count so.

    Repeated is what has the same words of matter and FUZZY of its characters in common, or the cosine of the embedding model's
    profile while the embedded judge says that it is the same. Never where a number, date,
    name, denial, mood or the order of words differs, and never of events and pictures, or of another day: those may well be
    several.
    """

    others = {normalised(each) for each in exempt}

    def judged(
        service: Service, scope: Scope, new: Statement, candidates: Sequence[Statement], within: float
    ) -> Judgement:
        if normalised(new.text) not in others:
            repeated = next((each for each in candidates if _repeats(service, new, each)), None)
            if repeated is not None:
                return Judgement(tuple(_verdict(each, repeated) for each in candidates), "likeness")
        return classify(service, scope, new, candidates, within)

    return judged


def alike(one: str, other: str) -> float:
    """The share of equal characters, 0 to 1: twice the common ones by the length of both (Ratcliff and Obershelp).

    What cannot come to nine tenths is not counted out; then it is an upper bound. Of long texts only equal ones are alike.
    """
    if max(len(one), len(other)) > _LONGEST:
        return float(normalised(one) == normalised(other))
    matcher = SequenceMatcher(None, normalised(one), normalised(other), autojunk=False)
    for bound in (matcher.real_quick_ratio, matcher.quick_ratio):
        if bound() < _WORTH_COUNTING:
            return bound()
    return matcher.ratio()


def _repeats(service: Service, new: Statement, old: Statement) -> bool:
    if {new.kind, old.kind} & {EVENT, PICTURE} or tells_of_another_day(new, old):
        return False
    if not _is_near(service, new, old):
        return False
    return objection(Action.DUPLICATE, _side(new), _side(old)) is None


def _is_near(service: Service, new: Statement, old: Statement) -> bool:
    if alike(new.text, old.text) >= FUZZY and set(read(new.text).content) == set(read(old.text).content):
        return not says_otherwise(old.text, new.text)
    if cosine(new, old) < profiles.of(service.embedder.model).duplicates:
        return False
    [second] = EmbeddedJudge.of(service).classify(new, [old])
    return second.action is Action.DUPLICATE


def _verdict(candidate: Statement, repeated: Statement) -> Verdict:
    if candidate is repeated:
        return Verdict(candidate.id or "", Action.DUPLICATE, 1.0, REPEATED)
    return Verdict(candidate.id or "", Action.COEXIST, 1.0, "It was not looked at: another says the same.")


def _side(statement: Statement) -> Side:
    return Side(statement.text, statement.author, SourceKind.USER)
