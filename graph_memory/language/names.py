"""Names in a text, found by their capital letters or, if they are known already, by their spelling.

German writes every noun with a capital letter; there only titles, given names and shapes like GPT-4 show a name. Where
a script has no capitals (Chinese, Japanese, Arabic) nothing but what the caller gives is found.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from graph_memory.language import capitals, patterns, sentences
from graph_memory.language.english import (
    ADVERBS,
    HABITUAL,
    MONTHS,
    NOT_A_VERB,
    UNCHANGING,
    WEEKDAYS,
    words_of,
)
from graph_memory.language.given_names import GIVEN_NAMES
from graph_memory.language.texts import normalised

PERSON, ORG, GPE, UNKNOWN = "PERSON", "ORG", "GPE", "UNKNOWN"

_TOKEN = patterns.compile(r"\.?[^\W_]+(?:['’.&+#/-]+[^\W_]+)*[+#]*")
_POSSESSIVE = patterns.compile(r"['’]s?$")
_OWN_SHAPE = patterns.compile(r"^\.[A-Z]|[a-z][A-Z]|[A-Z].*[A-Z]|[A-Z].*\d|\d.*[A-Z]|^[A-Z]\w*[+#]")
_JOINING = words_of("of do de van von der da di del la le")
_BEGINNING = words_of("new north south east west")
_SAINTS = frozenset({"St", "Mt", "Ft"})
# What a model's number stands before: iPhone 15 Pro, Windows 11 Home.
_MODELS = words_of("Pro Max Plus Ultra Mini Air Lite SE XL Home Enterprise Edition Server")
# What a person's name with 's is part of the name of.
_OWNED = words_of("abbey academy cathedral chapel church college cross hospital school square university")
# What bears the name of a place or person: Bank of America, Charles River.
_BEARERS = words_of(
    """
    abbey academy agreement airport arena avenue award bank bay board bridge building cape cathedral cemetery chapel
    church city clinic college court cross day department duke falls foundation garden gardens gulf hall harbour
    hospital hotel house institute island isle kingdom lake library ministry mountain museum palace park peak point
    port prize pub republic river road school springs square stadium state station street theater theatre tower university
    valley woods
    """
)
# Parts that people play in a conversation are nobody's names.
_ROLES = words_of("user users assistant speaker system human bot chatbot ai agent")
_LONE_LETTERS = words_of("C R")
_BEFORE_LETTER = words_of(
    "in using use uses learn learning know knows write writes than from like prefer prefers and or"
)
_ORDINARY = (
    UNCHANGING
    | ADVERBS
    | NOT_A_VERB
    | {name.lower() for name in (*MONTHS, *WEEKDAYS)}
    | {name[:3].lower() for name in MONTHS}
    | words_of(
        """
        i i'm i've i'll i'd im am is are be been being has have do does did don't doesn't isn't
        aren't haven't he's she's it's they're we're we've you're that's there's what's let's here's
        there here who's how's yes no ok okay hi hey hello dear thanks thank please sorry well oh
        wow ah yeah yep nope sure great good nice cool awesome lovely happy glad bye congrats
        welcome right true wait look see listen guess imagine what why how any some many much more
        most few less least every each another other others such same own everyone everybody someone
        somebody anyone anybody nobody none nothing something everything anything today yesterday
        tomorrow tonight morning afternoon evening night weekend week month year last next first
        second third eleven twelve twenty thirty forty fifty hundred thousand one two three four
        five six seven eight nine ten half about above across after again against along among around
        before behind below beside besides between beyond down during except inside into near off
        out outside over past since through toward under until up upon within without despite per
        via although unless whether either neither rather instead meanwhile otherwise therefore thus
        hence however besides furthermore moreover anyway apparently speaking new old big small long
        short early late best better worst bad worse free full only own real whole work home life
        time day people family friend friends mom mum dad mother father sister brother go going get
        getting make making take taking come coming keep try trying love like hope think thinking
        know feel feeling want need say says tell ask give let use find call put turn mr mrs ms dr
        prof st sir madam god gosh lol omg pm am asap diy tv usa uk eu faq fyi btw tbh asked ps re
        p.s apparently basically clearly daily early especially eventually exactly fortunately
        generally hopefully initially lately literally luckily monthly nearly normally obviously
        occasionally possibly previously sadly seriously similarly surely suddenly thankfully
        unfortunately usually weekly cheers greetings regards kudos yes afterwards nowadays
        weekdays weekends ceo cto cfo coo vp hr
        """
    )
) - words_of("usa uk eu will new north south east west")
_AUXILIARIES = words_of("is are has have does doesn't isn't hasn't and")
# What goes on with one person or thing, never with several.
_OF_ONE = words_of("is was has does isn't wasn't hasn't doesn't")
# As plurals end, and forms of verbs and adverbs; but so do Ines, James, Fred and Emily.
_DOUBTFUL_ENDING = patterns.compile(r"(?:ed|ly|[b-eghj-mnp-rtv-z]s)$")
_NO_NAME_ENDING = patterns.compile(r"(?:ing|n't)$")
_LONGEST_OF_A_PERSON = 3
_NEAR = 200
_NAME_NEXT = patterns.compile(r" ([A-Z][^\W_]+)")
_TITLE = patterns.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof|Professor|Sir|Aunt|Uncle|Auntie)\.?\s+$")
# Words for what one person is to another.
RELATIVES = (
    r"(?:friend|sister|brother|mother|mum|mom|father|dad|boss|manager|colleague|coworker|partner|husband|"
    r"wife|cousin|"
    r"aunt|uncle|niece|nephew|neighbou?r|flatmate|roommate|girlfriend|boyfriend|daughter|son|teacher|"
    r"doctor|therapist|"
    r"coach|dentist|landlord|landlady|grandma|grandmother|grandfather|grandpa|fiancée?)"
)
_RELATIVE = patterns.compile(rf"\b{RELATIVES},?\s+$", re.IGNORECASE)
# "Ines, my oldest friend, ..."
_APPOSED = patterns.compile(rf",\s+(?:my|our|his|her|their)\s+(?:\w+\s+){{0,2}}{RELATIVES},", re.IGNORECASE)
# "Okoro's wife", "Okoro, who", "Okoro is my boss"; or a text that begins with the name and goes on with he or she.
_OF_A_PERSON = patterns.compile(
    rf"['’]s {RELATIVES}\b|,? who\b|,\s+(?:my|our|his|her|their)\s+(?:\w+\s+){{0,2}}{RELATIVES}\b"
    rf"|(?: is| was|['’]s) (?:(?:my|our|his|her|their)|\w+['’]s) (?:\w+ ){{0,2}}{RELATIVES}\b",
    re.IGNORECASE,
)
_THEN_HE_OR_SHE = patterns.compile(r"[^.!?A-Z]*[.!?,;]\s+(?:and |but )?(?:he|she|He|She)\b")
_TITLED = patterns.compile(r"\b(?:Herr|Herrn|Frau|Dr|Prof|Professor|Doktor)\.?\s+$")
_SAYS = patterns.compile(r"^\s+(?:said|says|told|asked|thinks|laughed|smiled|called me|texted|phoned)\b")
_EMPLOYED = patterns.compile(
    r"\b(?:work(?:s|ed|ing)? (?:at|for)|job (?:at|with)|joined|joining|hired by|interview (?:at|with)|"
    r"offer from|"
    r"intern(?:ed|ing)? at|employed (?:at|by))\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_ORG_NAME = patterns.compile(
    r"\b(?:Inc|Corp|Corporation|Ltd|LLC|GmbH|AG|PLC|University|Institute|College|Bank|Labs|Foundation|"
    r"Hospital|Museum)\b"
)
_PLACE = patterns.compile(
    r"\b(?:(?:live|lives|lived|living|based|born|grew up|raised|settled) in|(?:move|moves|moved|moving|"
    r"relocat\w+|flew|"
    r"fly|flying|travel\w*|trip|drove|train|flight) to(?: the city of)?|the (?:city|town|country|"
    r"village) of)\s+$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Mention:
    """A name as it is written, its key (equal keys, equal names) and a type: PERSON, ORG, GPE or UNKNOWN.

    A key alone says nothing about who is meant: two people, or a person and a country, can share it.
    """

    name: str
    key: str
    type: str


def mentions(
    text: str,
    known: Collection[str] = (),
    names: Collection[str] = (),
    beside: Iterable[str] = (),
    *,
    or_nouns: bool = False,
) -> list[Mention]:
    """The names in a text, each once for each type, in the order of their first place.

    `known` are names of people, such as the speakers; `names` are others, found even where capital letters
    do not show them (pgvector). Months, weekdays and ordinary words that begin sentences are no names, unless
    they are names inside a sentence of the text, or of the texts `beside` it. With `or_nouns` every noun of a German
    text counts: for who compares two texts and had rather see too many.
    """
    people = {normalised(name) for name in known}
    is_told = or_nouns or not capitals.is_on_all_nouns(text)
    spans = _spans(text, {*known, *names}, _inside_sentences(beside), is_told=is_told)
    found = (_typed(text, start, end, people) for start, end in spans)
    return _each_once(each for each in found if each.key not in _ROLES)


def key(name: str) -> str:
    """The key of a name. It keeps every sign that tells names apart: C, C++ and C# stay three."""
    return normalised(name)


