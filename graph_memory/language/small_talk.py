"""What people say without telling anything: greetings, thanks, bare reactions, questions."""

from __future__ import annotations

import re
from collections.abc import Collection

from graph_memory.language import english, patterns, sentences

MAX_FILLER = 160

_VERY = r"(?:(?:so|really|very|pretty|super|just|quite|too|such|all|always|also|even|still|\w+ly)\s+){0,4}"
_ADJECTIVE = (
    r"(?:good|great|awesome|amazing|cool|nice|lovely|wonderful|fantastic|brilliant|perfect|sweet|beautiful|"
    r"fun|funny|"
    r"excellent|incredible|impressive|inspiring|interesting|exciting|terrific|superb|neat|sad|awful|"
    r"terrible|rough|"
    r"tough|hard|true|right|fine|okay|ok|fair|cute|gorgeous|stunning|delicious|yummy|tasty|delightful|"
    r"annoying|"
    r"crazy|wild|fair enough|understandable|hilarious|rewarding|relaxing|cosy|cozy|epic|rad|kind|thoughtful|"
    r"adorable|peaceful|cheerful|remarkable|fascinating|thrilling|magical|frustrating|stressful|scary|"
    r"smart|clever|helpful|sensible|a (?:good|great|shame|pity|relief|lot|plan|deal|bummer))"
)
_NOUN = (
    r"(?: (?:news|idea|plan|one|job|work|shot|pic|picture|photo|thing|stuff|choice|point|"
    r"to (?:hear|know|see)(?: that| it)?))?"
)
_PHRASES = [
    r"h(?:i+|ey+|ello|iya)|yo|good (?:morning|afternoon|evening|night|day)|greetings|welcome(?: back)?",
    r"(?:oh )?my (?:gosh|god|goodness|days|word)|oh my|"
    r"wow+|oh|ah+|a+w+|ooh+|(?:ha)+|lol|hm+|mm+|uh|um|ugh|phew|yay+|woo+(?:hoo)?|whoa|ouch|oops|gosh|omg",
    r"ye+s+|yeah+|yep|yup|yea|no+|nope|nah|ok(?:ay)?|sure(?: thing)?|right|exactly|absolutely|definitely|"
    r"totally|indeed|"
    r"agreed|certainly|of course|for sure|true|got it|i see|well|anyway|alright|so|deal|done|will do|"
    r"fair enough|same|touché",
    r"(?:many |a million )?thanks?(?: so much| a lot| a ton| again| a million| you)*(?: (?:for|"
    r"to) [^.!?]{1,60})?|thx|cheers|much appreciated|"
    r"i (?:really )?appreciate (?:it|that|you(?:r (?:help|support|kind words))?)|means a lot(?: to me)?",
    r"(?:no|not a) (?:problem|worries|prob|bother)|you(?:'re| are) (?:so |very |most )?welcome|(?:my|"
    r"a) pleasure|anytime|don't mention it",
    r"congrat(?:s|ulations)(?: (?:on|to) [^.!?]{1,60})?|well done|good (?:luck|job|work|for you|one|point)|"
    r"way to go|bravo|"
    r"happy (?:birthday|new year)|merry christmas|fingers crossed|cheer up|keep it up|keep going|"
    r"you(?:'ve)? got this|go for it",
    r"(?:good)?bye(?:-?bye)?|see (?:you|ya)(?: (?:soon|later|then|there|around|tomorrow|next week))?|"
    r"take care|"
    r"(?:talk|speak|chat)(?: to you)? (?:soon|later)|later|have (?:a )?(?:good|great|nice|lovely|"
    r"fun)(?: \w+)?|sleep well|enjoy(?: it)?",
    r"(?:it's |it is )?(?:so )?(?:good|great|nice|lovely|awesome|glad|happy) (?:to )?(?:see|hear(?:ing)?|"
    r"meet|catch(?:ing)? up|chat(?:ting)?|talk(?:ing)?)"
    r"(?: (?:with|from|to|of))?(?: (?:you|it|that|this|again|too|both))*",
    r"(?:long time,? no (?:see|talk|chat)|it's been a while|how nice|how lovely|me (?:too|neither)|"
    r"same here|likewise|you too|"
    r"so do i|neither do i|i know(?:,? right)?|i (?:totally |completely |"
    r"couldn't )?agree(?: more)?(?: with (?:you|that))?|i (?:bet|guess|hope|think|suppose) so|"
    r"i get (?:it|that|you)|i hear you|i understand|i can imagine|i believe it|i'll say|tell me (?:more|"
    r"about it|everything)|"
    r"let me know(?: [^.!?]{1,60})?|guess what|by the way|speaking of which|no way|you know(?: what)?|"
    r"what a \w+|no kidding|"
    r"let's (?:see|do it|go)|can't wait|not (?:yet|really|bad|at all)|never mind|hope so|count me in|"
    r"please do|poor (?:you|thing)|as (?:you|he|she|it|they|one) should|"
    r"(?:you(?:'re| are) )(?:simply )?the best|that must hurt|say hello(?: from me)?|i'm (?:all ears|"
    r"listening)|look at (?:you|that))",
    r"i'?m (?:so |really |very |too )*(?:glad|happy|sorry|thrilled|excited|proud)(?: (?:to hear (?:that|it|"
    r"this)|for you|of you|about that|you (?:like|liked|enjoyed) it|you think so))?",
    rf"(?:that|it|this|they|those|these|he|she|what)?(?:'?s|'re| is| are| was| were| would be| must be|"
    rf" must have been|"
    rf"'ll be| will be| has to be)? ?(?:sounds?|looks?|seems?)?(?: like)? ?{_VERY}{_ADJECTIVE}{_NOUN}",
    rf"how {_VERY}{_ADJECTIVE}",
    r"(?:i|you|he|she|it|they|we|there|that) (?:do(?:es)?|did|is|are|was|were|will|would|can|could|has|"
    r"have|had|should)",
    r"(?:so )?glad (?:that )?(?:you|it) (?:like|liked|enjoyed|love|loved|asked|found|helped|"
    r"worked)(?: (?:it|that|them))?",
    rf"(?:that|it|this) sounds {_VERY}\w+",
]
_FILLERS = [patterns.compile(rf"(?:{phrase})(?![\w'])", re.IGNORECASE) for phrase in _PHRASES]
_NEXT = patterns.compile(r"[\s,;:.!?…~\-–—&]+|(?=$)|[^\w\s]+")
_HAIL = patterns.compile(
    r"(?:[Hh](?:i|ey|ello|iya)|[Tt]hanks|[Cc]ongrats|[Bb]ye|[Ww]ow|[Gg]ood (?:morning|"
    r"evening)),? [A-Z]\w*(?=\s*(?:[,!.…]|$))"
)
_ADDRESSED = english.words_of(
    "all again dear everybody everyone folks friend girl guys man mate there you buddy too both"
)

