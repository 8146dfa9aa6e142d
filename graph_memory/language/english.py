"""Tables of English words that the rules of this package share. All are lower case."""

from __future__ import annotations


def words_of(text: str) -> frozenset[str]:
    """The words of a table."""
    return frozenset(text.split())


MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip

# Verbs whose form does not change with the person.
UNCHANGING = words_of(
    """
    was were had did could would should might must can cannot may will shall ought used gonna gotta
    wanna wasn't weren't hadn't didn't couldn't wouldn't shouldn't mightn't mustn't can't won't
    shan't became began bent bet bit bled blew bought bound bred broke brought built burnt burst
    came cast caught chose clung cost crept cut dealt drank drawn dreamt drew drove dug fed fell
    felt flew fled forgave forgot fought found froze gave got grew heard held hid hit hung hurt kept
    knelt knew laid lay leant learnt led left lent let lit lost made meant met paid put quit ran
    rang read rode rose said sang sank sat saw sent set shone shook shot shut slept slid sold sought
    spent spilt spoke spread sprang spun stole stood stuck struck stung swam swept swore swung
    taught thought threw told took tore understood upset wept went withdrew woke won wore wound wove
    wrote overcame overslept rewrote rebuilt mistook misunderstood outgrew undertook
    """
)
# What one person does, in the present: common verbs in the form that he and she take.
HABITUAL = words_of(
    """
    accepts agrees asks attends bakes becomes begins believes belongs bikes brings builds buys
    collects comes considers cooks cycles dances decides directs dislikes does drinks drives earns
    eats edits enjoys explains feels finds founds gets gives goes grows hates heads hears helps hikes
    hopes interns joins keeps knits knows leads learns likes listens lives loves makes manages
    meets moves needs organises organizes owns paints photographs plans plays practises
    practices prefers promises reads recommends remembers rents rides runs says seems sells sends
    sews shares sings sits skis sleeps speaks spends starts stays studies suggests supports swims
    takes talks teaches tells thinks trains travels tries turns understands uses visits volunteers
    walks wants watches wears wishes wonders works worries writes
    """
)
PARTICIPLES = words_of(
    """
    been become begun broken brought built bought caught chosen come done drawn driven drunk eaten
    fallen felt flown forgotten found frozen given gone gotten got grown had heard held hidden kept
    known laid left lent lost made meant met paid quit ridden risen run said sat seen sent set shown
    slept sold spent spoken stolen stood sung taken taught thought thrown told understood woken won
    worn written
    """
)
ENDS_IN_ED_YET_BASE = words_of(
    "need feed speed exceed proceed succeed embed bleed breed weed seed heed shed wed"
)
ENDS_IN_ING_YET_BASE = words_of("bring sing ring cling swing spring fling sting string ping")
THIRD_PERSON = {
    "am": "is", "are": "is", "have": "has", "do": "does", "go": "goes",
    "haven't": "hasn't", "don't": "doesn't", "ain't": "isn't", "aren't": "isn't",
    "havent": "hasnt", "dont": "doesnt", "aint": "isnt", "arent": "isnt",
    "wanna": "wants to", "gotta": "has to", "dunno": "doesn't know",
}  # fmt: skip
ADVERBS = words_of(
    """
    also always almost already ever even hardly just maybe never now often once only perhaps quite
    rarely rather really seldom simply sometimes soon still then though too usually kinda sorta sort
    kind of totally honestly truly both all currently recently finally not actually definitely
    probably certainly mostly mainly
    """
)
# Words after "I" that show that no verb follows.
NOT_A_VERB = words_of(
    """
    and or but nor if in on at to for with from by of as than because that which who whom whose when
    where while the a an my your his her its our their this these those so yet too he she they we
    you it myself alone
    """
)
FUTURE_CUE = (
    r"\b(?:will|shall|going to|gonna|plan(?:s|ning)?(?: to)?|hop(?:e|es|ing) to|upcoming|let's|wants? to|"
    r"due|soon)\b"
    r"|'ll\b|\bwon't\b|(?:\b(?:am|is|are)|'m|'re|'s) (?:not |also |all )?(?!\w*thing\b)\w+ing\b"
)
PAST_CUE = r"\b(?!(?:need|feed|speed|bed|red|wed|shed|hundred)\b)\w{2,}ed\b"
PAST_FORMS = UNCHANGING - words_of(
    """
    could would should might must can cannot may will shall ought gonna gotta wanna couldn't
    wouldn't shouldn't mightn't mustn't can't won't shan't bet cost cut hit hurt let put quit read
    set shut spread burst cast upset lay found left lit wound saw
    """
) | frozenset(["saw", "left", "found"])
