"""One statement on its way in: from its candidates to what is done with it. Nothing is read or written."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from graph_memory.base.errors import Invalid
from graph_memory.ingest.application import Decided
from graph_memory.ingest.candidates import Candidate
from graph_memory.ingest.choice import ACTING, Choice, Judged, choose, instead, weigh
from graph_memory.ingest.outcome import seen, weighed
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.ingest.thresholds import profile_of
from graph_memory.judge.embedded import ACTS, EmbeddedJudge
from graph_memory.judge.guards import Side
from graph_memory.judge.judges import Said
from graph_memory.judge.linker import LINKER
from graph_memory.language import characters, texts
from graph_memory.memory.addition import Prepared
from graph_memory.memory.merged_text import merged_text
from graph_memory.memory.settings import PipelineSettings
from graph_memory.model.memory import SourceKind, Trust, trust_of
from graph_memory.model.verdict import Action, Statement, Verdict
from graph_memory.store.service import Row, Service

Judge = Callable[[Statement, Sequence[Statement]], list[Said]]
# The node's properties that a text leads to, from the text and its heading; None when there is no time to embed it.
Embed = Callable[[str, str], Row | None]

SAME_WORDS = "The same words."
ASKS_TO_FORGET = "It asks that this be forgotten."
# Who proposes what an order asks for.
ORDERS = "orders"


def looks(service: Service, item: Prepared) -> bool:
    """Whether a statement is compared with what is known: only one that holds or will hold."""
    return service.settings[PipelineSettings].enabled and item.properties["live_key"] is not None


def decided(
    service: Service,
    item: Prepared,
    candidates: Sequence[Candidate],
    judge: Judge,
    embed: Embed,
    hindrance: str | None,
) -> Decided:
    """The decision in view of these candidates; `hindrance` tells why what was decided before could not be done."""
    pipeline = service.settings[PipelineSettings]
    profile = profile_of(service.embedder.model, pipeline)
    judged = sorted(_judged(service, item, candidates, judge), key=lambda each: -each.candidate.cosine)
    choice = choose(judged, profile)
    merged, fault = _merged(service, item, choice, embed)
    fault = hindrance if hindrance and choice.action in ACTING else fault
    if fault is not None:
        choice, merged = instead(choice, fault, judged, profile), None
    return Decided(choice, tuple(weighed(each) for each in judged), merged)


def forgetting(item: Prepared, candidates: Sequence[Candidate]) -> Decided:
    """The decision on an order to forget: a person is asked about the first of the candidates, which it is likely about.

    What nobody stands for asks for nothing.
    """
    if not candidates or not _statement(item).is_vouched_for:
        return Decided(Choice(None), ())
    target = candidates[0]
    verdict = Verdict(target.id, Action.FORGET, round(max(0.0, min(1.0, target.cosine)), 4), ASKS_TO_FORGET)
    proposal = Judged(target, verdict, ORDERS, hindrance="only a person makes it forget")
    return Decided(Choice(None, proposal=proposal, asks=True), (seen(target),))


def observed(item: Prepared, candidates: Sequence[Candidate]) -> Decided:
    """The decision where the caller judges: only the very same words are not stored twice."""
    same = next((each for each in candidates if _is_same(item, each)), None)
    shown = tuple(seen(each) for each in sorted(candidates, key=lambda each: -each.cosine))
    if same is not None:
        return Decided(Choice(Action.DUPLICATE, chosen=_same(same)), shown)
    return Decided(Choice(Action.COEXIST if candidates else None), shown)


def _judged(service: Service, item: Prepared, candidates: Sequence[Candidate], judge: Judge) -> list[Judged]:
    """What is said of the candidates, all in one call; the very same words need no judge."""
    same = [candidate for candidate in candidates if _is_same(item, candidate)]
    if same or not candidates:
        return [_same(candidate) for candidate in same]
    said = judge(_statement(item), [each.statement for each in candidates])
    pipeline = service.settings[PipelineSettings]
    acts_from = {
        LINKER: service.settings[LinkerSettings].retire,
        EmbeddedJudge.name: max(ACTS, pipeline.confidence),
    }
    return [
        weigh(candidate, verdict, provider, _side(item), pipeline, acts_from.get(provider))
        for candidate, (verdict, provider) in zip(candidates, said, strict=True)
    ]


def _merged(service: Service, item: Prepared, choice: Choice, embed: Embed) -> tuple[Row | None, str | None]:
    """What the merged text leads to, or why there can be none."""
    if choice.action is not Action.MERGE or choice.chosen is None:
        return None, None
    old = choice.chosen.candidate
    try:
        found = merged_text(service.settings, old.text, _text(item), choice.chosen.verdict.text)
    except Invalid:
        return None, "the merged text is empty, too long, or may not be kept"
    if found.fault is not None:
        return None, found.fault
    merged = embed(found.text, old.heading)
    return merged, None if merged else "there was no time to merge under the lock"


def _is_same(item: Prepared, candidate: Candidate) -> bool:
    """Whether it is the same statement in the same words; the same words about another day are another."""
    is_of_the_time = item.properties["happens_at"] in (None, candidate.happens_at)
    is_of_the_kind = candidate.kind == item.properties["kind"]
    return (
        is_of_the_time
        and is_of_the_kind
        and texts.normalised(candidate.text) == texts.normalised(_text(item))
    )


def _same(candidate: Candidate) -> Judged:
    return Judged(candidate, Verdict(candidate.id, Action.DUPLICATE, 1.0, SAME_WORDS), "none")


def _statement(item: Prepared) -> Statement:
    properties = item.properties
    vector = properties["embedding"]
    return Statement(
        None,
        characters.readable(_text(item)),
        properties["valid_from"],
        properties["source_author"],
        properties["kind"],
        properties["heading"],
        tuple(vector) if vector else None,
        is_vouched_for=trust_of(SourceKind(properties["source_kind"]), None) is not Trust.UNVERIFIED,
        said_at=item.said_at,
        happens_at=properties["happens_at"],
    )


def _side(item: Prepared) -> Side:
    properties = item.properties
    labels = tuple(properties["labels"] or ())
    return Side(_text(item), properties["source_author"], SourceKind(properties["source_kind"]), labels)


def _text(item: Prepared) -> str:
    return str(item.properties["text"])
