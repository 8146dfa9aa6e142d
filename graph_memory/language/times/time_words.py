"""The words that times are told in. All that is data stands here; words are in lower case."""

from __future__ import annotations

from typing import Literal

from graph_memory.language.english import MONTHS as MONTH_NAMES
from graph_memory.language.english import NUMBERS, WEEKDAYS

Precision = Literal["moment", "day", "month", "quarter", "season", "year", "range"]

DAYS = {name.lower(): at for at, name in enumerate(WEEKDAYS)} | {
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "weds": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6,
}  # fmt: skip
# Several of a weekday, as habits have them.
MANY_DAYS = {f"{name.lower()}s": at for at, name in enumerate(WEEKDAYS)}
MONTHS = {name.lower(): at for at, name in enumerate(MONTH_NAMES, 1)}
MONTHS |= {name[:3]: at for name, at in MONTHS.items()} | {"sept": 9}
NEAR_DAYS = {
    "today": 0, "eod": 0, "end of day": 0, "end of today": 0, "end of play": 0, "tomorrow": 1, "tmrw": 1, "tmr": 1, "tmw": 1,
    "tomo": 1, "tomoz": 1, "tom": 1, "tomorow": 1, "tommorow": 1, "tommorrow": 1, "yesterday": -1, "yday": -1,
    "the day after tomorrow": 2, "day after tomorrow": 2, "the day before yesterday": -2, "day before yesterday": -2,
    "today week": 7, "tomorrow week": 8,
}  # fmt: skip
# Before a day, when in it.
WITHIN_A_DAY = ("late", "first thing", "last thing", "eod", "end of day", "end of play")
# Month and day, or days from easter sunday.
FEASTS: dict[str, tuple[int, int] | int] = {
    "christmas": (12, 25), "xmas": (12, 25), "christmas day": (12, 25), "christmas eve": (12, 24), "boxing day": (12, 26),
    "new year": (1, 1), "new year's": (1, 1), "new years": (1, 1), "new year's day": (1, 1), "new year's eve": (12, 31),
    "new years eve": (12, 31), "nye": (12, 31), "hogmanay": (12, 31), "halloween": (10, 31), "valentine's": (2, 14),
    "valentine's day": (2, 14), "valentines": (2, 14), "valentines day": (2, 14), "epiphany": (1, 6), "twelfth night": (1, 5),
    "st patrick's day": (3, 17), "st . patrick's day": (3, 17), "april fools": (4, 1), "april fool's": (4, 1),
    "april fools day": (4, 1), "april fool's day": (4, 1), "earth day": (4, 22), "may day": (5, 1), "juneteenth": (6, 19),
    "canada day": (7, 1), "independence day": (7, 4), "bastille day": (7, 14), "all saints day": (11, 1),
    "all souls day": (11, 2), "bonfire night": (11, 5), "guy fawkes night": (11, 5), "remembrance day": (11, 11),
    "veterans day": (11, 11), "st stephen's day": (12, 26), "easter": 0, "easter day": 0, "easter sunday": 0,
    "easter monday": 1, "easter saturday": -1, "holy saturday": -1, "good friday": -2, "maundy thursday": -3,
    "holy thursday": -3, "palm sunday": -7, "mothering sunday": -21, "ash wednesday": -46, "shrove tuesday": -47,
    "fat tuesday": -47, "pancake day": -47, "ascension day": 39, "pentecost": 49, "whit sunday": 49, "whit monday": 50,
    "trinity sunday": 56,
}  # fmt: skip
# What makes a weekday one of its own name, of no certain date: black friday.
NAMING = ("black", "cyber", "super", "bowl", "giving", "remembrance", "advent", "bloody")
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50}
COUNTS = NUMBERS | _TENS | {
    "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
    "sixty": 60, "ninety": 90, "hundred": 100,
}  # fmt: skip
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}  # fmt: skip
# The hours that are told without figures.
HOURS = {word: number for word, number in NUMBERS.items() if word not in ("a", "an")}
# Twenty-one, as its tokens are.
COUNTS |= {f"{ten}{dash}{word}": tens + one for ten, tens in _TENS.items() for word, one in HOURS.items() if one < 10
           for dash in (" ", " - ")}  # fmt: skip
ORDINALS |= {f"{ten}{dash}{word}": tens + one for ten, tens in _TENS.items() for word, one in ORDINALS.items() if one < 10
             for dash in (" ", " - ")}  # fmt: skip
THEN = {"that day": 0, "same day": 0, "same date": 0, "the same day": 0, "then": 0, "the day before": -1,
        "day before": -1, "the night before": -1, "night before": -1, "the day after": 1, "day after": 1}  # fmt: skip