def spelled_in(text: str, names: Iterable[str]) -> list[str]:
    """Names as the text spells them, those left out that it does not hold, or that do not look like names there."""
    found = (
        patterns.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE).search(text) for name in names
    )
    spelled = dict.fromkeys(match.group() for match in found if match is not None)
    return [name for name in spelled if not name.islower() and not _is_filling(name)]


def without_names(text: str) -> str:
    """What a text says beside the names in it; the text itself where that is nothing."""
    left = text
    for name in sorted((each.name for each in mentions(text)), key=len, reverse=True):
        left = patterns.compile(rf"(?<!\w){re.escape(name)}(?:['’]s)?(?!\w)").sub(" ", left)
    return " ".join(left.split()) if _TOKEN.search(left) else text


def _is_filling(name: str) -> bool:
    words = normalised(name).split()
    return all(word in _ORDINARY or word in _JOINING for word in words) or normalised(name) in _ROLES


def opens_with(name: str, text: str) -> bool:
    """Whether a sentence of the text begins with just this word, which is a known name and no ordinary word."""
    low = name.lower()
    if low in _ORDINARY | _BEGINNING | _ROLES or low == "will" or not name[:1].isupper():
        return False
    return any(word.is_first and word.text == name for word in _words(text))


@dataclass(frozen=True)
class _Word:
    text: str
    start: int
    end: int
    is_first: bool
    is_owner: bool


