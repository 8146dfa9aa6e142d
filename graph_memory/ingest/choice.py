"""From verdicts to one decision: a pure function.

Of all that may act the one that comes first in DUPLICATE, SUPERSEDE, MERGE is taken, among equals the nearest. What
may not act is stored beside what is known, and the best of it becomes a proposal for a person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import floor

from graph_memory.ingest.candidates import Candidate
from graph_memory.judge.guards import Side, objection
from graph_memory.judge.linker import LINKER
from graph_memory.judge.panel import READING
from graph_memory.memory.settings import PipelineSettings
from graph_memory.model.link_kinds import LINKABLE, LinkKind
from graph_memory.model.verdict import Action, Verdict
from graph_memory.models.profiles import Profile

# Strength of the link between coexisting memories; where no judge names one, it is RELATED.
_STRENGTH = 0.8
# From this confidence on a link is made that a judge names which has no measure of its own.
LINK_CONFIDENCE = 0.7
# What changes something known, or leaves the new statement out.
ACTING = frozenset({Action.DUPLICATE, Action.SUPERSEDE, Action.MERGE})
_PRECEDENCE = list(Action)
# What judges that have read the talk may do though names differ: the small one is less sure of what is said twice.
_READ = {LINKER: (Action.SUPERSEDE,), READING: (Action.SUPERSEDE, Action.DUPLICATE)}


@dataclass(frozen=True)
class Judged:
    """A candidate, what a judge said of it, and why that is not done by itself; None when nothing hinders it.

    `is_barred` tells that settings hinder it, so that there is nothing to ask a person about.
    """

    candidate: Candidate
    verdict: Verdict
    provider: str
    hindrance: str | None = None
    is_barred: bool = False

    @property
    def wanted(self) -> Action:
        """What the judge says, or would say if it were sure."""
        return self.verdict.proposal or self.verdict.action

    @property
    def has_read_the_talk(self) -> bool:
        """Whether it comes of what has read a conversation, and has dated the new statement by that."""
        return self.provider in _READ


@dataclass(frozen=True)
class Join:
    """A link from the new memory to a candidate, or with `from_candidate` the other way."""

    candidate: Candidate
    kind: LinkKind
    confidence: float
    strength: float
    reason: str
    from_candidate: bool = False


@dataclass(frozen=True)
class Choice:
    """What is done: `action` None stores a statement that nothing known comes near.

    `proposal` is what was wanted instead and is not done; `asks` tells that a person is asked about it.
    """

    action: Action | None
    chosen: Judged | None = None
    proposal: Judged | None = None
    asks: bool = False
    joins: tuple[Join, ...] = ()

    @property
    def reason(self) -> str:
        """Why, in words."""
        if self.action is None and self.proposal is None:
            return ""
        if self.proposal is not None and self.proposal.wanted is Action.COEXIST:
            return f"Undecided: {self.proposal.hindrance}. {self.proposal.verdict.reason}".strip()
        if self.proposal is not None:
            wanted = self.proposal.wanted.value
            return f"{wanted} was not done: {self.proposal.hindrance}. {self.proposal.verdict.reason}".strip()
        return self.chosen.verdict.reason if self.chosen else ""

    @property
    def confidence(self) -> float | None:
        judged = self.proposal or self.chosen
        return judged.verdict.confidence if judged else None

    @property
    def provider(self) -> str | None:
        judged = self.proposal or self.chosen
        return judged.provider if judged else None


def weigh(
    candidate: Candidate,
    verdict: Verdict,
    provider: str,
    new: Side,
    pipeline: PipelineSettings,
    acts_from: float | None = None,
) -> Judged:
    """A verdict with what hinders it: settings, doubt, guards.

    `acts_from`: how sure this judge must be to act by itself, where that is known.
    """
    judged = Judged(candidate, verdict, provider)
    barred = _barred(judged.wanted, pipeline)
    if barred:
        return replace(judged, hindrance=barred, is_barred=True)
    return replace(judged, hindrance=_doubt(verdict, pipeline, provider, acts_from) or _guarded(judged, new))


def choose(judged: Sequence[Judged], profile: Profile) -> Choice:
    """The one decision for all candidates."""
    if not judged:
        return Choice(None)
    able = [each for each in judged if each.hindrance is None and each.wanted is not Action.COEXIST]
    if able:
        best = min(able, key=_rank)
        return Choice(best.wanted, chosen=best)
    joins = _joins(judged, profile)
    held_back = [each for each in judged if each.hindrance is not None]
    if held_back:
        best = min(held_back, key=_rank)
        return _coexist(best, joins)
    return Choice(Action.COEXIST, chosen=max(judged, key=lambda each: each.candidate.cosine), joins=joins)


def instead(choice: Choice, hindrance: str, judged: Sequence[Judged], profile: Profile) -> Choice:
    """The choice when what was chosen turns out not to be possible."""
    assert choice.chosen is not None
    others = [each for each in judged if each.candidate.id != choice.chosen.candidate.id]
    held_back = replace(choice.chosen, hindrance=hindrance)
    return _coexist(held_back, _joins(others, profile))


def _coexist(held_back: Judged, joins: tuple[Join, ...]) -> Choice:
    said = held_back.verdict.link
    own = Join(
        held_back.candidate,
        said if said in LINKABLE and said is not None else LinkKind.RELATED,
        held_back.verdict.confidence,
        _STRENGTH,
        f"Perhaps {held_back.wanted.value}: {held_back.verdict.reason}",
    )
    known = {join.candidate.id for join in joins}
    # What a judge proposes for the two shows that they have to do with each other.
    proposes = held_back.wanted is not Action.COEXIST and held_back.candidate.id not in known
    all_joins = (own, *joins) if proposes else joins
    # Where nothing else is proposed than what is done, there is nothing for a person to decide.
    asks = not held_back.is_barred and held_back.wanted is not Action.COEXIST
    return Choice(Action.COEXIST, proposal=held_back, asks=asks, joins=all_joins)


def _rank(judged: Judged) -> tuple[int, float]:
    return _PRECEDENCE.index(judged.wanted), -judged.candidate.cosine


def _near(judged: Judged, profile: Profile) -> float:
    """From which cosine on two statements are linked unasked."""
    return profile.headed if judged.candidate.heading else profile.related


def _barred(action: Action, pipeline: PipelineSettings) -> str | None:
    switches = {
        Action.MERGE: ("enable_merge", pipeline.enable_merge),
        Action.SUPERSEDE: ("enable_supersede", pipeline.enable_supersede),
    }
    name, is_on = switches.get(action, ("", True))
    return None if is_on else f"the setting pipeline.{name} is off"


def _doubt(
    verdict: Verdict, pipeline: PipelineSettings, provider: str, acts_from: float | None
) -> str | None:
    if verdict.held_back:
        return verdict.held_back
    if verdict.abstained:
        return _abstained(verdict, acts_from)
    if verdict.action is Action.COEXIST or provider == LINKER:
        return None
    if verdict.confidence <= pipeline.confidence:
        return f"the judge's confidence of {verdict.confidence:.2f} is not above {pipeline.confidence:.2f}"
    return None


def _abstained(verdict: Verdict, acts_from: float | None) -> str:
    """Why, as far as it is known; nothing that is below a measure is rounded up to it."""
    if verdict.proposal is None or not verdict.confidence:
        return "the judge abstained"
    sure = f"{floor(100 * verdict.confidence) / 100:.2f}"
    if acts_from is None:
        return f"the judge abstained, {sure} sure"
    if verdict.confidence < acts_from:
        return f"the judge abstained: it was {sure} sure, and acts by itself from {acts_from:.2f} on"
    return f"the judge was {sure} sure, and leaves this to a person all the same"


def _guarded(judged: Judged, new: Side) -> str | None:
    old = judged.candidate
    side = Side(old.text, old.author, old.source_kind, old.labels)
    return objection(judged.wanted, new, side, judged.wanted in _READ.get(judged.provider, ()))


def _joins(judged: Sequence[Judged], profile: Profile) -> tuple[Join, ...]:
    """Links to those that the judge linked, and to the nearest where it is near enough by itself."""
    named = {
        each.candidate.id: Join(
            each.candidate,
            each.verdict.link,
            each.verdict.confidence,
            _STRENGTH,
            each.verdict.reason,
            each.verdict.link_from_candidate,
        )
        for each in judged
        if each.verdict.link in LINKABLE and each.verdict.link is not None
        if each.verdict.confidence >= LINK_CONFIDENCE or each.verdict.is_sure_of_link
        if not each.verdict.abstained
    }
    nearest = max(judged, key=lambda each: each.candidate.cosine, default=None)
    if nearest and nearest.candidate.id not in named and nearest.candidate.cosine >= _near(nearest, profile):
        cosine = min(1.0, nearest.candidate.cosine)
        reason = f"The nearest known statement, at a cosine of {cosine:.2f}."
        named[nearest.candidate.id] = Join(nearest.candidate, LinkKind.RELATED, cosine, _STRENGTH, reason)
    return tuple(named[each.candidate.id] for each in judged if each.candidate.id in named)
