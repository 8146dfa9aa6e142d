"""From a message to its statements, by rules: the same words give the same answer.

All that was said is told in the speaker's own words, with the speaker's name for I and my, one statement for each
independent clause. Which of them are kept is decided elsewhere (`keeping.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import zip_longest

from graph_memory.ingest.when import when
from graph_memory.language import (
    clauses,
    kind_cues,
    others_words,
    patterns,
    quotation_marks,
    sentences,
    short_answers,
    unsaid_subjects,
    values,
)
from graph_memory.language.english import MONTHS
from graph_memory.language.enough_said import says_enough
from graph_memory.language.own_output import without_own
from graph_memory.language.second_person import addressed
from graph_memory.language.third_person import in_third_person
from graph_memory.language.unsaid_subjects import About
from graph_memory.model.message import Message

MAX_LENGTH = 400
LONGEST = 2000

_LEANING = patterns.compile(
    r"(?:it|its|it's|that|that's|this|these|those|they|they're|their|them|he|he's|she|she's|his|her|there|"
    r"so|because|then|which|or|otherwise|instead|both|same|such|all|even|though|although|like|not|with|"
    r"for example|for instance|after that|since then|in fact)\b",
    re.IGNORECASE,
)
# What opens a sentence and says nothing, and whom it greets: "Hi Ben!", "oh no,". "Great food," says something, and so does
# a word behind yes: "Yes married."
_LEAD = patterns.compile(
    r"(?:(?:oh|ah|wow|well|hey|hi|ha(?:ha)*|a+w+|ok|okay|anyway|by the way)(?: [a-z]\w+)?"
    r"|(?:yeah|yep|yup|yes)(?: (?:yeah|yep|yup|yes|please|pls|(?P<called>[a-z]\w+)))?|so|great|cool|awesome)[,.!…]+\s+",
    re.IGNORECASE,
)
_FEW_WORDS = 4
# Who says more at once writes no message in haste, and leaves no subject out.
_MOST_SENTENCES = 30


@dataclass(frozen=True)
class Statement:
    """One thing that somebody stated. `happens_at` is the moment it speaks of, where that is certain, in UTC.

    `expires_at` is when it stops mattering, where that was said.
    `kind` is one open word: fact, event, plan, decision, preference, picture. `ref` names the message. `said` is what it was
    told of, in the speaker's own words.
    """

    text: str
    speaker: str
    said_at: datetime
    happens_at: datetime | None
    kind: str
    ref: str | None
    expires_at: datetime | None = None
    said: str = ""


def extract(message: Message, previous: Sequence[Message] = ()) -> list[Statement]:
    """The statements of a message, in its order; [] if it holds none.

    `previous` are the messages before it in the same sitting, oldest first: the last of them may hold the
    question that this one answers. Text of our own packs is left out, and so is what is too short to state anything.
    """
    kept = _kept(without_own(message.text), message, previous)
    found = [piece for group in _groups(kept) for piece in _pieces(_statement(group, message))]
    if message.caption:
        found = _with_picture(found, _picture(message.caption, message))
    return [statement for statement in found if says_enough(statement.text)]


def heading(speaker: str, at: datetime) -> str:
    """Who said something when, as in "Caroline (8 May 2023)"."""
    return f"{speaker} ({at.day} {MONTHS[at.month - 1]} {at.year})"


@dataclass(frozen=True)
class _Sentence:
    """A sentence to keep: as it was said, and as it will stand in the memory."""

    said: str
    text: str
    leans: bool


def _kept(text: str, message: Message, previous: Sequence[Message]) -> list[_Sentence]:
    said = [piece for sentence in _said(text, message.speaker) for piece in cut(sentence)]
    carried = _carried(said, message, previous) if said else None
    kept = [_Sentence(said[0], carried, False)] if carried else []
    told = _with_subjects(said, message, previous)[bool(carried) :]
    people = _people(message, previous)
    stated = [sentence for sentence in told if _without_lead(f"{sentence} ", people)] or told
    listener = _listener(message, previous)
    pieces = _independent(stated, message, people)
    return kept + [_sentence(piece, message.speaker, listener, people) for piece in pieces]


def _said(text: str, speaker: str) -> list[str]:
    """The sentences of a text. What somebody else said stays with who said it: a line of theirs is one sentence."""
    found, is_led_to = list[str](), False
    for line in quotation_marks.lines(patterns.on_one_blank(text)):
        is_of_another = any(map(str.isalnum, line)) and others_words.is_line_of_another(line, speaker)
        for sentence in [line.strip()] if is_of_another else sentences.split(line):
            plain = sentence.replace("\n", " ")
            if is_led_to:
                found[-1] += f" {plain}"
            else:
                found.append(plain)
            is_led_to = others_words.leads_to_words(sentence, speaker)
    return found


def _with_subjects(said: Sequence[str], message: Message, previous: Sequence[Message]) -> list[str]:
    """The sentences, with I in those that leave out that it is the speaker of whom they tell."""
    if len(said) > _MOST_SENTENCES:
        return list(said)
    found, people = list[str](), _people(message, previous)
    for sentence in said:
        is_of_another = others_words.is_line_of_another(sentence, message.speaker)
        told = None if is_of_another else unsaid_subjects.with_i(_without_lead(sentence, people))
        about = _about_before(found, message, previous) if told else About.OTHERS
        is_own = told is not None and (about is About.SPEAKER or (told.is_sure and about is About.NOBODY_YET))
        found.append(told.text if told and is_own else sentence)
    return found


def _about_before(said: Sequence[str], message: Message, previous: Sequence[Message]) -> About:
    """Of whom what was said before in the message may tell, or else in the one before it."""
    if said:
        return unsaid_subjects.about(said[-1])
    before = sentences.split(previous[-1].text)[-1:] if previous else []
    if not before:
        return About.NOBODY_YET
    if previous[-1].speaker == message.speaker:
        return unsaid_subjects.about(before[0])
    is_asked = before[0].endswith("?")
    return About.OTHERS if is_asked and not unsaid_subjects.asks_of_you(before[0]) else About.NOBODY_YET


def _independent(stated: Sequence[str], message: Message, people: frozenset[str]) -> Iterator[str]:
    """The sentences, those cut that state several things of the speaker's own and that none after them leans on."""
    for sentence, following in zip_longest(stated, stated[1:]):
        is_of_another = others_words.is_line_of_another(sentence, message.speaker)
        if is_of_another or (following is not None and _leans(following)):
            yield sentence
            continue
        pieces = clauses.independent(_without_lead(sentence, people), message.at)
        yield from pieces if len(pieces) > 1 else [sentence]


