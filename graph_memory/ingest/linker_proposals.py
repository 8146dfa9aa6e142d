"""What the linker sees in a single statement: where the embedded judge sees no change, it may propose one to a person.

On the pairs of `bench judge`, which neither was made for, 7 of 10 such proposals were right: worth a question, and too
little to retire anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_memory.base.scope import Scope
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.judge import panel
from graph_memory.judge.embedded import EmbeddedJudge
from graph_memory.judge.linker import RETIRES, opened
from graph_memory.judge.linker_input import NOBODY, Known, Utterance
from graph_memory.judge.panel import Judgement
from graph_memory.language.coverage import is_readable
from graph_memory.model.verdict import Action, Statement, Verdict
from graph_memory.store.service import Service


def classify(
    service: Service, scope: Scope, new: Statement, candidates: Sequence[Statement], within: float
) -> Judgement:
    """The panel's judgement, with the linker's proposal for the likeliest candidate where the embedded judge found nothing."""
    judgement = panel.classify(service, scope, new, candidates, within)
    if judgement.provider != EmbeddedJudge.name or not is_readable(new.text):
        return judgement
    if any(each.action is not Action.COEXIST or each.abstained for each in judgement.verdicts):
        return judgement
    settings = service.settings[LinkerSettings]
    asked = candidates[: settings.nearest]
    found = _likeliest(new, asked, settings)
    if found is None:
        return judgement
    place, sure = found
    verdicts = list(judgement.verdicts)
    verdicts[place] = Verdict(
        asked[place].id or "",
        Action.COEXIST,
        sure,
        "It seems to tell what holds now.",
        abstained=True,
        proposal=Action.SUPERSEDE,
        held_back="only the linker sees a change",
    )
    return replace(judgement, verdicts=tuple(verdicts))


def _likeliest(
    new: Statement, candidates: Sequence[Statement], settings: LinkerSettings
) -> tuple[int, float] | None:
    """The place of the candidate that it most likely ends or changes, and how surely; None where that is not likely."""
    known = [Known(each.text, each.author or NOBODY, new.at - each.at) for each in candidates]
    alone, links = opened(settings.model).read(Utterance(new.author or NOBODY, new.text), known)
    best = max(range(len(links)), key=lambda each: links[each].chance, default=None)
    if best is None or links[best].effect not in RETIRES:
        return None
    sure = links[best].retires * alone.states
    return (best, sure) if sure >= settings.retire else None
