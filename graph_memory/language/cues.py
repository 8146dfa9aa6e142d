"""Words that tell how a statement stands to what was said before: change, addition, event, plan, cause."""

from __future__ import annotations

import re

from graph_memory.language import patterns


def found_in(text: str) -> frozenset[str]:
    """The names of the cues in a lower-case text."""
    affirmed = _DENIED.sub(" ", text)
    return frozenset(
        name for name, pattern in _CUES.items() if pattern.search(affirmed if name in _DENIABLE else text)
    )


def without_change(text: str) -> str:
    """The text without words that only say that something is new, so that its frame can be compared."""
    return _ONLY_NEW.sub(" ", text)


def outcome(old: str, new: str) -> str | None:
    """The name of the course of events that leads from the old lower-case text to the new one, or None.

    What people know of the world in a table: who looked for a job and accepted an offer looks no longer.
    """
    affirmed = _DENIED.sub(" ", new)
    return next(
        (name for name, before, after in _COURSES if before.search(old) and after.search(affirmed)), None
    )


def opposed(old: frozenset[str], new: frozenset[str]) -> bool:
    """Whether a word of one text and a word of the other exclude each other (on, off)."""
    return any((word in old and _OPPOSITE[word] & new) for word in old & _OPPOSITE.keys())


def _any(*phrases: str) -> re.Pattern[str]:
    return patterns.compile(rf"(?<![\w-])(?:{'|'.join(phrases)})(?![\w-])".replace(" ", r"\s+"))


_ONLY_NEW = _any(
    "now", "nowadays", "these days", "currently", "at the moment", "at present", "as of (?:today|now)",
    "from now on", "still", "recently", "lately", "finally", "meanwhile", "correction", "update",
)  # fmt: skip

# A change that is denied ("has not been closed yet") is none.
_DENIED = patterns.compile(
    r"(?:\bnot|n't|\bnever|\bwithout|\bmust be|\bmust|\bshould be|\bto be)"
    r"(?:\s+(?:been|be|yet|ever|being|really))*\s+\w+(?:ed|en|d|t|ing)?\b(?! any)"
)
_DENIABLE = frozenset({"switch", "ending", "beginning"})

