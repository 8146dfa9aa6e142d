"""What a text says: patterns, words of leaving, of doubt and of cause, days. The rules by which stories are judged.

Patterns stand in the data; case, typographic quotes and separators of groups of digits do not count: 1,250 is 1250.
Whoever changes a word here changes what earlier figures mean.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache

_STOP = frozenset(
    """a an the is are was were be been do does did has have had will would can could may of on in at to for from
    by with and or it its this that which what who whom whose where when how why much many long old large often there
    here now current currently day days time one two per each not no any as after before into they them their he she
    his her i you we our your my all said called go goes went get gets""".split()  # noqa: SIM905
)
_WEEKDAY = r"(mon|tues|wednes|thurs|fri|satur|sun)days?"
_CLAUSE = re.compile(r"[.;!?]+(?=\s|$)|,\s|\s(?:and|but|so)\s|\s[–—-]\s")
_SAYING = r"(?:(?:dr|prof|mr|mrs|ms)\.? )?§"
_LEFT = re.compile(
    r"no longer|not any ?more|n't any ?more|used to be|\bwas (?:wrong|mistaken)\b|wrong about|mistake|correction|"
    r"correct(?:s|ed) (?:it|that|this|the)|\btypo\b|misread|mistyped|scratch that|cancel+ed|called off|"
    r"(?:is|was|are|were|'s) off\b|former(?:ly)?\b|previous(?:ly)?\b|\boriginally\b|\binitially\b|\bat first\b|"
    r"\bin the past\b|before (?:that|then)\b|\bfell through|taken back|kidding|\bjok(?:e|ing)\b|"
    r"\b(?:stopped|closed|ended|retired|resigned)\b|\bstepp(?:ed|ing) down\b|\bhand(?:s|ed|ing) (?:\w+ ){0,3}(?:over|back)\b|"
    r"(?:replaced|succeeded|taken over) by|\bwas sold\b|\bmoved out\b|been gone|has left\b|\bleft\b|\bquit\b|"
    r"g(?:ave|iven) (?:\w+ )?up\b"
)
_NEAR = [
    re.compile(source)
    for source in (
        r"from (?:the |my |our |their |her |his )?§",
        r"instead of (?:the |my |our )?§",
        r"rather than (?:the )?§",
        r"\bnot (?:\w+ ){0,3}§",
        r"n't (?:\w+ ){0,3}§",
        r"\buntil (?:\w+ ){0,4}§",
        r"\bno §",
        r"\(was §",
        r"§ (?:was|were|is|are) (?:wrong|old|over|gone|off|lost|cancel)",
        r"§[^§]*\b(?:until|till)\b",
        r"lost (?:\w+ ){0,3}§",
        r"\bold (?:\w+ )?§",
        r"\b(?:says|said|according to) " + _SAYING,
        r"(?:t(?:oo|a)k(?:e|es|en)? over (?:from )?|replac(?:es|ed|ing) |succeed(?:s|ed|ing) |in place of |stands in for |"
        r"covers? for )" + _SAYING,
    )
]
_FINE = re.compile(
    r"\bif\b|\bwould\b|\bcould\b|'d\b|\bmaybe\b|\bmight\b|\bshould\b|\?|jok(?:e|ed|es|ing)|kidding|april fool|cancel+(?:ed|s)|"
    r"called off|\bnot\b|n't\b|\bno\b|nobody|\bnever\b|scratch|misread|\bwish|dream|\basked\b|wonder|suggest|\boff\b|"
    r"taken back|sarcas|iron(?:y|ic)|pretend|imagin|hypothe|fantas|changed (?:his|her|their|our|my) mind|"
    r"fell through|\bdead\b|withdr[ae]w|abandon|scrapped|shelved|dropped the|gave up|given up",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"because|\bsince\b|due to|thanks to|caused by|result of|owing to|\bafter\b|following\b|c[ao]mes? from|"
    r"(?:is|are|was|were|'s) from",
    re.IGNORECASE,
)
_FORTH = re.compile(
    r"\bso\b|that'?s (?:why|how)|that is why|which is (?:why|how)|therefore|\bhence\b|\bthus\b|as a result|"
    r"\bcaus(?:ed|es|ing)|\bled to|\bleads to|\bmade\b|\bmeans?\b|\bmeant|\bforc(?:ed|es)|result(?:ed|s|ing) in|"
    r"trigger(?:ed|s)|\bruined|\bbroke\b|\bkilled|\bbrought|\bcost\b|and that\b",
    re.IGNORECASE,
)
_JESTS = re.compile(
    r"jok|teas|sarcas|iron(?:y|ic)|hypothe|condition|question|dream|wish|suggest|kidding|\bif\b|never",
    re.IGNORECASE,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_GROUPS = re.compile(r"(?<![\d.])(\d{1,3})[,.' ](\d{3})(?![\d.]\d|\d)")
_ENDINGS = ("ings", "ing", "ed", "es", "s")
# A match of more words is a sentence by itself: it cannot stand for a value in its clause.
_MOST_WORDS = 5


def plain(text: str) -> str:
    """With plain quotes, and without separators in numbers."""
    text = _plain_quotes(text)
    while (joined := _GROUPS.sub(r"\1\2", text)) != text:
        text = joined
    return text


def fold(text: str) -> str:
    """Without case and accents."""
    return "".join(
        sign for sign in unicodedata.normalize("NFD", text.casefold()) if not unicodedata.combining(sign)
    )


@cache
def pattern(source: str) -> re.Pattern[str]:
    """A pattern of the data. Raises re.error."""
    return re.compile(unicodedata.normalize("NFKC", source).replace("’", "'"), re.IGNORECASE | re.DOTALL)


def has(text: str, source: str) -> bool:
    """Whether the text has what the pattern tells."""
    return bool(pattern(source).search(plain(text)))


def matched(text: str, source: str) -> str:
    """What the pattern finds in the text; empty when nothing."""
    found = pattern(source).search(plain(text))
    return found.group() if found else ""


def overlap(text: str, question: str) -> bool:
    """Whether the text shares a word with the question."""
    asked = _stems(question)
    return any(_kin(mine, its) for mine in _stems(text) for its in asked)


def asserts(text: str, source: str, question: str) -> bool:
    """Whether the text says that the value holds."""
    found = pattern(source).search(plain(text))
    if not found or (_is_weak(found.group()) and not overlap(text, question)):
        return False
    return not denied(text, source)


def denied(text: str, source: str) -> bool:
    """Whether every clause with the value says that it was left, corrected or cancelled, or only who said something."""
    return all(
        _LEFT.search(clause) or any(near.search(clause) for near in _NEAR)
        for clause in _clauses(text, source)
    )


def told(text: str, values: Sequence[str]) -> tuple[str, bool]:
    """The value that the text tells, of several the last one named ("from A to B"), and whether only weakly."""
    found = {
        value: list(pattern(value).finditer(plain(text)))
        for value in values
        if has(text, value) and not denied(text, value)
    }
    if not found:
        return "", False
    value = max(found, key=lambda each: found[each][-1].end())
    return value, all(_is_weak(match.group()) for match in found[value])


def excused(text: str, source: str) -> bool:
    """Whether what stands around it makes it a question, condition, denial, joke or cancellation."""
    return bool(_FINE.search(pattern(source).sub(" ", plain(text))))


def jest(why: str) -> bool:
    """Whether the reason of a check says that it was never meant."""
    return bool(_JESTS.search(why))


def declares(text: str, source: str) -> bool:
    """Whether the text says it otherwise than in a question."""
    text = plain(text)
    return any(_mark_after(text[match.end() :]) != "?" for match in pattern(source).finditer(text))


def joined(text: str, cause: str, effect: str) -> bool:
    """Whether a text names both, the one as the cause of the other."""
    text = plain(text)
    causes = [match.span() for match in pattern(cause).finditer(text)]
    effects = [match.span() for match in pattern(effect).finditer(text)]
    return (
        _backwards(text, causes, effects) or _in_order(text, causes, effects) or _forth(text, causes, effects)
    )


def days_in(text: str) -> set[date]:
    """The full dates in a text."""
    text = plain(text)
    found = re.findall(r"\b(20\d\d)-(\d\d)-(\d\d)\b", text)
    words = [
        (year, month, day)
        for day, month, year in re.findall(
            r"\b(\d{1,2})(?:st|nd|rd|th)? (?:of )?([a-z]{3,9}),? (20\d\d)\b", text, re.IGNORECASE
        )
    ]
    words += [
        (year, month, day)
        for month, day, year in re.findall(
            r"\b([a-z]{3,9}) (\d{1,2})(?:st|nd|rd|th)?,? (20\d\d)\b", text, re.IGNORECASE
        )
    ]
    found += [
        (year, _MONTHS.index(month[:3].lower()) + 1, day)
        for year, month, day in words
        if month[:3].lower() in _MONTHS
    ]
    return {day for each in found if (day := _day(*map(int, each))) is not None}


_Span = tuple[int, int]


def _backwards(text: str, causes: Sequence[_Span], effects: Sequence[_Span]) -> bool:
    """Effect because cause; because cause, effect."""
    for cue in _BACK.finditer(text):
        after = [cause for cause in causes if cause[0] >= cue.start()]
        if after and any(
            effect[0] < cue.start() or any(effect[0] > cause[0] for cause in after) for effect in effects
        ):
            return True
    return False


def _in_order(text: str, causes: Sequence[_Span], effects: Sequence[_Span]) -> bool:
    """Both in one sentence, in the order in which they came about."""
    between = (text[cause[1] : effect[0]] for cause in causes for effect in effects if cause[0] < effect[0])
    return any(not re.search(r"[.!?](?=\s)", words) and not _BACK.search(words) for words in between)


def _forth(text: str, causes: Sequence[_Span], effects: Sequence[_Span]) -> bool:
    """Cause, therefore effect."""
    return any(
        cause[0] <= cue.start()
        for cue in _FORTH.finditer(text)
        for cause in causes
        if any(effect[0] > cue.start() or effect[0] <= cue.start() < effect[1] for effect in effects)
    )


def _plain_quotes(text: str) -> str:
    return unicodedata.normalize("NFKC", text).replace("’", "'").replace("‘", "'")


def _mark_after(rest: str) -> str:
    """The mark that ends the sentence; empty where the text ends without one."""
    end = re.search(r"[.!?]+(?=\W|$)|$", rest)
    return end.group()[-1:] if end else ""


def _clauses(text: str, source: str) -> Iterator[str]:
    """The clauses that each match touches, in lower case, with § for the match unless that is itself a sentence."""
    text = plain(text).casefold()
    cuts = [cut.span() for cut in _CLAUSE.finditer(text)]
    for match in pattern(source).finditer(text):
        start, end = match.span()
        left = max((cut[1] for cut in cuts if cut[1] <= start), default=0)
        right = min((cut[0] for cut in cuts if cut[0] >= end), default=len(text))
        if start == end:
            yield text
        elif len(match.group().split()) > _MOST_WORDS:
            yield text[left:right]
        else:
            yield text[left:start] + "§" + text[end:right]


def _stems(text: str) -> set[str]:
    """The words that carry meaning, without their endings."""
    words = re.findall(r"\w+", plain(text).casefold().replace("'s", ""))
    return {_stem(word) for word in words if word not in _STOP and len(word) > 1}


def _stem(word: str) -> str:
    ending = next((each for each in _ENDINGS if word.endswith(each) and len(word) - len(each) >= 3), "")
    return word.removesuffix(ending)


def _kin(mine: str, its: str) -> bool:
    """Whether two stems are of one word."""
    shared = next(
        (place for place, (one, other) in enumerate(zip(mine, its, strict=False)) if one != other),
        min(len(mine), len(its)),
    )
    return mine == its or (shared >= 4 and shared >= min(len(mine), len(its)) - 1)


def _is_weak(match: str) -> bool:
    """A bare small number or a weekday says nothing unless the sentence is about the question."""
    return bool(re.fullmatch(r"\d{1,3}(\.\d+)?|" + _WEEKDAY, match.strip(), re.IGNORECASE))


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
