"""The judges in their order of fallback: the first that answers decides.

A language model retires or merges nothing that the embedded judge is sure has nothing to do with it: that waits for a
person. So a text that talks a model into a verdict needs a second judge that reads no instructions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graph_memory.errors import NoAnswer
from graph_memory.judging import asked
from graph_memory.judging.embedded import EmbeddedJudge
from graph_memory.judging.verdict import Action, Statement, Verdict
from graph_memory.prompts.classify import undecided
from graph_memory.providers.asking import has_models, why_unread
from graph_memory.screening.suspicion import is_suspicious
from graph_memory.service import Service
from graph_memory.tenancy import Scope

_SURE = 0.8


@dataclass(frozen=True)
class Judgement:
    """What was said of each candidate, in order, and who said it. `failed` names those that could not answer."""

    verdicts: tuple[Verdict, ...]
    provider: str
    failed: tuple[str, ...] = ()


def classify(
    service: Service, scope: Scope, new: Statement, candidates: Sequence[Statement], within: float
) -> Judgement:
    """The verdicts of the first judge that answers within `within` seconds; the embedded one always does.

    Where a model answered, but nothing that can be read, the candidates stay undecided: COEXIST, abstained.
    """
    embedded = EmbeddedJudge(service.embedder)
    if not has_models(service) or not candidates:
        return Judgement(tuple(embedded.classify(new, candidates)), embedded.name)
    try:
        reply = asked.classify(service, scope, new, candidates, within)
    except NoAnswer as error:
        rules = embedded.classify(new, candidates)
        failed = tuple(error.failures)
        unread = why_unread(error)
        if not unread:
            return Judgement(tuple(rules), embedded.name, failed)
        left = undecided(candidates, "the model's answer could not be read")
        proposed = tuple(replace(each, proposal=rule.action) for each, rule in zip(left, rules, strict=True))
        return Judgement(proposed, unread[-1], failed)
    verdicts = reply.answer
    if service.settings.providers.second_vote:
        second = embedded.classify(new, candidates)
        pairs = zip(candidates, verdicts, second, strict=True)
        verdicts = tuple(_voted(new, old, one, other) for old, one, other in pairs)
    return Judgement(verdicts, reply.provider)


def _voted(new: Statement, old: Statement, verdict: Verdict, second: Verdict) -> Verdict:
    """The verdict, or none where the second judge is sure of the contrary.

    Where a text speaks to its judge, the second must say the same. Where nobody stands for the new statement, it must
    at least lean that way.
    """
    if verdict.action is Action.COEXIST:
        return verdict
    if is_suspicious(new.text) or is_suspicious(old.text):
        is_held = second.abstained or second.action is not verdict.action
    elif not new.is_vouched_for:
        is_held = (second.proposal or second.action) is not verdict.action
    else:
        is_held = second.action is Action.COEXIST and not second.abstained and second.confidence > _SURE
    if not is_held:
        return verdict
    return Verdict(
        verdict.candidate,
        Action.COEXIST,
        0.0,
        f"the model says {verdict.action.value}, the embedded judge does not",
        abstained=True,
        proposal=verdict.action,
        text=verdict.text,
    )
