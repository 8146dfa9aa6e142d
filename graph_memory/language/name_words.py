"""Words that tell names from other words: the ordinary ones, and those that names are made of."""

from __future__ import annotations

from graph_memory.language.english import ADVERBS, MONTHS, NOT_A_VERB, UNCHANGING, WEEKDAYS, words_of

# What stands inside a name, and what one begins with: Lake of the Woods, New York.
JOINING = words_of("of do de van von der da di del la le")
BEGINNING = words_of("new north south east west")
# What bears the name of a place or person: Bank of America, Charles River.
BEARERS = words_of(
    """
    abbey academy agreement airport arena avenue award bank bay board bridge building cape cathedral cemetery chapel
    church city clinic college court cross day department duke falls foundation garden gardens gulf hall harbour
    hospital hotel house institute island isle kingdom lake library ministry mountain museum palace park peak point
    port prize pub republic river road school springs square stadium state station street theater theatre tower university
    valley woods
    """
)
# Parts that people play in a conversation are nobody's names.
ROLES = words_of("user users assistant speaker system human bot chatbot ai agent")
ORDINARY = (
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