_CUES = {
    "now": _any(
        "now", "nowadays", "these days", "currently", "at the moment", "as of", "from now on", "at last",
        "finally", "recently", "since then", "by now", "lately", "for good", "after all",
        r"(?:the|an?|my|our|your|his|her|its|their|#self#|\w+'s) new", "starting", "effective", "latest", "(?:is|are|am) back",
        r"from (?:january|february|march|april|may|june|july|august|september|"
        r"october|november|december|monday|next) ?\w*",
    ),
    "since": _any(
        "since", "after the", "ever since", "following", "this season", "this year", "this month",
    ),
    "no_longer": _any(
        "no longer", r"(?:not|n't|no|nothing|never|none)\b.{0,60}?\b(?:any ?more|any longer)", "any ?more",
        "any longer", "used to", "formerly", "previously", "instead of", "instead", "rather than before",
        r"(?:is|are|was) (?:gone|over|history|obsolete|outdated|off the table)", "not .{0,30} after all",
        "in place of",
    ),
    "switch": _any(
        r"switch(?:ed|es|ing)?", r"chang(?:ed|es|ing)", r"mov(?:ed|es|ing)(?! (?:film|story|speech))",
        r"migrat(?:ed|es|ing)", r"replac(?:ed|es|ing)", r"renam(?:ed|es|ing)", r"relocat(?:ed|es|ing)",
        r"transferred", r"reassigned", r"convert(?:ed|s|ing)", r"port(?:ed|ing)", r"rewr(?:ote|itten)",
        r"upgraded", r"downgraded", r"promoted", r"rescheduled", r"postponed", r"delayed", r"extended",
        r"pushed (?:back|out|to)", r"brought forward", r"raised", r"reduced", r"lowered", r"increased",
        r"cut (?:down|back|to)", r"was cut", r"bumped",
        r"(?:dropped|rose|went up|went down|fell|grew|grown|shrunk|down|up) to", r"doubled", r"halved",
        r"turned (?:on|off|down|up|into)", r"became", r"become", r"becoming", r"took over", r"taken over",
        r"handed (?:over|in)", r"succeeded", r"swapped", r"traded", r"went from", r"ditched",
        r"settled on", r"merged into", r"rolled out", r"elected", r"appointed",
        r"has (?:gone|grown|come to)", r"have (?:gone|come to)",
        r"gone (?:vegan|vegetarian|remote|digital)", "revised", "corrected", "correction", "updated",
        "moved over", "in favou?r of", "shortened", "lengthened", "shifted", "reverted", "rebranded",
        "converted", "consolidated",
    ),
    "ending": _any(
        r"quit", r"left (?!hand|arm|leg|knee|foot|side|wrist|ear|eye|lower|upper)", r"stopped", r"ended",
        r"gave up", r"given up", r"giving up", r"dropped(?: out)?", r"sold", r"cancel+ed", r"terminated",
        r"resigned", r"retired", r"was fired", r"laid off", r"let go", r"closed(?! on)", r"shut down",
        r"switched off", r"discontinued", r"deprecated", r"removed", r"deleted", r"abandoned",
        r"called off", r"died", r"passed away", r"divorced", r"split up", r"broke up", r"separated",
        r"finished", r"completed", r"healed", r"recovered", r"cured", r"fixed", r"resolved", r"repaired",
        r"solved", r"came off", r"stepped down", r"unsubscribed", r"got rid of", r"gave away",
        r"given away", r"stolen", r"threw (?:out|away)", r"returned", r"paid (?:off|back)", r"wound up",
        r"expired", r"lapsed", r"outgrown", r"outgrew", r"decommissioned", r"retires", r"phased out",
        r"withdrawn", r"withdrew", r"hasn't .{0,20} (?:for|since)", r"haven't .{0,20} (?:for|since)",
        r"won't", r"is gone", r"are gone", r"dug up",
    ),
    "beginning": _any(
        r"started", r"began", r"begun", r"joined", r"joins", r"bought",
        r"got (?:a|an|married|engaged|promoted|hired)", r"adopted", r"hired", r"accepted", r"signed up",
        r"took up", r"taken up", r"married", r"gave birth", r"was born", r"passed", r"graduated",
        r"launched", r"opened", r"introduced", r"enabled", r"approved", r"granted", r"landed",
        r"has been seeing", r"fell in love", r"enrolled",
    ),
    "additive": _any(
        "also", "too", "as well", "another", "additionally", "in addition", "besides", "second", "third",
        "other", "both", "alongside", "on top of", "plus", "further", "extra", "either", "side",
    ),
    "event": _any(
        "yesterday", "today", "tonight",
        "last (?:night|week|weekend|month|spring|summer|autumn|winter|fall|time|" "year|#[a-z]+#)",
        "this (?:morning|afternoon|evening|week|weekend)", r"(?:days?|weeks?|months?|hours?|minutes?) ago",
        "earlier", "on #[a-z]+#", "on the weekend", "again", "just",
        "at the (?:weekend|concert|party|wedding|conference|meeting)",
    ),
    "habit": _any(
        "always", "usually", "often", "every", "each", "generally", "normally", "tends?", "regularly",
        "rarely", "seldom", "sometimes", "most (?:days|mornings|evenings)", "daily", "weekly", "monthly",
        "a (?:day|week|month|year)", "per (?:day|week|month|year)", "typically", "on #[a-z]+#s",
    ),
    "plan": _any(
        "plans?", "planning", "going to", "wants?", "would like", "hopes?", "hoping", "intends?",
        "considers?", "considering", "thinking (?:about|of)", "might", "maybe", "perhaps", "will",
        "is due", "expecting", "expects", "looking (?:for|into|at)", "looks for", "saving (?:up )?for",
        "waiting", "applied", "dreams? of", "aims? to", "aiming", "about to", "upcoming", "scheduled",
        "soon", "next (?:week|month|year|spring|summer|autumn|winter)", "evaluating", "exploring",
        "trying to",
    ),
    "past": _any(
        "was", "were", "had", "did", "as a (?:child|kid|student|boy|girl|teenager)", "in (?:19|20)\\d\\d",
        "back (?:then|in)", "years ago", "once", "in college",
        "in (?:his|her|my|their) (?:youth|twenties|thirties)",
    ),
    "because": _any(
        "because(?: of)?", "due to", "owing to", "thanks to", "as a result", "therefore",
        "which (?:made|caused|led|means|meant)", "caused by", "caused", "led to", "leading to",
        "so (?:that )?(?:he|she|they|we|i|it|the)", "that is why", "that's why",
        "as there (?:was|were|is)", "since (?:it|he|she|they|we|the|there)", "consequently", "resulted in",
        "triggered", "after which", "hence", "for want of",
    ),
    "purpose": _any(
        "in order to", "so that", "so as to",
        "to (?:save|avoid|be|get|help|have|make|keep|learn|speed|stay|improve|spend|"
        "reduce|cut|prepare|protect|prevent|stop|fix|meet|find|become|practise|" "practice)",
        "with the aim", "for the sake of", "hoping to", "decided", "chose", "picked", "opted", "signed up",
        "motivated",
    ),
    "says": _any(
        "says", "said", "claims?", "claimed", "according to", "reports", "insists?", "told (?:us|me|them)",
        "is certain", "is sure", "states", "thinks", "believes", "remembers", "shows that", "swears",
        "maintains that", "argues", "reported", "in \\w+'s memory", "recalls", "lists",
    ),
    "believed": _any(
        "believed", "assumed", "thought", "was blamed", "were blamed", "suspected", "supposedly",
        "supposed", "expected", "was convinced", "the theory", "hypothesis", "guess(?:ed|es)?", "seemed",
        "apparently", "presumed", "we think", "probably",
    ),
    "disproof": _any(
        "proved", "proven", "turned out", "turns out", "it emerged", "evidence", "showed", "shows",
        "found nothing", "ruled out", "disproved", "revealed", "confirmed that", "in fact", "actually",
        "excludes", "refuted", "the real cause", "was fine", "nothing wrong", "no evidence",
        "the test came back",
    ),
    "blocker": _any(
        "bankrupt", "closed", "frozen?", "froze", "shut down", "cancel+ed", "forbade", "forbidden",
        "banned", "sold out", "fully booked", "broke", "tore", "injured", "ill", "sick", "off",
        "unavailable", "impossible", "rejected", "denied", "lost (?:his|her|my|their)", "ran out",
        "no longer (?:possible|available)", "flooded", "burnt down", "burned down", "on strike", "strike",
        "withdrew", "until further notice", "out of stock", "failed", "snow(?:ed)? in", "grounded",
        "expired", "vetoed",
    ),
    "hedge": _any(
        "maybe", "perhaps", "might", "possibly", "probably", "not sure", "could", "considering", "unsure",
    ),
    "single": _any(
        r"favou?rite\w*", "main", "primary", "default", "best", "current", "currently", "name", "named",
        "called", "address", "deadline", "code", "password", "number", "version", "capital", "owner",
        "captain", "ceo", "head", "leader", "maintainer", "lives?", "based", "located",
        "works (?:at|for|as)", "reports? to", "married", "weighs?", "height", "age", "years old",
        "is set to", "set to", "runs on", "hosted", "deployed", "costs?", "price", "rent", "budget",
        "salary", "size", "status", "assigned", "due", "starts? at", "begins? at", "leaves at",
        "opens? at", "closes? at", "takes place", "stored", "stores", "kept", "keeps",
        "written in", "drives", "plan", "surname", "email", "phone", "manager", "boss", "landlord",
        "timezone", "time zone", "wants .{1,40} as", "limit", "threshold", "port", "extension",
        "is on #[a-z]+#", "is at #[a-z]+#", "is (?:on|off|open|closed)",
    ),
    "many": _any(
        "likes?", "loves?", "enjoys?", "dislikes?", "hates?", "plays?", "owns?", "allergic", "knows",
        "visited", "met", "bought", "collects?", "reads?", "watched", "friends?", "has an?", "have an?",
        "speaks?", "interested", "fan of", "supports?", "learning", "takes", "afraid", "member", "been to",
        "has applied", "waiting for", "wants? to", "listens?", "bug", "is into", "cooked?", "cooking",
        "recommends?",
    ),
    "said_of_another": _any(
        "(?:his|her|my|their|the|user's|#self#) (?:wife|husband|partner|sister|"
        "brother|mother|father|son|daughter|cousin|aunt|uncle|parents?|flatmate|"
        "roommate|colleague|boss|neighbour|friend|girlfriend|boyfriend|grandmother|"
        "grandfather|niece|nephew|children|twin|best friend|competitor|other team)",
        "another (?:customer|user|team|person|project|colleague|client)",
        "the other (?:team|customer|project|one|office)", "someone else",
        r"(?!user)\w+'s (?:wife|husband|partner|sister|brother|mother|father|son|"
        r"daughter|cousin|aunt|uncle|friend|twin|team|parents|cat|dog)",
    ),
}  # fmt: skip