UNITS = {
    spelled: unit
    for unit, spellings in {
        "minute": "minute minutes min mins", "hour": "hour hours hr hrs", "day": "day days", "week": "week weeks wk wks",
        "fortnight": "fortnight fortnights", "month": "month months mth mths", "quarter": "quarter quarters",
        "year": "year years yr yrs", "weekend": "weekend weekends", "night": "night nights",
    }.items()
    for spelled in spellings.split()
}  # fmt: skip
PARTS = {"morning": "morning", "afternoon": "afternoon", "arvo": "afternoon", "lunchtime": "lunchtime",
         "evening": "evening", "eve": "evening", "night": "night"}  # fmt: skip
# Several of a part of a day, as habits have them.
MANY_PARTS = frozenset(f"{part}s" for part in PARTS)
# The hour that stands for a part of a day.
PART_HOURS = {"morning": 9, "lunchtime": 12, "afternoon": 14, "evening": 18, "tonight": 20, "night": 22}
# First and last month.
SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11), "winter": (12, 2)}
SIDES = {"this": 0, "the": 0, "current": 0, "the current": 0, "the following": 1, "coming": 1,
         "this coming": 1, "the coming": 1, "upcoming": 1, "next": 1, "the next": 1,
         "last": -1, "the last": -1, "past": -1, "this past": -1, "the past": -1, "previous": -1, "the previous": -1}  # fmt: skip
FRACTIONS = {"half past": 30, "half": 30, "quarter past": 15, "quarter to": -15, "a quarter past": 15, "a quarter to": -15,
             "quarter after": 15}  # fmt: skip
# What a length is told with, ahead or back.
FROM_NOW = {"ago": -1, "back": -1, "from now": 1}
NOW = ("now", "here")
SUFFIXES = ("st", "nd", "rd", "th")
SYMBOLS = (",", ".", "!", "?", ";", ":", "(", ")")
DASHES = ("-", "–", "—")
IN = ("on", "in", "at", "for", "of", "during", "to", "within", "around", "about")
TO = ("to", "until", "till", "til", "through", "thru", *DASHES)
# Read alone, these are more often another word.
AMBIGUOUS = {
    "may", "march", "mar", "sat", "sun", "wed", "mon", "tom", "now", "eve", "dec", "jan", "easter", "fall", "spring",
    "second", "night", "evening", "morning", "epiphany", "pentecost",
}  # fmt: skip
REPEATING = ("every", "each", "most")
# What repeats by its own form.
HABITS: dict[str, Precision] = {
    "hourly": "moment", "daily": "day", "nightly": "day", "weekdays": "day", "weekly": "range", "fortnightly": "range",
    "monthly": "month", "quarterly": "quarter", "yearly": "year",
}  # fmt: skip
# What comes again after "every".
AGAIN: dict[str, Precision] = {
    **dict.fromkeys(UNITS, "range"), **dict.fromkeys(SEASONS, "season"), **dict.fromkeys(("month", "months", *MONTHS), "month"),
    **dict.fromkeys(("quarter", "quarters"), "quarter"), **dict.fromkeys(("year", "years"), "year"),
    **dict.fromkeys((*DAYS, *FEASTS, *PARTS, "day", "days", "night", "nights", "weekday", "weekdays"), "day"),
}  # fmt: skip
# How many of an unknown number.
VAGUE_COUNTS = ("a few", "few", "several", "some", "a couple", "a couple of", "couple of")
# Before a number, what makes it uncertain.
ABOUT = (
    "almost",
    "nearly",
    "over",
    "under",
    "more than",
    "less than",
    "at least",
    "at most",
    "just over",
    "just under",
)
# What is some time, and says of none which.
VAGUE = {
    "minutes ago", "hours ago", "days ago", "weeks ago", "months ago", "years ago", "long ago", "the other day", "these days",
    "some day", "someday", "sometime", "sometimes", "recently", "lately", "soon", "eventually", "forever", "in a while",
    "until further notice", "till further notice",
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
MIDDAYS = {"noon": 12, "midday": 12, "midnight": 0, "lunchtime": 12}
TELLING = {
    *DAYS, *MANY_DAYS, *MONTHS, *NEAR_DAYS, *FEASTS, *MIDDAYS, *HABITS, *VAGUE, "tonight", "ago",
} - AMBIGUOUS  # fmt: skip
HALF_OF_DAY = {
    "am": "am", "pm": "pm", "a . m .": "am", "p . m .": "pm", "in the morning": "am", "in the afternoon": "pm",
    "in the evening": "pm", "at night": "pm", "this morning": "am", "this afternoon": "pm", "this evening": "pm",
    "tonight": "pm",
}  # fmt: skip
CALENDAR = ("week", "weekend", "month", "quarter", "year")
LATER = {"later": 1, "earlier": -1}
BITS = {"start": "start", "beginning": "start", "end": "end", "early": "early", "mid": "mid", "middle": "mid",
        "late": "late"}  # fmt: skip
FULL_NAMES = {name.lower() for name in (*WEEKDAYS, *MONTH_NAMES)}