_TAG = patterns.compile(
    r",?\s*(?:you know|right|no|okay|ok|eh|huh|(?:is|are|was|were|do|does|did|has|have|can|could|will|"
    r"would)(?:n't)? "
    r"(?:it|he|she|they|you|we|i|that)(?: think| agree)?|can you (?:believe|imagine) (?:it|that)|"
    r"guess what)\s*\?+$",
    re.IGNORECASE,
)
_TELLING = patterns.compile(
    r"^(?:did i (?:ever )?(?:tell|mention)(?: to)?(?: you)?|have i (?:ever )?(?:told|"
    r"mentioned)(?: to)?(?: you)?|"
    r"(?:do|did) you know|guess what|remember)(?: (?:that|how))?,?\s+(?=(?:i|i'm|i've|we|we've|we're|my|"
    r"our)\b)",
    re.IGNORECASE,
)
_STATED = patterns.compile(
    r"^(?:(?:and|but|so|well|also|yeah|oh),?\s+)*(?:i|i'm|i've|i'd|i'll|we|we're|we've|my|our)\b",
    re.IGNORECASE,
)
_MAY_I = patterns.compile(
    r"^(?:(?:and|but|so|well|oh),?\s+)*(?:i|we) (?:wonder|guess you|take it you)\b", re.IGNORECASE
)