_AMISS = _any(
    "broken?", "cracked", "faulty", "blocked", "locked", "vacant", "empty", "unpaid", "overdue", "owes?", "down",
    "out of (?:order|work|stock|action|service)", "off", "disabled", "unavailable", "closed", "shut", "ill", "sick", "missing",
    "lost", "stuck", "suspended", "pending", "waiting", "awaiting", "away", "on leave", r"on \w+ leave", "ordered",
    "on (?:its|the) way", "outage", "defective", "leaks?", "fails?", "failing", "crashes", "in hospital", "in rehab",
    "injured", "unemployed", "open ticket", "frozen", "flat tyre", "hoping to", "looking for", "hunting",
)  # fmt: skip
_IN_ORDER = _any(
    "works?", "working again", "running", "runs again", "opens?", "reopened", "paid", "filled", "unlocked", "unblocked",
    "repaired",
    "fixed", "healed", "recovered", "back", "arrived", "came", "come home", "is here", "are here", "found",
    "turned up", "delivered", "available", "up again", "is on", "enabled", "resolved", "granted", "approved", "healthy",
    "discharged", "at home", "reached", "back home", "mended", "up and running", "heating again", "again", "has moved in",
)  # fmt: skip


def condition(text: str, denies: bool) -> int:
    """1 where the lower-case text says that something is as it should be, -1 where it is amiss, 0 if neither shows.

    What is not open is closed: a denial turns it round.
    """
    amiss, in_order = bool(_AMISS.search(text)), bool(_IN_ORDER.search(text))
    if amiss == in_order:
        return 0
    return (-1 if amiss else 1) * (-1 if denies else 1)


