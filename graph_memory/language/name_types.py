"""What a name is of: a person, an organisation, a place. Its own words tell it, or those beside it."""

from __future__ import annotations

import re
from collections.abc import Collection

from graph_memory.language import patterns
from graph_memory.language.given_names import GIVEN_NAMES
from graph_memory.language.name_words import BEARERS
from graph_memory.language.texts import normalised

PERSON, ORG, GPE, UNKNOWN = "PERSON", "ORG", "GPE", "UNKNOWN"

NEAR = 200
_LONGEST_OF_A_PERSON = 3
# Words for what one person is to another.
RELATIVES = (
    r"(?:friend|sister|brother|mother|mum|mom|father|dad|boss|manager|colleague|coworker|partner|husband|"
    r"wife|cousin|"
    r"aunt|uncle|niece|nephew|neighbou?r|flatmate|roommate|girlfriend|boyfriend|daughter|son|teacher|"
    r"doctor|therapist|"
    r"coach|dentist|landlord|landlady|grandma|grandmother|grandfather|grandpa|fiancée?)"
)
_RELATIVE = patterns.compile(rf"\b{RELATIVES},?\s+$", re.IGNORECASE)
# "Okoro's wife", "Okoro, who", "Okoro is my boss"; or a text that begins with the name and goes on with he or she.
_OF_A_PERSON = patterns.compile(
    rf"['’]s {RELATIVES}\b|,? who\b|,\s+(?:my|our|his|her|their)\s+(?:\w+\s+){{0,2}}{RELATIVES}\b"
    rf"|(?: is| was|['’]s) (?:(?:my|our|his|her|their)|\w+['’]s) (?:\w+ ){{0,2}}{RELATIVES}\b",
    re.IGNORECASE,
)
_THEN_HE_OR_SHE = patterns.compile(r"[^.!?A-Z]*[.!?,;]\s+(?:and |but )?(?:he|she|He|She)\b")
_TITLE = patterns.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof|Professor|Sir|Aunt|Uncle|Auntie)\.?\s+$")
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


def type_of(name: str, before: str, after: str, people: Collection[str]) -> str:
    """The type of a name by itself, what stands near before it and after it, and who is known to be a person."""
    has_title = _TITLE.search(before) or is_titled(before)
    if normalised(name) in people or has_title or _RELATIVE.search(before) or _SAYS.match(after):
        return PERSON
    if _ORG_NAME.search(name) or _EMPLOYED.search(before):
        return ORG
    if _PLACE.search(before):
        return GPE
    return PERSON if _is_of_a_person(name, before, after) else UNKNOWN


def near_before(text: str, start: int) -> str:
    """What stands near before a place: no more is looked at, however long the text is."""
    return text[max(0, start - NEAR) : start]


def is_titled(before: str) -> bool:
    """Whether a German title stands right before."""
    return bool(_TITLED.search(before))


def _is_of_a_person(name: str, before: str, after: str) -> bool:
    """Whether the name begins with a common given name, or the words after it speak of a person."""
    words = name.split()
    is_plain = all(word.replace("-", "").isalpha() and word[0].isupper() for word in words)
    if not is_plain or len(words) > _LONGEST_OF_A_PERSON or words[-1].lower() in BEARERS:
        return False
    if words[0].lower() in GIVEN_NAMES or _OF_A_PERSON.match(after):
        return True
    return not before.strip() and bool(_THEN_HE_OR_SHE.match(after))
