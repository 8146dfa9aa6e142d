"""The words that times are told in. All that is data stands here; words are in lower case."""

from __future__ import annotations

from graph_memory.language.english import MONTHS as MONTH_NAMES
from graph_memory.language.english import NUMBERS, WEEKDAYS

DAYS = {name.lower(): at for at, name in enumerate(WEEKDAYS)} | {
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "weds": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6,
}  # fmt: skip
# Several of a weekday, as habits have them.
MANY_DAYS = {f"{name.lower()}s": at for at, name in enumerate(WEEKDAYS)}
MONTHS = {name.lower(): at for at, name in enumerate(MONTH_NAMES, 1)}
MONTHS |= {name[:3]: at for name, at in MONTHS.items()} | {"sept": 9}
NEAR_DAYS = {
    "today": 0, "tomorrow": 1, "tmrw": 1, "tmr": 1, "tmw": 1, "tomo": 1, "tomoz": 1, "tomorow": 1, "tommorow": 1,
    "tommorrow": 1, "tom": 1, "yesterday": -1, "yday": -1, "the day after tomorrow": 2,
    "the day before yesterday": -2, "day after tomorrow": 2, "day before yesterday": -2, "overmorrow": 2,
}  # fmt: skip
# Month and day, or days from easter sunday.
FEASTS: dict[str, tuple[int, int] | int] = {
    "christmas": (12, 25), "xmas": (12, 25), "christmas day": (12, 25), "xmas day": (12, 25),
    "christmas eve": (12, 24), "xmas eve": (12, 24), "boxing day": (12, 26), "new year": (1, 1), "new year's": (1, 1),
    "new year's day": (1, 1), "new years": (1, 1), "new years day": (1, 1), "new year's eve": (12, 31),
    "new years eve": (12, 31), "nye": (12, 31), "halloween": (10, 31), "valentine's": (2, 14),
    "valentine's day": (2, 14), "valentines": (2, 14), "valentines day": (2, 14), "epiphany": (1, 6),
    "twelfth night": (1, 5), "groundhog day": (2, 2), "women's day": (3, 8), "international women's day": (3, 8),
    "st patrick's day": (3, 17), "saint patrick's day": (3, 17), "st . patrick's day": (3, 17),
    "april fool's day": (4, 1), "april fools": (4, 1), "april fools day": (4, 1), "april fools ' day": (4, 1),
    "april fool's": (4, 1), "earth day": (4, 22), "may day": (5, 1), "midsummer's day": (6, 24),
    "midsummer day": (6, 24), "juneteenth": (6, 19), "canada day": (7, 1), "independence day": (7, 4),
    "bastille day": (7, 14), "bonfire night": (11, 5), "guy fawkes night": (11, 5), "all saints ' day": (11, 1),
    "all saints day": (11, 1), "all souls ' day": (11, 2), "all souls day": (11, 2), "armistice day": (11, 11),
    "remembrance day": (11, 11), "veterans day": (11, 11), "st nicholas day": (12, 6), "st stephen's day": (12, 26),
    "hogmanay": (12, 31), "easter": 0, "easter sunday": 0, "easter day": 0, "easter monday": 1, "good friday": -2,
    "palm sunday": -7, "ash wednesday": -46, "shrove tuesday": -47, "pancake day": -47, "maundy thursday": -3,
    "ascension day": 39, "pentecost": 49, "whit sunday": 49, "whit monday": 50,
}  # fmt: skip
COUNTS = NUMBERS | {
    "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100, "a hundred": 100,
}  # fmt: skip
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}  # fmt: skip
TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50}
THEN = {"that day": 0, "that date": 0, "same day": 0, "same date": 0, "the same day": 0, "then": 0, "the day before": -1,
        "day before": -1, "the night before": -1, "night before": -1, "the day after": 1, "day after": 1}  # fmt: skip
UNITS = {
    spelled: unit
    for unit, spellings in {
        "minute": "minute minutes min mins", "hour": "hour hours hr hrs", "day": "day days", "week": "week weeks wk wks",
        "fortnight": "fortnight fortnights", "month": "month months mth mths", "quarter": "quarter quarters",
        "year": "year years yr yrs", "decade": "decade decades", "weekend": "weekend weekends", "night": "night nights",
    }.items()
    for spelled in spellings.split()
}  # fmt: skip
PARTS = {"morning": "morning", "afternoon": "afternoon", "arvo": "afternoon", "lunchtime": "lunchtime", "evening": "evening",
         "eve": "evening", "night": "night"}  # fmt: skip
# Several of a part of a day, as habits have them.
MANY_PARTS = frozenset(f"{part}s" for part in PARTS)
# The hour that stands for a part of a day.
PART_HOURS = {"morning": 9, "lunchtime": 12, "afternoon": 14, "evening": 18, "tonight": 20, "night": 22}
# First and last month.
SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11), "winter": (12, 2)}
SEASON_TIMES = {f"{season}time": season for season in ("spring", "summer", "winter")} | {
    each: each for each in SEASONS
}
DECADES = {"twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80,
           "nineties": 90}  # fmt: skip
SIDES = {"this": 0, "the": 0, "current": 0, "the current": 0, "this coming": 1, "the coming": 1, "coming": 1,
         "upcoming": 1, "the upcoming": 1, "next": 1, "the next": 1, "the following": 1, "last": -1, "the last": -1,
         "past": -1, "this past": -1, "the past": -1, "previous": -1, "the previous": -1, "this last": -1}  # fmt: skip