_COURSES = [
    (name, patterns.compile(before), patterns.compile(after))
    for name, before, after in (
        (
            "looked for, found",
            (r"\b(?:look(?:s|ing)? for|search(?:es|ing)? for|job.?hunting|hunting for|"
             r"seeking|lost|missing|in search of|needs? an?)\b"),
            (r"\b(?:accepted|found|hired|signed|got|bought|landed|starts?|started|joined|"
             r"moved in|turned up|chose|picked|filled)\b"),
        ),
        (
            "pregnant, born",
            r"\b(?:expecting|pregnant|is due|baby is due|trying for a baby)\b",
            (r"\b(?:gave birth|was born|is born|were born|arrived|newborn|has a (?:son|"
             r"daughter|baby)|miscarr\w+)\b"),
        ),
        (
            "planned, done",
            (r"\b(?:plans?|planning|wants?|wanted|hopes?|going to|intends?|"
             r"thinking (?:about|of)|considering|saving|would like|dreams? of|aims?|"
             r"about to|will|preparing|training for|studying for|expects?)\b"),
            (r"\b(?:bought|finished|completed|has (?:bought|built|moved|opened|started|"
             r"run|made|got|taken)|did|passed|signed|moved|opened|built|got|booked|won't|"
             r"dropped the (?:idea|plan)|decided against|no longer plans|gave up|"
             r"called off|shelved|launched|shipped|published|ran|went|learned|adopted|"
             r"hired|adopted|proposed|succeeded|failed|withdrew|enrolled|released)\b"),
        ),
        (
            "engaged, married",
            (r"\b(?:engaged|fiancée?|dating|girlfriend|boyfriend|partner|together with|"
             r"in a relationship|seeing)\b"),
            (r"\b(?:married|wedding was|wife|husband|broke up|split up|separated|"
             r"is single|engaged|parted|moved in together)\b"),
        ),
        (
            "married, parted",
            r"\b(?:married|wife|husband|marriage)\b",
            r"\b(?:divorc\w+|separated|widow\w*|split up|ex-(?:wife|husband))\b",
        ),
        (
            "alone, together",
            r"\bsingle\b|\bdivorced\b|\bwidow\w*",
            (r"\b(?:dating|seeing|in a relationship|engaged|girlfriend|boyfriend|married|"
             r"moved in with|partner)\b"),
        ),
        (
            "broken, repaired",
            (r"\b(?:broken?|cracked|faulty|leak\w*|doesn't work|does not work|"
             r"isn't working|not working|out of order|bug|crash\w*|fails?|failing|down|"
             r"defective|damaged|stuck|jammed|flat tyre|problem|issue|drops|wrong)\b"),
            (r"\b(?:fixed|repaired|replaced|works again|working again|is back|resolved|"
             r"solved|patched|mended|running again|runs again|serviced|no longer)\b"),
        ),
        (
            "ill, well",
            (r"\b(?:ill|sick|broke|broken|injur\w+|sprain\w*|tore|torn|diagnosed|"
             r"recovering|pain|hurts?|ache\w*|\w+ache|infection|flu|fever|cold|covid|"
             r"surgery|allerg\w+|anaemi\w+|anemi\w+|pneumonia|depress\w+|cast|crutches|"
             r"limping)\b"),
            (r"\b(?:recovered|healed|healthy|cured|better|is gone|are gone|gone|"
             r"cast is off|remission|back to normal|all clear|discharged|no longer|"
             r"came back negative|symptom-free|pain-free|walks without|off the crutches|"
             r"disappeared|cleared up|back on)\b"),
        ),
        (
            "waited, decided",
            (r"\b(?:waiting|awaiting|applied|application|pending|submitted|under review|"
             r"requested|ordered|in transit|on its way|on order|candidate)\b"),
            (r"\b(?:granted|approved|rejected|accepted|arrived|came|delivered|declined|"
             r"refused|received|is here|signed|merged|denied|got|turned down|published|"
             r"picked up)\b"),
        ),
        (
            "learned, passed",
            (r"\b(?:learning|stud(?:y|ies|ying)|training|in training|lessons|course|"
             r"preparing for|apprentice\w*|student|degree|trainee|junior|intern)\b"),
            (r"\b(?:passed|graduated|finished|completed|certified|qualified|dropped out|"
             r"failed|licensed|licence|stopped|changed|fluent|well enough|senior|promoted|"
             r"diploma|full-time|gave up)\b"),
        ),
        (
            "made, finished",
            (r"\b(?:writing|writes|reading|building|working on|renovating|making|"
             r"currently|building|painting|knitting|developing|in the middle of)\b"),
            (r"\b(?:finished|published|completed|abandoned|gave up|is done|released|"
             r"submitted|scrapped|shelved)\b"),
        ),
        (
            "open, closed",
            (r"\b(?:open|unresolved|in progress|to do|todo|ongoing|under investigation|"
             r"blocked)\b"),
            (r"\b(?:closed|resolved|done|fixed|merged|completed|unblocked|shipped|"
             r"won't fix)\b"),
        ),
        (
            "subscribed, cancelled",
            (r"\b(?:subscri\w+|member\w*|contract|plan|booked|reservation|reserved|ticket|"
             r"tickets|appointment|meeting|trip|flight|pays for|season ticket|lease)\b"),
            (r"\b(?:cancel+ed|unsubscribed|terminated|ended|called off|expired|downgraded|"
             r"upgraded|let .{1,30} lapse|gave up|postponed|rebooked|rescheduled|"
             r"refunded)\b"),
        ),
        (
            "in hospital, home",
            (r"\b(?:in (?:the )?hospital|hospitali[sz]ed|intensive care|in rehab|prison|"
             r"jail|abroad|on leave|on holiday|on vacation|on sabbatical|parental leave|"
             r"maternity leave|away)\b"),
            r"\b(?:discharged|home|released|back|returned|passed away|died)\b",
        ),
        (
            "had, gave away",
            r"\b(?:has|have|had|owns?|own|drives?|keeps?|rides?|rents?|plays)\b",
            (r"\b(?:sold|gave away|given away|got rid of|stolen|died|passed away|put down|"
             r"lost|traded|scrapped|donated|threw out|returned|wrecked|totalled|moved out|"
             r"gave up|ran away|rehomed)\b"),
        ),
        (
            "lived, moved",
            (r"\b(?:lives?|living|based|resides?|rents?|flat|apartment|house|home|located|"
             r"office|address|headquarter\w*|housed|stays? with)\b"),
            (r"\b(?:moved|moving|relocated|new (?:flat|apartment|house|home|address|"
             r"office)|moved (?:in|out)|bought a (?:house|flat))\b"),
        ),
        (
            "worked, left",
            (r"\b(?:works?|working|employ\w+|job|position|role|boss|manager|team|company|"
             r"teaches|teacher|nurse|engineer|leads?|runs|captain|ceo|head|chairs?|"
             r"president|treasurer|maintain\w*|coach\w*)\b"),
            (r"\b(?:quit|left|resigned|retired|joined|fired|laid off|handed in|new job|"
             r"accepted|promoted|transferred|stepped down|took over|replaced|succeeded|"
             r"made redundant|hired by|switched to|started at|moved to|elected|"
             r"appointed)\b"),
        ),
        (
            "did, stopped",
            (r"\b(?:smokes?|drinks?|eats?|goes|plays|runs|takes|does|uses|attends?|"
             r"volunteers?|practi[sc]es|teaches|follows|fasts)\b"),
            (r"\b(?:quit|stopped|gave up|given up|hasn't|haven't|no longer|off|sober|"
             r"cut down|cut out|any ?more|switched)\b"),
        ),
        (
            "owed, paid",
            (r"\b(?:owes?|debt|loan|mortgage|borrowed|lent|unpaid|outstanding|overdue|"
             r"owing)\b"),
            (r"\b(?:paid|repaid|returned|settled|cleared|gave .{1,20} back|forgiven|"
             r"handed back)\b"),
        ),
        (
            "off, on",
            r"\b(?:off|disabled|inactive|muted|not enabled|paused|closed)\b",
            (r"\b(?:turned on|switched on|enabled|activated|is on|live|resumed|reopened|"
             r"unmuted|opens?)\b"),
        ),
        (
            "on, off",
            r"\b(?:on|enabled|active|live|running|open)\b",
            (r"\b(?:turned off|switched off|disabled|deactivated|is off|shut down|paused|"
             r"closed)\b"),
        ),
        (
            "used, replaced",
            (r"\b(?:uses?|using|runs?|stor\w+|kept|keeps|written|built|hosted|deploy\w*|"
             r"tracks?|manag\w+|sits|goes through|works with|talks?|chats?|backed|"
             r"written in|in)\b"),
            (r"\b(?:migrated|moved|ported|replaced|switched|rewritten|rewrote|converted|"
             r"swapped|dropped|ditched|retired|decommissioned|phased out|abandoned|"
             r"transitioned|adopted)\b"),
        ),
    )
]  # fmt: skip