# Where a statement ends and a question of its own begins in one sentence.
_ASKED = patterns.compile(
    r"(?P<end>\s*(?:[,;:]|\s[-–—]|[–—]|(?<!\.)\.\.++|…)\s*(?:(?:and|but|so|or|hey|well|oh)\s+)?|\s(?:and|but|so)\s+)"
    r"(?=(?:(?:who|whom|what|when|where|why|how|which)(?:'s|'re|'d)?\s+(?:(?:else|much|many|long|often|old|kind of"
    r"|sort of|about|on earth)\s+)?(?:\w+\s+)?(?:do|does|did|is|are|was|were|have|has|had|can|could|will|would"
    r"|shall|should|you|your|about)\b|(?:what|how) about\b|(?:what|who|where|when|how)(?:'s|'re)\s"
    r"|(?:do|does|did|is|are|am|was|were|have|has|had|can|could|will|would|shall|should|may|might)(?:n't)?\s+"
    r"(?:you|he|she|it|they|we|i|that|this|these|those|there|any\w*|your|his|her|their|the)\b"
    r"|(?:any|got any|fancy|care to|want to|wanna|know any|ever|you)\b|right\s*\?))",
    re.IGNORECASE,
)
# Before a question these make no statement: "If I come, will you be there?"
_SUBORDINATE = patterns.compile(
    r"^(?:(?:and|but|so|well|oh|hey|yeah|ok|okay|also|btw|by the way),?\s+)*(?:if|when|whenever|once|since|as|because|"
    r"while|although|though|unless|until|after|before|given|in case|besides|with|without|of all|speaking of|talking of|"
    r"(?:i|we)(?:'m| am|'re| are|'d| was| were)? (?:just )?"
    r"(?:wonder\w*|curious|(?:(?:want|have|need|like) to |must )?ask\w*|interested to know|love to know))\b",
    re.IGNORECASE,
)
_VERBS = "|".join(sorted(english.HABITUAL | english.UNCHANGING))
_SUBJECT_AND_VERB = patterns.compile(
    r"\b(?:i|we|he|she|they|it|there)(?:'\w+)?\s+(?!and\b|or\b)\w"
    rf"|\w\s+(?:is|isn't|are|aren't|wasn't|weren't|has|have|will|does|doesn't|\w{{2,}}ed|\w+n't|{_VERBS})\b",
    re.IGNORECASE,
)
_FEWEST_WORDS = 3

_AND_SO = r"^(?:(?:and|but|so|then|ok|okay|hey|oh|also|btw|by the way),?\s+)*"
_PLEASE = (
    r"(?:(?:please|pls|kindly),?\s+|(?:can|could|would|will) you (?:please |just |kindly )*"
    r"|i (?:want|need|'d like|would like) you to )"
)
_REMINDER = patterns.compile(
    rf"{_AND_SO}{_PLEASE}*(?:remind (?!me of)|reminder(?: to\b|:)|wake me\b|(?:don't|do not) let me forget\b"
    r"|(?:set|create|add|make|schedule) (?:me )?(?:(?:a|an|another|the|my) )?(?:\w+ )?(?:reminder|alarm|timer)\b)",
    re.IGNORECASE,
)
_TASKS = (
    r"(?:write|draft|translate|summari[sz]e|send|email|book|schedule|find|search|look up|show|tell|explain|generate|list"
    r"|order|buy|check|print|compare|convert|calculate|suggest|recommend|rewrite|proofread)"
)
_TASK = patterns.compile(
    rf"{_AND_SO}(?:{_PLEASE}+{_TASKS}|(?:tell|show|write|find|send|book|draft) me)\b(?! (?:that )?i\b)",
    re.IGNORECASE,
)
_TASK_AT_LAST = patterns.compile(rf"{_AND_SO}{_TASKS}\b[^.!?]*,? please\W*$", re.IGNORECASE)
_FOR_GOOD = patterns.compile(
    r"\b(?:always|never|from now on|in (?:the )?future|whenever|every time)\b", re.IGNORECASE
)

