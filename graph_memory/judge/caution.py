"""What the embedded judge may do to statements out of a conversation: less than to statements that were written for it.

In talk a sentence leans on others, and most sentences tell what happened. Measured on conversations, its merges put
months and topics together, and it retired what was told as a step on the way ("found a flat" by "moved into the flat").
So of rules alone nothing is merged, and retired is only a statement about the present, from an earlier sitting, that says
one thing, by one that speaks of a change of the same grammatical subject and has a word of its matter in common with it:
what becomes of Ann says nothing of Ann's manager. Links are made where words name them. A change
that it is not sure of, or may not carry out, is left to a person. What else it guesses is no question worth asking: both
stand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graph_memory.base.scope import Scope
from graph_memory.judge import panel
from graph_memory.judge.contrast import says_otherwise
from graph_memory.judge.embedded import EmbeddedJudge
from graph_memory.judge.judges import Classify
from graph_memory.judge.panel import Judgement
from graph_memory.language import grammatical_subjects, patterns
from graph_memory.language.keywords import content, matter
from graph_memory.language.kind_cues import EVENT, PICTURE
from graph_memory.language.names import mentions
from graph_memory.language.times.tense import looks_back
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.verdict import Action, Statement, Verdict
from graph_memory.store.service import Service

_RULES = "embedded"
# Words of matter from which on a statement tells something that one could ask for.
_LEAST_TOLD = 2
# The share of the words of matter of the one that has fewer.
_ENOUGH_SHARED = 0.5
_ONCE_EACH = frozenset({EVENT, PICTURE})
_YOU = patterns.compile(r"\byou(?:r|rs|rself|'\w+)?\b", re.IGNORECASE)
_POINTS = patterns.compile(r"\blike (?:this|that|these|those)\b", re.IGNORECASE)
# What people say when something takes the place of something else.
_CHANGE = patterns.compile(
    r"\b(?:no longer|not any ?more|n't .{0,60}any ?more|instead(?! of)|from now on|moved|switched|replaced|swapped|quit|"
    r"resigned|gave up|given up|changed)\b",
    re.IGNORECASE,
)
# "Now" says so only of what is one thing at a time: who learns German now may play the violin as well.
_NOW = patterns.compile(r"\b(?:now|nowadays|these days)\b", re.IGNORECASE)
_ONE_AT_A_TIME = patterns.compile(
    r"\b(live|work|stay|resid|rent|use|drive|weigh|cost|earn|study|studies|keep|store|host|belong)\w{0,3}\b",
    re.IGNORECASE,
)
_ONE_SLOT = "Both say where the same one lives or works, and the new one speaks of a change."
# What one has one of at a time: two statements of it about one subject are worth a question.
_SLOTS = (
    patterns.compile(
        r"\b(?:liv(?:e|es|ed|ing)|resid(?:e|es|ed|ing)|mov(?:e|es|ed|ing) (?:again|back|out|house|to|from)|based|settled"
        r"|relocated)\b",
        re.IGNORECASE,
    ),
    patterns.compile(
        r"\b(?:work(?:s|ed|ing)? (?:at|for|in|as)|jobs?|started (?:at|as|with)|joined|employed|hired|resigned)\b",
        re.IGNORECASE,
    ),
)
_ENDED = patterns.compile(r"\b(?:no longer|any ?more|used to|quit|resigned|left)\b", re.IGNORECASE)
_PERHAPS = patterns.compile(r"\b(?:again|after all|any ?more|used to|back to)\b", re.IGNORECASE)
# Where words of talk show a link by themselves.
_SHOWS = {
    LinkKind.CAUSES: patterns.compile(
        r"\b(?:that is why|that's why|which is why|because of that|as a result)\b", re.I
    ),
    LinkKind.MOTIVATED_BY: patterns.compile(r"\b(?:because|since|that is why|that's why|so that)\b", re.I),
    LinkKind.INSTANCE_OF: patterns.compile(r"\b(?:for example|for instance|such as)\b", re.I),
}


def in_talk(
    service: Service, scope: Scope, new: Statement, candidates: Sequence[Statement], within: float
) -> Judgement:
    """The panel, whose embedded judge goes by its rules: the linker has read the message beside what is known already."""
    return panel.classify(service, scope, new, candidates, within, EmbeddedJudge(service.embedder))


def cautious(classify: Classify) -> Classify:
    """The same judges, with the verdicts of the embedded one held back where talk misleads it."""

    def judged(
        service: Service, scope: Scope, new: Statement, candidates: Sequence[Statement], within: float
    ) -> Judgement:
        judgement = classify(service, scope, new, candidates, within)
        if judgement.provider != _RULES:
            return judgement
        pairs = zip(candidates, judgement.verdicts, strict=True)
        return replace(judgement, verdicts=tuple(_held_back(new, old, verdict) for old, verdict in pairs))

    return judged


def _held_back(new: Statement, old: Statement, verdict: Verdict) -> Verdict:
    wanted = verdict.proposal or verdict.action
    if wanted is Action.COEXIST and _moves_on(new, old):
        return _asked(verdict, _ONE_SLOT)
    if wanted is Action.COEXIST and verdict.abstained:
        return _beside(verdict)
    if wanted is Action.COEXIST:
        return verdict if _shows(verdict.link, new, old) else replace(verdict, link=None)
    if wanted is Action.DUPLICATE:
        return verdict if not verdict.abstained and says_nothing_new(new, old) else _beside(verdict)
    if wanted is not Action.SUPERSEDE or not _may_tell_a_change(new, old):
        return _beside(verdict)
    is_settled = _is_same_sitting(new, old) or looks_back(old.text)
    if not verdict.abstained and _tells_a_change(new, old) and not is_settled and _is_of_one(new, old):
        return verdict
    if not _is_worth_asking(new, old):
        return _beside(verdict)
    return _asked(verdict, verdict.reason)


def says_nothing_new(new: Statement, old: Statement) -> bool:
    """Whether every word of matter was said before, and neither is something that may happen or be shown twice.

    What tells something also brings no short word of its own ("eat"); and what two people say must name whom it is about.
    Order and mood are the same: from Paris to Lyon is news after from Lyon to Paris.
    """
    if says_otherwise(old.text, new.text):
        return False
    if {new.kind, old.kind} & _ONCE_EACH or not matter(new.text, new.author) <= matter(old.text, old.author):
        return False
    if len(matter(new.text, new.author)) >= _LEAST_TOLD and not content(new.text, new.author) <= content(
        old.text, old.author
    ):
        return False
    return new.author == old.author or _is_about_the_same(new, old)


def _is_about_the_same(new: Statement, old: Statement) -> bool:
    """Whether two people speak of somebody or something by name, not each of what is before them."""
    if any(_YOU.search(each.text) for each in (new, old)):
        return False
    names = ({name.key for name in mentions(each.text)} for each in (new, old))
    return bool(frozenset.intersection(*map(frozenset, names)))


def _may_tell_a_change(new: Statement, old: Statement) -> bool:
    """Whether there is a word of change in it, and a matter that both have; nobody is spoken to, nothing pointed at."""
    is_to_another = _YOU.search(new.text) or _YOU.search(old.text) or _POINTS.search(old.text)
    if is_to_another or not _speaks_of_change(new.text):
        return False
    has_matter = matter(new.text, new.author) & matter(old.text, old.author) or _is_in_one_slot(new, old)
    return bool(has_matter) and any(
        grammatical_subjects.may_be_same(one.subject, other.subject)
        for one in _changing(new)
        for other in grammatical_subjects.clauses(old.text)
    )


def _is_of_one(new: Statement, old: Statement) -> bool:
    """Whether the old one says one thing, and what changes in the new one is of the same grammatical subject."""
    said = [each.subject for each in grammatical_subjects.clauses(old.text)]
    if len(said) != 1 or not said[0]:
        return False
    changing = [each.subject for each in _changing(new)]
    return all(each is not None and grammatical_subjects.is_same(each, said[0]) for each in changing)


def _changing(statement: Statement) -> list[grammatical_subjects.Clause]:
    """The clauses with a word of change, each with the subject that it goes on with; all if none has one."""
    found: list[grammatical_subjects.Clause] = []
    for clause in grammatical_subjects.clauses(statement.text):
        goes_on = clause.subject == () and found
        found.append(replace(clause, subject=found[-1].subject) if goes_on else clause)
    return [each for each in found if _speaks_of_change(each.text)] or found


def _moves_on(new: Statement, old: Statement) -> bool:
    """Whether it tells, sittings later, of a change in what its subject has one of at a time, whatever the words."""
    is_to_another = _YOU.search(new.text) or _YOU.search(old.text)
    if is_to_another or _is_same_sitting(new, old) or new.at <= old.at:
        return False
    changing = (each.text for each in _changing(new))
    return any(map(_speaks_of_change, changing)) and _is_in_one_slot(new, old) and _is_open(old.text)


def _is_open(text: str) -> bool:
    """Whether it does not itself say that something has ended."""
    return not _ENDED.search(text)


def _speaks_of_change(text: str) -> bool:
    return any(words.search(text) for words in (_CHANGE, _NOW, _PERHAPS))


def _is_worth_asking(new: Statement, old: Statement) -> bool:
    """Whether the two have so much of their matter in common that one may well be about the other."""
    one, other = matter(new.text, new.author), matter(old.text, old.author)
    return len(one & other) >= _ENOUGH_SHARED * min(len(one), len(other)) or _is_in_one_slot(new, old)


def _is_in_one_slot(new: Statement, old: Statement) -> bool:
    """Whether both say of one subject what it has one of at a time."""
    parts = [
        (one, other)
        for one in grammatical_subjects.clauses(new.text)
        for other in grammatical_subjects.clauses(old.text)
    ]
    return any(
        slot.search(one.text) and slot.search(other.text)
        for slot in _SLOTS
        for one, other in parts
        if one.subject and other.subject and grammatical_subjects.is_same(one.subject, other.subject)
    )


def _tells_a_change(new: Statement, old: Statement) -> bool:
    """Whether it says that one thing has taken the place of another."""
    is_one_at_a_time = {word.lower() for word in _ONE_AT_A_TIME.findall(new.text)} & {
        word.lower() for word in _ONE_AT_A_TIME.findall(old.text)
    }
    return bool(_CHANGE.search(new.text) or (_NOW.search(new.text) and is_one_at_a_time))


def _shows(link: LinkKind | None, new: Statement, old: Statement) -> bool:
    """Whether the statement names the link in so many words, about something that both have."""
    return link in _SHOWS and bool(
        _SHOWS[link].search(new.text) and matter(new.text, new.author) & matter(old.text, old.author)
    )


def _asked(verdict: Verdict, reason: str) -> Verdict:
    """Both stand, and a person is asked whether the new one takes the place of the old."""
    return replace(
        verdict,
        action=Action.COEXIST,
        abstained=True,
        proposal=Action.SUPERSEDE,
        link=None,
        reason=reason,
    )


def _beside(verdict: Verdict) -> Verdict:
    """Both stand, and nobody is asked."""
    return replace(verdict, action=Action.COEXIST, confidence=0.0, abstained=False, proposal=None, link=None)


def _is_same_sitting(new: Statement, old: Statement) -> bool:
    """Whether one person said both on one day."""
    return new.heading == old.heading
