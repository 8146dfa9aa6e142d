"""The judges in their order of fallback: the first that answers decides.

What a language model would retire or merge waits for a person where a text speaks to its judge or nobody stands for the
new statement, and the embedded judge, which reads no instructions, does not say the same; elsewhere where that one is sure
that both stand. What it merely does not see, as it reads little and no language but English, holds nothing back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graph_memory.base.errors import NoAnswer
from graph_memory.base.scope import Scope
from graph_memory.judge import language_model
from graph_memory.judge.classify_prompt import undecided
from graph_memory.judge.embedded import EmbeddedJudge
from graph_memory.language.injection import is_suspicious
from graph_memory.model.verdict import Action, Statement, Verdict
from graph_memory.models.chat import has_models, why_unread
from graph_memory.models.settings import ProvidersSettings
from graph_memory.store.service import Service

# So sure the embedded judge must be that both stand to hold back what a model would do.
SURE = 0.9
# The name, among the judges, of a model that has read the talk itself beside what is known.
READING = "reading"


@dataclass(frozen=True)
class Judgement:
    """What was said of each candidate, in order, and who said it. `failed` names those that could not answer."""

    verdicts: tuple[Verdict, ...]
    provider: str
    failed: tuple[str, ...] = ()


def classify(
    service: Service,
    scope: Scope,
    new: Statement,
    candidates: Sequence[Statement],
    within: float,
) -> Judgement:
    """The verdicts of the first judge that answers within `within` seconds; the embedded one always does.

    Where a model answered, but nothing that can be read, the candidates stay undecided: COEXIST, abstained.
    """
    embedded = EmbeddedJudge.of(service)
    if not has_models(service) or not candidates:
        return Judgement(tuple(embedded.classify(new, candidates)), embedded.name)
    try:
        reply = language_model.classify(service, scope, new, candidates, within)
    except NoAnswer as error:
        second = embedded.classify(new, candidates)
        failed = tuple(error.failures)
        unread = why_unread(error)
        if not unread:
            return Judgement(tuple(second), embedded.name, failed)
        left = undecided(candidates, "the model's answer could not be read")
        proposed = tuple(replace(each, proposal=own.action) for each, own in zip(left, second, strict=True))
        return Judgement(proposed, unread[-1], failed)
    verdicts = reply.answer
    if service.settings[ProvidersSettings].second_vote:
        second = embedded.classify(new, candidates)
        pairs = zip(candidates, verdicts, second, strict=True)
        verdicts = tuple(_voted(new, old, one, other) for old, one, other in pairs)
    return Judgement(verdicts, reply.provider)


def confirmed(service: Service, new: Statement, old: Statement, verdict: Verdict) -> Verdict:
    """A model's verdict, or a question to a person where the embedded judge must agree and does not."""
    if verdict.action is Action.COEXIST or not service.settings[ProvidersSettings].second_vote:
        return verdict
    [second] = EmbeddedJudge.of(service).classify(new, [old])
    return _voted(new, old, verdict, second)


def _voted(new: Statement, old: Statement, verdict: Verdict, second: Verdict) -> Verdict:
    """The verdict, or a question to a person with the same confidence."""
    if verdict.action is Action.COEXIST:
        return verdict
    held_back = _objection(new, old, verdict.action, second)
    if not held_back:
        return verdict
    return replace(
        verdict,
        action=Action.COEXIST,
        proposal=verdict.action,
        abstained=True,
        link=None,
        held_back=held_back,
    )


def _objection(new: Statement, old: Statement, action: Action, second: Verdict) -> str:
    """Why a model's verdict needs the second judge's, which did not give it; "" where nothing stands against it.

    Where a text speaks to its judge, the second must say the same; elsewhere it need only lean that way.
    """
    unlike = f"the embedded judge does not say {action.value}"
    if is_suspicious(new.text) or is_suspicious(old.text):
        agrees = second.action is action and not second.abstained
        return "" if agrees else f"a text speaks to its judge, and {unlike}"
    if (second.proposal or second.action) is action:
        return ""
    if not new.is_vouched_for:
        return f"nobody stands for the new statement, and {unlike}"
    is_sure = second.action is Action.COEXIST and not second.abstained and second.confidence >= SURE
    return "the embedded judge is sure that both stand" if is_sure else ""