FRACTIONS = {
    "half past": 30, "half": 30, "quarter past": 15, "quarter to": -15, "a quarter past": 15, "a quarter to": -15,
    "quarter after": 15, "a quarter after": 15, "quarter of": -15,
}  # fmt: skip
NOW = ("now", "right now", "here")
SUFFIXES = ("st", "nd", "rd", "th")
SYMBOLS = (",", ".", "!", "?", ";", ":", "(", ")")
DASHES = ("-", "–", "—")
IN = ("on", "in", "at", "for", "of", "during", "to", "@", "throughout", "within", "around", "about")
TO = ("to", "until", "till", "til", "through", "thru", *DASHES)
# Read alone, these are more often another word.
AMBIGUOUS = {
    "may", "march", "mar", "sat", "sun", "wed", "mon", "tom", "now", "here", "eve", "dec", "jan", "easter", "fall", "spring",
    "second", "night", "evening", "morning", "epiphany", "pentecost",
}  # fmt: skip
REPEATING = ("every", "each", "most")
# What repeats by its own form.
HABITS = {
    "daily": "day", "nightly": "day", "weekly": "week", "fortnightly": "fortnight", "biweekly": "week", "monthly": "month",
    "quarterly": "quarter", "yearly": "year", "annually": "year", "hourly": "hour", "weekdays": "day", "on weekdays": "day",
    "at weekends": "weekend", "on weekends": "weekend", "at the weekends": "weekend", "on the weekends": "weekend",
    "in the mornings": "day", "in the evenings": "day", "in the afternoons": "day", "at nights": "day",
}  # fmt: skip
# How many of an unknown number.
VAGUE_COUNTS = {"a few", "few", "several", "some", "a couple", "a couple of", "couple", "couple of", "many", "a number of",
                "a handful of", "countless", "x"}  # fmt: skip
# Before a number, what makes it uncertain.
ABOUT = ("almost", "nearly", "over", "under", "more than", "less than", "at least", "at most", "up to", "well over",
          "just over", "just under", "not even")  # fmt: skip
# What is some time, and says of none which.
VAGUE = {
    "a while ago": 0, "a while back": 0, "some time ago": 0, "long ago": 0, "a long time ago": 0, "ages ago": 0, "years ago": 0,
    "months ago": 0, "weeks ago": 0, "days ago": 0, "hours ago": 0, "decades ago": 0, "the other day": 0, "the other week": 0,
    "the other night": 0, "one of these days": 0, "some day": 0, "someday": 0, "sometime": 0, "sometimes": 0,
    "sooner or later": 0, "at some point": 0, "at some stage": 0, "in the near future": 0, "in the future": 0,
    "in the past": 0, "recently": 0, "lately": 0, "soon": 0, "eventually": 0, "until further notice": 0,
    "till further notice": 0, "for the time being": 0, "for now": 0, "for ever": 0, "forever": 0, "in a while": 0,
    "in a bit": 0, "in due course": 0, "in due time": 0, "later on": 0, "these days": 0, "nowadays": 0, "once upon a time": 0,
    "back in the day": 0, "in the old days": 0, "in no time": 0, "any day now": 0, "until then": 0, "in the long run": 0,
    "when the time comes": 0,
}  # fmt: skip
IN_NUMBERS = (".", ",", ":", "/", *DASHES)
LEADING = {
    "in",
    "on",
    "since",
    "from",
    "until",
    "till",
    "til",
    "by",
    "before",
    "starting",
    "as",
    "after",
    "during",
    "around",
}
TELLING = (
    (DAYS.keys() | MONTHS.keys() | NEAR_DAYS.keys() | FEASTS.keys() | {"tonight", "ago", "noon", "midnight", "midday"})
    | (VAGUE.keys() | HABITS.keys()) | MANY_DAYS.keys()
) - AMBIGUOUS  # fmt: skip
MIDDAYS = {"noon": 12, "midday": 12, "midnight": 0, "lunchtime": 12}
HALF_OF_DAY = {"in the morning": "am", "in the afternoon": "pm", "in the evening": "pm", "at night": "pm", "this morning": "am",
               "this afternoon": "pm", "this evening": "pm", "tonight": "pm"}  # fmt: skip
CALENDAR = ("week", "weekend", "month", "quarter", "year", "decade")
LATER = {"later": 1, "further": 1, "earlier": -1, "sooner": -1}
BITS = ("start", "beginning", "end", "mid", "middle", "early", "late", "close")
FULL_NAMES = {name.lower() for name in (*WEEKDAYS, *MONTH_NAMES)}
# Relations that start a phrase; what they mean stands in `time_relations`.
RELATING = (
    "since", "ever since", "from", "starting", "starting from", "starting on", "starting in", "beginning", "as of",
    "as from", "effective", "not before", "not until", "until", "till", "til", "up to", "up until", "through",
    "thru", "by", "before", "no later than", "not later than", "up to and including", "no earlier than",
    "not earlier than", "with effect from", "' til", "untill", "after", "any time after", "prior to", "as of the",
    "up through", "until and including", "till and including",
)  # fmt: skip

# What a time in a text can begin with, but for figures.
FIRST = {
    phrase.split()[0]
    for table in (DAYS, MANY_DAYS, MONTHS, NEAR_DAYS, FEASTS, THEN, SIDES, COUNTS, ORDINALS, FRACTIONS, RELATING, MIDDAYS,
                  SEASON_TIMES, HABITS, VAGUE_COUNTS, VAGUE, TENS, DECADES, ABOUT)
    for phrase in table
} | {*BITS, *REPEATING, "on", "in", "at", "tonight", "late", "later", "earlier", "early", "week", "fortnight", "between",
     "all", "whole", "rest", "entire", "exactly", "half", "day", "during", "over", "around", "about", "throughout", "within",
     "once", "twice", "just", "for", "q", "h", "'"}  # fmt: skip
