"""Which long memories are better as several statements, or in fewer words. Nothing is written but that one was declined.

Without a language model a memory is split where a parser proves that its sentences stand alone and tell of separate things.
With one, it proposes and another reviews; what loses or adds a number, a name, a denial or a word of matter is declined.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from graph_memory.base.errors import Invalid, NoAnswer
from graph_memory.base.scope import Scope
from graph_memory.ingest.same_said import fault_of
from graph_memory.jobs.context import Context
from graph_memory.language import analysis
from graph_memory.language.grounding import ungrounded
from graph_memory.language.separate_statements import separate
from graph_memory.language.short_answers import answered_by, telling_words
from graph_memory.ledger.activity import zone_of
from graph_memory.memory.merged_text import lost
from graph_memory.memory.screening import ALARMING, screened
from graph_memory.memory.settings import ScreeningSettings, TextsSettings
from graph_memory.model.purpose import Purpose
from graph_memory.models import review_prompt
from graph_memory.models.chat import ask, use_of
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service
from graph_memory.upkeep import refine_prompt
from graph_memory.upkeep.settings import RefinementSettings
from graph_memory.upkeep.shown_memory import shown

VERBOSE = query("consolidation/verbose")
DECLINED = query("consolidation/refinement_declined")

PARSED = "Its sentences stand alone and tell of separate things."
PARSER = "parser"
# So many are read; the parser looks at all of them, a language model at `refinement.candidates`.
_MOST_READ = 500


@dataclass(frozen=True)
class Refinement:
    """A memory, as loaded, and the statements that say what it says: one in fewer words, or several."""

    memory: Row
    statements: tuple[str, ...]
    reason: str
    confidence: float
    judge: str

    @property
    def ids(self) -> tuple[str, ...]:
        return (self.memory["id"],)


def keeps_original(rules: RefinementSettings, statements: Sequence[str]) -> bool:
    """Whether a memory stays active beside the statements that it was split into, or the one that says it shorter."""
    return (rules.split_original if len(statements) > 1 else rules.trim_original) == "keep"


def verbose(service: Service, scope: Scope) -> list[Row]:
    """The memories of a subject that may be refined, the longest first."""
    rules, now = service.settings[RefinementSettings], service.clock()
    rows = service.read(
        scope,
        VERBOSE,
        subject=scope.subject,
        chars=rules.chars,
        accesses=rules.accesses,
        born_by=now - timedelta(days=rules.age),
        stable_since=now - timedelta(days=rules.stable),
        refined_by=now - timedelta(days=rules.cooldown),
        rejections=rules.rejections,
        most=_MOST_READ,
    )
    return [row["memory"] for row in rows]


def refinements(
    context: Context, scope: Scope, rows: list[Row], *, asks_models: bool, declined: list[str]
) -> Iterator[Refinement]:
    """What becomes of them, one after the other; those that were declined by a model are added to `declined`."""
    asked, most = 0, context.service.settings[RefinementSettings].candidates
    for done, row in enumerate(rows):
        context.progress(done, len(rows), "refine")
        if ALARMING & set(row.get("labels") or ()):
            continue
        if parts := separate(row["text"]):
            yield Refinement(row, parts, PARSED, 1.0, PARSER)
        elif asks_models and asked < most:
            asked += 1
            try:
                found = _proposed(context.service, scope, row)
            except NoAnswer:
                continue
            if found is None:
                declined.append(row["id"])
            else:
                yield found


def decline(context: Context, scope: Scope, ids: list[str]) -> None:
    """Counts a rejection of each."""
    if ids:
        now = context.service.clock()
        context.write(lambda tx: tx.run(DECLINED, ids=ids, subject=scope.subject, now=now))


def _proposed(service: Service, scope: Scope, row: Row) -> Refinement | None:
    """What one model proposes and another approves; None for nothing. NoAnswer while the first cannot be asked."""
    text = row["text"]
    reply = ask(
        service,
        scope,
        refine_prompt.prompt(shown(row, zone_of(service, scope))),
        use_of(service.settings, Purpose.CLASSIFY).timeout,
    )
    given = reply.answer
    statements = _screened(service, given.statements)
    if not statements or fault(statements, row, service.settings[TextsSettings].max_length):
        return None
    try:
        review = review_prompt.prompt([text], "\n".join(statements), given.reason, [row.get("heading") or ""])
        reviewed = ask(service, scope, review, use_of(service.settings, Purpose.REVIEW).timeout).answer
    except NoAnswer:
        return None
    if not reviewed.approved:
        return None
    return Refinement(row, statements, given.reason, given.confidence, reply.provider)


def fault(statements: tuple[str, ...], row: Row, longest: int) -> str | None:
    """Why statements cannot stand for a memory; None when they say what it says, and nothing that it does not."""
    said, whole = "\n".join(statements), str(row["text"])
    if any(not each.strip() or len(each) > longest for each in statements):
        return "a statement is empty or too long"
    if ungrounded(said, [whole, row.get("source_author") or ""]):
        return "a statement has a number, a date or a name that the memory does not have"
    if len(statements) > 1:
        return _fault_of_split(said, row, max(longest, len(said)))
    if len(said) >= len(whole):
        return "the statement is no shorter"
    return _fault_of_trim(said, whole)


def _fault_of_split(said: str, row: Row, longest: int) -> str | None:
    """Of a question that was answered only numbers and names must stay: the statements say what it comes to.

    Those that they have, of the question or of who said it, are no more than is known: `ungrounded` has looked.
    """
    whole = str(row["text"])
    if _lost(said, whole):
        return "the statements lose a number or a name"
    answer = telling_words(whole)
    known = ", ".join(lost(answer, said))
    return fault_of(said, [{**row, "text": f"{known}. {answer}" if known else answer}], longest)


def _lost(said: str, whole: str) -> set[str]:
    """The numbers and names that are missing; who answered a question may be."""
    return set(lost(said, whole)) - {answered_by(whole)}


def _fault_of_trim(said: str, whole: str) -> str | None:
    """That somebody asked somebody may go; a number, a name, a denial or a condition may not."""
    if _lost(said, whole):
        return "the statement loses a number or a name"
    before, after = analysis.read(whole), analysis.read(said)
    if not before.values <= after.values:
        return "the statement loses a value"
    if before.denies != after.denies:
        return "the statement denies what the memory does not, or the other way round"
    return None


def _screened(service: Service, statements: tuple[str, ...]) -> tuple[str, ...]:
    rules: Any = service.settings[ScreeningSettings]
    try:
        return tuple(screened(rules, each, "text").text for each in statements)
    except Invalid:
        return ()