_QUESTION_START = patterns.compile(
    r"^(?:(?:and|but|so|well|oh|hey|wow|yeah|ok|okay)\W+)*(?:who|whom|whose|what|what's|when|where|why|how|"
    r"how's|which|"
    r"do|does|did|is|are|am|was|were|have|has|had|can|could|will|would|shall|should|may|might|any|got|ever|"
    r"you)(?:n't)?\b",
    re.IGNORECASE,
)


def is_order(sentence: str) -> bool:
    """Whether a sentence is nothing but a task for who listens: a reminder, or "please book a table".

    How one wants to be treated is no task: "please call me Annie", "please never use emojis".
    """
    plain = sentence.replace("’", "'").strip()
    if _FOR_GOOD.search(plain):
        return False
    return bool(_REMINDER.match(plain) or _TASK.match(plain) or _TASK_AT_LAST.match(plain))


def is_filler(sentence: str, names: Collection[str]) -> bool:
    """Whether a sentence is nothing but greetings, thanks, reactions and the names of those who talk."""
    rest = sentence.replace("’", "'").strip()
    if len(rest) > MAX_FILLER:
        return False
    called = {word.lower() for name in names for word in [name, *name.split()]} | _ADDRESSED
    while rest:
        shorter = _without_first(rest, called)
        if shorter == rest:
            return False
        rest = shorter
    return True


def stated(sentence: str) -> str | None:
    """What a sentence states: itself; if it only asks, None.

    "I got it, can you believe it?" states that I got it, "Did I tell you that I moved?" that I moved, and "I moved to
    Oslo, do you know it?" that I moved to Oslo.
    """
    if not sentence.rstrip("\"”'’)]}.! ").endswith("?"):
        return sentence
    before = _before_the_question(_TELLING.sub("", sentence))
    if before is not None:
        return before or None
    bare = _TAG.sub("", sentence)
    told = _TELLING.sub("", bare)
    if told != bare:
        return told.rstrip("?! ") + "."
    if _MAY_I.match(bare) or (bare == sentence and len(sentences.words(sentence)) < 6):
        return None
    if _STATED.match(bare):
        return bare if bare == sentence else bare.rstrip(" ,") + "."
    return (
        bare.rstrip(" ,") + "."
        if bare != sentence and len(sentences.words(bare)) >= 4 and not _asks(bare)
        else None
    )


def _before_the_question(sentence: str) -> str | None:
    """The statement before a question in the same sentence, empty if what is there states nothing; None without any.

    A tag at the end ("don't they?") is no question of its own.
    """
    asked = list(_ASKED.finditer(sentence))
    for found in asked:
        told = sentence[: found.start()].rstrip(" ,;:-–—.…")
        is_whole = len(sentences.words(told)) >= _FEWEST_WORDS and _SUBJECT_AND_VERB.search(told)
        if is_whole and not _asks(told) and not _SUBORDINATE.match(told) and not _MAY_I.match(told):
            return told + "."
    ends = len(_TAG.sub("", sentence))
    return "" if any(found.start() < ends for found in asked) else None


def _asks(text: str) -> bool:
    return bool(_QUESTION_START.match(text))


def _without_first(rest: str, called: Collection[str]) -> str:
    """The text without its first filler or name and the signs after it."""
    signs = _NEXT.match(rest)
    if signs and signs.end():
        return rest[signs.end() :]
    word = patterns.compile(r"[\w']+").match(rest)
    if word and word.group().lower().removesuffix("'s") in called:
        return rest[word.end() :]
    hail = _HAIL.match(rest)
    return rest[hail.end() if hail else _longest(rest) :]


def _longest(rest: str) -> int:
    """Length of the longest filler at the start that ends where a word ends."""
    ends = [0]
    for pattern in _FILLERS:
        match = pattern.match(rest)
        if match:
            ends.append(match.end())
    return max(ends)
