"""What a model that has read a conversation says of known memories, as verdicts for the pipeline.

It has seen the known memories beside the messages, so no second question is asked about those: what it names as changed is
changed, if nothing speaks against it, and the others stand. A judge is asked about what it was not shown.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from graph_memory.base.scope import Scope
from graph_memory.ingest.extract_answer import Found
from graph_memory.judge import panel
from graph_memory.judge.judges import Classify, is_among
from graph_memory.judge.panel import READING, Judgement
from graph_memory.language.texts import normalised
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.verdict import Action, Effect, Statement, Verdict
from graph_memory.store.service import Service

_ACTIONS = {
    Effect.REPEATS: Action.DUPLICATE,
    Effect.EXTENDS: Action.MERGE,
    Effect.CHANGES: Action.SUPERSEDE,
    Effect.CORRECTS: Action.SUPERSEDE,
    Effect.ENDS: Action.SUPERSEDE,
}
_LINKS = {Effect.ADDS: LinkKind.EXPANDS, Effect.DISPUTES: LinkKind.CONFLICTS}


def verdict_of(found: Found) -> Verdict | None:
    """The verdict on the known memory that a statement is about; None where it is about none."""
    if found.known is None or found.effect is None:
        return None
    action = _ACTIONS.get(found.effect, Action.COEXIST)
    text = found.text if action is Action.MERGE else None
    return Verdict(found.known, action, found.sure, found.reason, _LINKS.get(found.effect), text)


def judged(found: Sequence[Found], shown: Collection[str], otherwise: Classify) -> Classify:
    """The model's word on what it was `shown` and on its own statements; the judge `otherwise` on anything else.

    Where it names what is changed, the others stand, as long as that is among those that are asked about.
    """
    verdicts = {normalised(each.text): verdict_of(each) for each in found}

    def classify(
        service: Service, scope: Scope, new: Statement, candidates: Sequence[Statement], within: float
    ) -> Judgement:
        said = verdicts.get(normalised(new.text))
        told = {
            place: panel.confirmed(service, new, each, _on(said, each))
            for place, each in enumerate(candidates)
            if each.id in shown or normalised(each.text) in verdicts
        }
        acts = said is not None and said.action is not Action.COEXIST and is_among(said, candidates)
        others = [each for place, each in enumerate(candidates) if place not in told]
        if acts or not others:
            return Judgement(tuple(_all(told, [_stands(each) for each in others])), READING)
        asked = otherwise(service, scope, new, others, within)
        return replace(asked, verdicts=tuple(_all(told, asked.verdicts)))

    return classify


def _on(said: Verdict | None, candidate: Statement) -> Verdict:
    return said if said is not None and said.candidate == candidate.id else _stands(candidate)


def _stands(candidate: Statement) -> Verdict:
    return Verdict(
        candidate.id or "", Action.COEXIST, 1.0, "It stands beside it, to a model that has read both."
    )


def _all(told: dict[int, Verdict], others: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts in the order of the candidates."""
    rest = iter(others)
    return [told[place] if place in told else next(rest) for place in range(len(told) + len(others))]
