"""Does a text speak to its judge, instead of stating something? It is only a mark: nothing is dropped for it."""

from __future__ import annotations

import re

_SPEAKS = re.compile(
    r"\b(?:DUPLICATE|SUPERSEDES?|COEXIST)\b"
    r"|\"?(?:verdicts?|action|confidence|should_consolidate|approved)\"?\s*[:=]\s*[\"{\[\d.tf]"
    r"|</?\s*(?:system|assistant|user|data|instructions?|verdicts?|memory)\b"
    r"|\[/?(?:INST|SYSTEM|ASSISTANT)\b|<\|"
    r"|(?i:\b(?:ignore|disregard|forget|override|bypass)\b[^.]{0,40}\b(?:previous|prior|above|earlier|all|other|any|your)\b"
    r"[^.]{0,30}\b(?:instructions?|rules?|statements?|memor(?:y|ies)|prompts?|guidelines?|context|facts?)\b)"
    r"|(?i:\b(?:system|developer|assistant|judge|classifier|admin(?:istrator)?)\s*(?:prompt|message|note|override|instruction)?"
    r"\s*:\s)"
    r"|(?i:\byou (?:are|must|should|will|have to) (?:now )?(?:an? (?:ai|assistant|judge)|answer|respond|classify|return|"
    r"output|mark|treat|supersede|merge|retire|delete|replace)\b)"
    r"|(?i:\b(?:mark|classify|treat|flag|label)\b[^.]{0,60}\b(?:as|to be)\b[^.]{0,20}\b(?:duplicates?|outdated|superseded|"
    r"obsolete|merged|invalid|wrong)\b)"
    r"|(?i:\b(?:supersede|retire|delete|erase|overwrite|invalidate|merge)\b[^.]{0,40}\b(?:all|every|any|other|these|those|"
    r"known|previous|existing)\b[^.]{0,30}\b(?:memor(?:y|ies)|statements?|facts?|entries|records?)\b)"
    r"|(?i:\b(?:ignorier\w*|ignora\w*|ignore[zr]?|oublie[zr]?|vergiss|olvida)\b[^.]{0,40}\b(?:anweisung\w*|regeln?|"
    r"instruccion\w*|instructions?|règles?|reglas?|alles?|tout\w*|todo\w*)\b)"
    r"|[A-Za-z0-9+/]{60,}={0,2}",
)


def speaks_to_its_judge(text: str) -> bool:
    """Whether a text holds what belongs to prompts and answers: labels, roles, orders, encoded stretches."""
    return _SPEAKS.search(text) is not None