def _spans(
    text: str, known: Collection[str], beside: Collection[str], *, is_told: bool
) -> list[tuple[int, int]]:
    """Where names stand, without overlaps, in order. `is_told`: capital letters tell of them."""
    spelled = [
        match.span() for name in sorted(known, key=len, reverse=True) for match in _spelled(name, text)
    ]
    taken, found = bytearray(len(text)), list[tuple[int, int]]()
    shown = _capitalised(text, {*known, *beside}) if is_told else _among_nouns(text)
    for start, end in spelled + list(shown):
        if not any(taken[start:end]):
            taken[start:end] = b"\1" * (end - start)
            found.append((start, end))
    return sorted(found)


def _spelled(name: str, text: str) -> Iterable[re.Match[str]]:
    return (
        patterns.compile(rf"(?<![\w.+#-]){re.escape(name)}(?![\w+#]|[-&]\w)(?!\s+[A-Z][a-z])").finditer(text)
        if name.strip()
        else ()
    )


def _capitalised(text: str, known: Collection[str]) -> Iterable[tuple[int, int]]:
    words = _words(text)
    elsewhere = _not_first(words) | set(known)
    run: list[_Word] = []
    for at, word in enumerate(words):
        if run and not _joins(run, word, text):
            yield from _span(run)
            run = []
        after = words[at + 1 : at + 3]
        joint = bool(run) and (_is_joint(run, word, after) or _is_of_a_model(run, word, after))
        begins = _is_beginning(word, after) or (not run and _is_saint(word, after, text))
        opens = word.is_first and _opens_as_a_name(word, after, text)
        if joint or begins or _is_name(word, words[at - 1 : at], elsewhere, opens=opens):
            run.append(word)
        else:
            yield from _span(run)
            run = []
    yield from _span(run)