def _people(message: Message, previous: Sequence[Message]) -> frozenset[str]:
    """The names of those who talk, each word of them, in small letters."""
    return frozenset(word for each in (message, *previous) for word in each.speaker.casefold().split())


def _listener(message: Message, previous: Sequence[Message]) -> str | None:
    """The one other who talks; None where nobody else does, or several do, or an assistant."""
    others = {other.speaker for other in previous} - {message.speaker}
    return others.pop() if len(others) == 1 and all(other.is_of_person for other in previous) else None


def _sentence(said: str, speaker: str, listener: str | None, people: frozenset[str]) -> _Sentence:
    plain = _without_lead(said, people)
    told = in_third_person(addressed(plain, listener) if listener else plain, speaker)
    return _Sentence(said, told[:1].upper() + told[1:], _leans(said))


def _without_lead(said: str, people: frozenset[str]) -> str:
    """A sentence without "Oh, " or "Hi Ben! " before it."""
    end = 0
    while (lead := _LEAD.match(said, end)) and not values.taken_out(lead[0])[1]:
        if lead["called"] and lead["called"].casefold() not in people:
            break
        end = lead.end()
    return said[end:]


def _leans(said: str) -> bool:
    return bool(_LEANING.match(said)) or len(sentences.words(said)) < _FEW_WORDS


def _carried(said: Sequence[str], message: Message, previous: Sequence[Message]) -> str | None:
    answer = said[0]
    others = [other for other in previous[-1:] if other.speaker != message.speaker]
    asked = sentences.split(others[0].text)[-1:] if others else []
    if not asked or not asked[0].endswith("?"):
        return None
    return short_answers.carried(asked[0], others[0].speaker, answer, message.speaker, len(said) == 1)


def _groups(kept: Sequence[_Sentence]) -> list[list[_Sentence]]:
    """Sentences that only make sense together: one that leans stays with the one before it."""
    groups: list[list[_Sentence]] = []
    for sentence in kept:
        if groups and _belongs(groups[-1], sentence):
            groups[-1].append(sentence)
        else:
            groups.append([sentence])
    return groups


def _belongs(group: Sequence[_Sentence], sentence: _Sentence) -> bool:
    opens = len(group) == 1 and (len(sentences.words(group[0].said)) <= 2 or group[0].said.endswith(":"))
    length = sum(len(member.text) + 1 for member in group) + len(sentence.text)
    return (sentence.leans or opens) and length <= MAX_LENGTH


def _statement(group: Sequence[_Sentence], message: Message) -> Statement:
    said = " ".join(member.said for member in group)
    found = when(said, message.at)
    kind = kind_cues.guessed(said, found.about, message.at)
    text = " ".join(member.text for member in group)
    return Statement(
        text, message.speaker, message.at, found.happens_at, kind, message.ref, found.expires_at, said
    )


def _pieces(statement: Statement) -> list[Statement]:
    """The statement, or what a memory can hold of one without a stop in it."""
    return [replace(statement, text=piece) for piece in cut(statement.text)]


def cut(text: str, most: int = LONGEST) -> list[str]:
    """The text, or pieces of it of at most so many characters, of whole words where there are any."""
    pieces: list[str] = []
    while len(text) > most:
        end = text.rfind(" ", most // 2, most)
        end = most if end < 0 else end
        pieces.append(text[:end])
        text = text[end:].lstrip()
    return [*pieces, text]


def _with_picture(found: list[Statement], picture: Statement) -> list[Statement]:
    """A picture is told with the last thing that was said, which mostly is about it."""
    *others, last = found or [picture]
    both = f"{last.text} {picture.text}"
    if last is picture or len(both) > MAX_LENGTH:
        return [*found, picture]
    return [*others, replace(last, text=both)]


def _picture(caption: str, message: Message) -> Statement:
    text = f"{message.speaker} shared a picture: {caption}"
    return Statement(text, message.speaker, message.at, None, kind_cues.PICTURE, message.ref)