_PAIRS = """
    on off|open closed|open shut|enabled disabled|enable disable|active inactive|single married|married divorced
    like dislike|lik dislik|lik hat|lov hat|enjoy hat|lov dislik|enjoy dislik|prefer dislik|lik detest|lov detest
    morning evening|morning night|morning afternoon|before after|hot cold|warm cold|early late|left right|up down
    start stop|begin end|buy sell|win los|increas decreas|rais lower|more less|high low|cheap expensive|big small
    large small|long short|fast slow|quick slow|easy hard|easy difficult|full empty|full part|free paid|new old
    happy unhappy|happy sad|healthy ill|healthy sick|well ill|awak asleep|alive dead|liv die|present absent
    public privat|remot office|remot onsite|light dark|tab spac|online offline|manual automatic|optional mandatory
    optional requir|allow forbid|allow ban|allowed forbidden|accept reject|accept declin|approv reject|pass fail
    includ exclud|includ without|with without|always never|all none|everyone nobody|veget meat|vegan meat
    employ unemploy|employed unemployed|working retired|work retir|tru fals|yes no|good bad|best worst|first last
    safe dangerous|saf dangerous|clean dirty|quiet noisy|quiet loud|strong weak|sweet sour|wet dry|rich poor
    young old|thick thin|inside outside|indoor outdoor|upstairs downstairs|weekday weekend|summer winter
    spring autumn|urban rural|city countrysid|city country|junior senior|temporary permanent|pending approv
    available unavailable|availabl unavailabl|possibl impossibl|visibl hidden|stabl unstabl|supported unsupported
    monthly weekly|week month|day week|month year|day month|pregnant born|broken fix|break fix|break repair
"""
_OPPOSITE: dict[str, frozenset[str]] = {}
for _line in _PAIRS.replace("\n", "|").split("|"):
    if _two := _line.split():
        for _one, _other in (_two, _two[::-1]):
            _OPPOSITE[_one] = _OPPOSITE.get(_one, frozenset()) | {_other}