def _among_nouns(text: str) -> Iterable[tuple[int, int]]:
    """What must be a name where every noun has a capital letter."""
    for word in _words(text):
        is_titled = word.text[0].isupper() and _TITLED.search(_before(text, word.start))
        if is_titled or word.text.lower() in GIVEN_NAMES or _OWN_SHAPE.search(word.text):
            yield word.start, word.end


def _inside_sentences(texts: Iterable[str]) -> set[str]:
    """Words that stand inside sentences with a capital letter."""
    told = (text for text in texts if not capitals.is_on_all_nouns(text))
    return {word for text in told for word in _not_first(_words(text)) if word[0].isupper()}


def _not_first(words: Iterable[_Word]) -> set[str]:
    return {word.text for word in words if not word.is_first}


def _words(text: str) -> list[_Word]:
    words: list[_Word] = []
    place = 0
    for sentence in sentences.split(text):
        start = text.index(sentence, place)
        place = start + len(sentence)
        for number, match in enumerate(_TOKEN.finditer(text, start, place)):
            bare = _POSSESSIVE.sub("", match.group())
            owner = bare != match.group()
            words.append(_Word(bare, match.start(), match.start() + len(bare), number == 0, owner))
    return words


def _joins(run: list[_Word], right: _Word, text: str) -> bool:
    left = run[-1]
    if right.is_first:
        return False
    between = text[left.end : right.start]
    if left.is_owner:
        return right.text[0].isupper() and right.text.lower() in _OWNED
    if between == " & ":
        return not {left.text.lower(), right.text.lower()} <= GIVEN_NAMES
    return between == " " or (between == ". " and left.text in _SAINTS)


def _is_saint(word: _Word, after: list[_Word], text: str) -> bool:
    """Whether this is the St. of St. Mary."""
    follows = bool(after) and not after[0].is_first and after[0].text[0].isupper()
    return word.text in _SAINTS and follows and text[word.end : after[0].start] in (" ", ". ")


def _is_of_a_model(run: list[_Word], word: _Word, after: list[_Word]) -> bool:
    return _is_number_of_a_model(word, after) or (run[-1].text.isdigit() and word.text in _MODELS)


def _is_number_of_a_model(word: _Word, after: list[_Word]) -> bool:
    follows = bool(after) and not after[0].is_first and after[0].start == word.end + 1
    return word.text.isdigit() and follows and after[0].text in _MODELS


def _is_beginning(word: _Word, after: list[_Word]) -> bool:
    """Whether this is the New of New York."""
    follows = bool(after) and not after[0].is_first and after[0].start == word.end + 1
    return word.text.istitle() and word.text.lower() in _BEGINNING and follows and after[0].text[0].isupper()


def _is_name(word: _Word, before: list[_Word], elsewhere: Collection[str], *, opens: bool) -> bool:
    if len(word.text) == 1:
        return word.text in _LONE_LETTERS and bool(before) and before[-1].text.lower() in _BEFORE_LETTER
    low = word.text.lower().replace("’", "'")
    if low in _ORDINARY or low.split("'")[0] in ("i", "you", "we", "they", "he", "she", "it", "that", "what"):
        return False
    if low in _BEGINNING or (low == "will" and word.is_first and word.text not in elsewhere):
        return False
    if _OWN_SHAPE.search(word.text):
        return True
    if not word.text[0].isupper():
        return False
    return not word.is_first or word.text in elsewhere or opens


def _opens_as_a_name(word: _Word, after: list[_Word], text: str) -> bool:
    """Whether a sentence begins with this word as with a name: it owns or does something, or goes on.

    Where the word ends as plurals, verbs and adverbs do, only what cannot follow those counts.
    """
    if word.is_owner or _APPOSED.match(text, word.end):
        return True
    if word.text.lower() in GIVEN_NAMES or _opens_a_longer_name(word, after, text):
        return True
    goes_on = bool(after) and not after[0].is_first and after[0].start == word.end + 1
    if not goes_on or _NO_NAME_ENDING.search(word.text):
        return False
    then = after[0].text
    if _DOUBTFUL_ENDING.search(word.text):
        return word.text.lower() not in HABITUAL and _is_of_one(
            word, then, text[after[0].end : after[0].end + _NEAR]
        )
    return then in _AUXILIARIES or then in UNCHANGING or then[0].isupper() or then.endswith(("ed", "s"))


