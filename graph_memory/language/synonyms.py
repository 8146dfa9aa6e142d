"""Sets of words: those that mean nearly the same, and those that stand beside each other and exclude each other.

Vectors cannot tell the two apart: brother is as near to sister as film is to movie.
"""

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
boss manager supervisor report
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
lodger tenant rent
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
unemployed jobless work
pregnant expect
disable off
enable on
empty vacant nobody
talk chat speak discuss
call name title
cook prepare
drive commute
movie see watch
weight weigh
birthday born birth
cash money
mother parent
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
teach instruct
begin launch
send dispatch
finish end
near nearby
student pupil
stairs staircase
road street
ship dispatch
rest relax
ticket issue
package parcel
holiday vacation
attorney lawyer
assistant helper
location place spot
option choice
"""

_APART = """
red blue green yellow orange purple pink black white grey gray brown beige turquoise violet
brother sister mother father son daughter uncle aunt cousin niece nephew grandmother grandfather wife husband
mother-in-law father-in-law brother-in-law sister-in-law
cat dog rabbit hamster parrot horse fish snake turtle bird goat
tea coffee water juice beer wine milk cocoa whisky cola
breakfast lunch dinner brunch supper
phone tablet laptop desktop watch camera printer server television router
car bus train plane bicycle boat tram scooter motorbike taxi ferry van kayak
jazz rock pop techno classical punk folk blues metal opera
guitar piano violin cello drum flute trumpet saxophone
football tennis hockey basketball volleyball handball rugby cricket golf judo karate swimming running cycling rowing
python java ruby go rust javascript typescript kotlin swift scala php
mysql postgresql sqlite mongodb redis oracle mariadb cassandra
vegan vegetarian pescatarian
gluten lactose nut peanut shellfish dairy fructose soy
kitchen bathroom bedroom garden garage office hall attic cellar basement balcony
left right
morning afternoon evening night
spring summer autumn winter
north south east west
pdf word excel powerpoint html markdown csv json xml
tab space
arm leg knee ankle wrist hand foot shoulder back head eye ear tooth
nurse doctor dentist teacher lawyer baker carpenter engineer designer researcher pilot chef plumber architect
french german spanish italian portuguese dutch english greek russian japanese chinese korean polish turkish arabic
day week month year
production staging development demo test
search logging auth billing payment checkout
frontend backend
import export
newsletter podcast blog
mobile web
captain goalkeeper treasurer president secretary
ceo cfo cto
physics chemistry biology mathematics law economics medicine history philosophy literature art music
chess poker bridge
olive parsley cilantro garlic onion mushroom tomato
junior senior
bakery butcher pharmacy library museum
tent sleeping
rent mortgage loan
metric log trace
five-kilometre ten-kilometre
lexer parser compiler linter
bus train
height weight
android ios
gmail outlook
windows macos linux debian ubuntu
aws azure hetzner gcp
email letter phone
novel poem essay
weekday weekend
boy girl
male female
man woman
passport visa
"""


def _table(text: str) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, line in enumerate(text.strip().splitlines()):
        for word in line.split():
            found.setdefault(stem(word), set()).add(number)
    return {word: frozenset(sets) for word, sets in found.items()}


_SAME_SETS, _APART_SETS = _table(_SAME), _table(_APART)
_NONE: frozenset[int] = frozenset()


def is_listed(base: str) -> bool:
    """Whether a stem stands in one of the tables."""
    return base in _SAME_SETS or base in _APART_SETS


def mean_the_same(one: str, other: str) -> bool:
    """Whether two stems stand in one set of words of nearly the same meaning."""
    return bool(_SAME_SETS.get(one, _NONE) & _SAME_SETS.get(other, _NONE))


def stand_apart(one: str, other: str) -> bool:
    """Whether two different stems are of one sort and exclude each other: red and blue, brother and sister."""
    return one != other and bool(_APART_SETS.get(one, _NONE) & _APART_SETS.get(other, _NONE))
