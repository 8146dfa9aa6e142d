"""Sets of words that mean nearly the same. Vectors cannot tell: brother is as near to sister as film is to movie."""

from __future__ import annotations

from graph_memory.language.stems import stem

_SAME = """
like love enjoy prefer fond fan keen adore
dislike hate detest loathe avoid
buy purchase get acquire
begin start commence
finish complete
job position role work employment
attend go visit
live reside home
brief short concise terse
big large huge
small little tiny
screen display monitor
doctor physician gp
hospital hospitalised
depart leave
plane flight aeroplane
post mail
price cost
boss manager supervisor
lead head run captain chief direct
fix repair mend resolve
trip journey travel holiday vacation
use employ rely
ill sick unwell
quiet silent calm
noisy loud
movie cinema
child baby son daughter
law legal
training coaching coach trainer train
lodger tenant
teach instruct tutor
plan intend want wish aim
deadline submission
picture image photo
car vehicle automobile
shop store
company firm business
error bug fault defect
host deploy run
database datastore
unemployed jobless
empty vacant
talk chat speak discuss
call name title
cook prepare
movie see watch
weight weigh
birthday born birth
cash money
deliver ship send
often frequently usually
partner girlfriend boyfriend spouse
programming coding
fortnight week
gym workout exercise training
write author
show display
salary pay wage income
fee price charge
assign responsible owner
stop quit cease end
mode theme
shut close
tier plan
awake wake
final last
wipe reset erase delete remove
reply answer response
couch sofa settee
trash rubbish garbage
lift elevator
pick choose select opt
need require
allow permit let
ban forbid prohibit
help assist support
remember recall
fast quick rapid
invoice bill
customer client
colleague coworker
friend pal mate buddy
change modify alter
store keep hold retain save
located based situated
own possess
afraid scared fear
beneath underneath below
hurt ache pain
happy glad
tired exhausted
rich wealthy
garden yard
grocery supermarket
wallet purse
jumper sweater pullover
sick nausea
meeting appointment
begin launch
send dispatch
finish end
near nearby
student pupil
stairs staircase
road street
rest relax
ticket issue
package parcel
attorney lawyer
assistant helper
location place spot
option choice
"""


def _table(text: str) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, line in enumerate(text.strip().splitlines()):
        for word in line.split():
            found.setdefault(stem(word), set()).add(number)
    return {word: frozenset(sets) for word, sets in found.items()}


_SAME_SETS = _table(_SAME)
_NONE: frozenset[int] = frozenset()


def mean_the_same(one: str, other: str) -> bool:
    """Whether two stems stand in one set of words of nearly the same meaning."""
    return bool(_SAME_SETS.get(one, _NONE) & _SAME_SETS.get(other, _NONE))