def _opens_a_longer_name(word: _Word, after: list[_Word], text: str) -> bool:
    """Whether this is the Bank of Bank of America, the Marks of Marks & Spencer or the Windows of Windows 11 Pro."""
    if len(after) < 1 or after[0].is_first:
        return False
    follows = len(after) > 1 and not after[1].is_first
    if after[0].text == "of" and word.text.lower() in _BEARERS:
        return follows and (after[1].text == "the" or after[1].text[0].isupper())
    if text[word.end : after[0].start] == " & ":
        return after[0].text[0].isupper()
    return follows and _is_number_of_a_model(after[0], after[1:])


def _is_of_one(word: _Word, then: str, rest: str) -> bool:
    """Whether only one person or thing goes on like this: "Ines works", "James Okafor", "Agnes and Noor"."""
    if then in _OF_ONE or then in HABITUAL:
        return True
    next_name = _NAME_NEXT.match(rest) if then == "and" else None
    is_joined = next_name is not None and next_name[1].lower() not in _ORDINARY
    return word.text.endswith("s") and (is_joined or (then[0].isupper() and then.lower() not in _ORDINARY))


def _is_joint(run: list[_Word], word: _Word, after: list[_Word]) -> bool:
    """Whether this is the of of University of Ghent, or one of the two of Lake of the Woods."""
    if not after or after[0].is_first:
        return False
    if word.text == "of" and after[0].text == "the":
        return len(after) > 1 and not after[1].is_first and after[1].text[0].isupper()
    is_within = word.text in _JOINING or (word.text == "the" and run[-1].text == "of")
    return is_within and after[0].text[0].isupper()


def _span(run: list[_Word]) -> Iterable[tuple[int, int]]:
    while run and (run[-1].text in _JOINING or run[-1].text == "the"):
        run = run[:-1]
    if run:
        yield run[0].start, run[-1].end


def _typed(text: str, start: int, end: int, people: Collection[str]) -> Mention:
    name = text[start:end]
    after = text[end : end + _NEAR]
    return Mention(name, key(name), _type(name, _before(text, start), after, people))


def _before(text: str, start: int) -> str:
    """What stands near before a place: no more is looked at, however long the text is."""
    return text[max(0, start - _NEAR) : start]


def _type(name: str, before: str, after: str, people: Collection[str]) -> str:
    is_titled = _TITLE.search(before) or _TITLED.search(before)
    if key(name) in people or is_titled or _RELATIVE.search(before) or _SAYS.match(after):
        return PERSON
    if _ORG_NAME.search(name) or _EMPLOYED.search(before):
        return ORG
    if _PLACE.search(before):
        return GPE
    return PERSON if _is_of_a_person(name, before, after) else UNKNOWN


def _is_of_a_person(name: str, before: str, after: str) -> bool:
    """Whether the name begins with a common given name, or the words after it speak of a person."""
    words = name.split()
    is_plain = all(word.replace("-", "").isalpha() and word[0].isupper() for word in words)
    if not is_plain or len(words) > _LONGEST_OF_A_PERSON or words[-1].lower() in _BEARERS:
        return False
    if words[0].lower() in GIVEN_NAMES or _OF_A_PERSON.match(after):
        return True
    return not before.strip() and bool(_THEN_HE_OR_SHE.match(after))


def _each_once(found: Iterable[Mention]) -> list[Mention]:
    """Each key once for each type; one without a type goes where its key has one."""
    listed = list(found)
    typed = {mention.key for mention in listed if mention.type != UNKNOWN}
    first: dict[tuple[str, str], Mention] = {}
    for mention in listed:
        if mention.type != UNKNOWN or mention.key not in typed:
            first.setdefault((mention.key, mention.type), mention)
    return list(first.values())
