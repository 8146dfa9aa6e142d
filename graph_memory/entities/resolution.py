"""Which entity a name in a statement means. In doubt it means a new one: two can be merged, one is hard to take apart.

An entity is known by (type, key, discriminator) inside its subject. A name means, in this order:
1. the entity of just that identity, or what that one is an alias of;
2. the only entity of that key or alias whose type does not speak against it. UNKNOWN speaks against nothing; a name
   with a type gives it to an entity that had none;
3. for a person, the only known person whose name it shortens: John or J. Smith for John Smith.
A name with a discriminator means its own entity only. Keys keep every sign, so C, C++ and C# stay three.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graph_memory.base.clock import FOREVER
from graph_memory.base.ids import new_id
from graph_memory.entities import gazetteer
from graph_memory.entities.settings import EntitiesSettings
from graph_memory.language import patterns
from graph_memory.language.name_types import PERSON, UNKNOWN
from graph_memory.language.names import opens_with
from graph_memory.language.recognition import recognise
from graph_memory.ledger.changes import PENDING, Writing
from graph_memory.model.memory import EntityName
from graph_memory.store.queries import query
from graph_memory.store.service import Row

KNOWN = query("entities/known")
MENTION = query("memory/mention")
REWRITE = query("entities/rewrite")
NAMED_BY = query("entities/named_by")
MOVE = query("entities/move_mentions")

_INITIAL = patterns.compile(r"([^\W\d_])\. ?(\S.*)")


@dataclass(frozen=True)
class Said:
    """A memory about to be stored, and the names in it; `is_read` when its text is to be searched for known names."""

    memory_id: str
    text: str
    names: tuple[EntityName, ...]
    is_read: bool


@dataclass(frozen=True)
class Meant:
    """A name as it was said, and the entity that it means, with the keys of that one's names."""

    name: str
    entity_id: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class Mentioned:
    """What each memory mentions, and what became known of entities by it: `{memory: {entity: {before, after}}}`."""

    meant: Mapping[str, tuple[Meant, ...]]
    learnt: Mapping[str, Mapping[str, Row]]


@dataclass(frozen=True)
class Known:
    """An entity of the subject. `alias_of` is the id of the one that it leads to."""

    id: str
    name: str
    type: str
    key: str
    discriminator: str = ""
    alias_keys: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    alias_of: str | None = None


class Names:
    """The entities that names of one call can mean, those made by it included."""

    def __init__(self, known: Iterable[Known]) -> None:
        self._by_id: dict[str, Known] = {}
        self._by_key: dict[str, list[str]] = {}
        for each in known:
            self.add(each)

    def add(self, known: Known) -> None:
        """Knows one more, or knows one better."""
        self._by_id[known.id] = known
        for key in {known.key, *known.alias_keys}:
            ids = self._by_key.setdefault(key, [])
            if known.id not in ids:
                ids.append(known.id)

    def of_key(self, key: str) -> list[Known]:
        """Those of that key or alias."""
        return [self._by_id[id] for id in self._by_key.get(key, ())]

    def led(self, known: Known) -> Known:
        """What it is an alias of; itself when it is none."""
        return self._by_id.get(known.alias_of or "", known)

    def people(self) -> Iterator[Known]:
        """Every person and everything that may be one, aliases left out."""
        return (each for each in self._by_id.values() if each.alias_of is None and _fits(each.type, PERSON))


def resolve(name: EntityName, names: Names) -> Known | None:
    """The entity that a name means; None when it means a new one."""
    same = names.of_key(name.key)
    identity = (name.type, name.key, name.discriminator)
    exact = [each for each in same if (each.type, each.key, each.discriminator) == identity]
    if exact:
        return names.led(exact[0])
    if name.discriminator:
        return None
    fitting = {led.id: led for each in same if _fits((led := names.led(each)).type, name.type)}
    if fitting:
        return next(iter(fitting.values())) if len(fitting) == 1 else None
    shortened = [each for each in names.people() if _shortens(name, each)]
    return shortened[0] if len(shortened) == 1 else None


def mention(writing: Writing, said: Sequence[Said]) -> Mentioned:
    """Joins new memories to the entities they name, in the open transaction; makes those that are new."""
    wanted = [each for each in said if each.names or each.is_read]
    if not wanted:
        return Mentioned({}, {})
    runs = {each.memory_id: gazetteer.keys_in(each.text) for each in wanted if each.is_read}
    names = _read(writing, wanted, runs.values())
    found = _Found(names)
    for each in wanted:
        spelled = _spelled(each, runs.get(each.memory_id, set()), names)
        for name in (*each.names, *spelled):
            found.take(each.memory_id, name)
    found.store(writing)
    meant = {id: tuple(each) for id, each in found.meant.items()}
    return Mentioned(meant, found.learnt)


def mention_again(writing: Writing, id: str, before: str) -> Row:
    """Joins a memory whose text was changed to what it names now, in the open transaction; what was done, for the ledger.

    What only the text before named is mentioned no longer. What that did not name was given by hand and stays; what both
    texts name is as it was, mentioned or not, since somebody may have decided so.
    """
    [row] = writing.run(NAMED_BY, id=id, forever=FOREVER)
    said = [Said(id, text, _recognised(writing, text), is_read=True) for text in (before, row["text"])]
    runs = [gazetteer.keys_in(each.text) for each in said]
    names = _read(writing, said, runs)
    was, now = ((*each.names, *_spelled(each, keys, names)) for each, keys in zip(said, runs, strict=True))
    own = [known_of(each) for each in row["mentioned"]]
    told, found = {name.key for name in was}, _Found(names)
    for name in now:
        if name.key not in told and resolve(name, Names(own)) is None:
            found.take(id, name)
    still = _named_in(row["text"], now, own) | {each["entity_id"] for each in found.rows}
    stale = sorted(_named_in(before, was, own) - still)
    found.rows = [each for each in found.rows if each["entity_id"] not in {known.id for known in own}]
    found.store(writing)
    for each in stale:
        writing.run(MOVE, start=each, to=None, memories=[id], pending=PENDING, forever=FOREVER)
    return {
        "mentions_opened": [[id, each["entity_id"]] for each in found.rows],
        "mentions_closed": [[id, each] for each in stale],
        "entities": found.learnt.get(id, {}),
    }


def _recognised(writing: Writing, text: str) -> tuple[EntityName, ...]:
    found = recognise(writing.settings[EntitiesSettings].recogniser, text)
    return tuple(EntityName(each.name, each.key, each.type) for each in found)


def _named_in(text: str, names: Iterable[EntityName], known: Sequence[Known]) -> set[str]:
    """Those of the entities that a text names: by a name that was read in it, or as they are spelled."""
    read = {each.id for name in names if (each := resolve(name, Names(known))) is not None}
    return read | {
        each.id
        for each in known
        if any(gazetteer.stands_in(name, text) for name in (each.name, *each.aliases))
    }


@dataclass
class _Found:
    """What the names of one call mean so far."""

    names: Names
    rows: list[Row] = field(default_factory=list)
    meant: dict[str, list[Meant]] = field(default_factory=dict)
    learnt: dict[str, dict[str, Row]] = field(default_factory=dict)
    rewrites: dict[str, Row] = field(default_factory=dict)
    _joined: set[tuple[str, str]] = field(default_factory=set)

    def take(self, memory_id: str, name: EntityName) -> None:
        known = resolve(name, self.names)
        if known is None:
            known = Known(new_id(), name.name, name.type, name.key, name.discriminator)
            self.names.add(known)
        elif known.type == UNKNOWN and name.type != UNKNOWN and not self._is_taken(known, name.type):
            known = self._learn(memory_id, known, name.type)
        self.meant.setdefault(memory_id, []).append(
            Meant(name.name, known.id, (known.key, *known.alias_keys))
        )
        if (memory_id, known.id) not in self._joined:
            self._joined.add((memory_id, known.id))
            self.rows.append(
                {
                    "memory_id": memory_id,
                    "entity_id": known.id,
                    "name": known.name,
                    "key": known.key,
                    "type": known.type,
                    "discriminator": known.discriminator,
                }
            )

    def store(self, writing: Writing) -> None:
        """Writes the mentions, and what became known of entities."""
        if self.rewrites:
            rows = [{"id": id, "set": values} for id, values in sorted(self.rewrites.items())]
            writing.run(REWRITE, rows=rows)
        if self.rows:
            rows = sorted(self.rows, key=lambda row: (row["type"], row["key"], row["discriminator"]))
            writing.run(MENTION, rows=rows, pending=PENDING, forever=FOREVER, now=writing.now)

    def _learn(self, memory_id: str, known: Known, type: str) -> Known:
        better = replace(known, type=type)
        self.names.add(better)
        self.rewrites[known.id] = {"type": type}
        self.learnt.setdefault(memory_id, {})[known.id] = {
            "before": {"type": UNKNOWN},
            "after": {"type": type},
        }
        for row in self.rows:
            if row["entity_id"] == known.id:
                row["type"] = type
        return better

    def _is_taken(self, known: Known, type: str) -> bool:
        identity = (type, known.key, known.discriminator)
        return any(
            (each.type, each.key, each.discriminator) == identity for each in self.names.of_key(known.key)
        )


def _read(writing: Writing, said: Sequence[Said], runs: Iterable[set[str]]) -> Names:
    given = [name for each in said for name in each.names]
    rows = writing.run(
        KNOWN,
        keys=sorted({*(name.key for name in given), *(key for keys in runs for key in keys)}),
        people=[list(each) for each in sorted({each for name in given for each in _beginnings(name)})],
    )
    return Names(known_of(row["entity"]) for row in rows)


def known_of(row: Row) -> Known:
    """A row of the store."""
    lists = {name: tuple(row.get(name) or ()) for name in ("alias_keys", "aliases")}
    return Known(**{**row, **lists})


def _spelled(said: Said, keys: set[str], names: Names) -> Iterator[EntityName]:
    """Known names that the text holds without showing them by capital letters, or at the start of a sentence."""
    taken = {name.key for name in said.names}
    found: dict[str, Known] = {}
    for key in keys - taken:
        of_key = names.of_key(key)
        for each in of_key:
            written = each.name if each.key == key else each.aliases[each.alias_keys.index(key)]
            is_plain = len({names.led(other).id for other in of_key}) == 1 and opens_with(written, said.text)
            if gazetteer.is_distinctive(written) or is_plain:
                found[key] = names.led(each)
    for key in sorted(gazetteer.longest(found, taken)):
        each = found[key]
        yield EntityName(each.name, each.key, each.type, each.discriminator)


def _fits(one: str, other: str) -> bool:
    return one == other or UNKNOWN in (one, other)


def _beginnings(name: EntityName) -> Iterator[tuple[str, str]]:
    """How the key of a person begins and ends whom the name could shorten."""
    initial = _INITIAL.fullmatch(name.key)
    if initial and name.type in (PERSON, UNKNOWN):
        yield initial[1], f" {initial[2].split()[-1]}"
    elif name.type == PERSON and " " not in name.key and not name.discriminator:
        yield f"{name.key} ", ""


def _shortens(name: EntityName, person: Known) -> bool:
    words = person.key.split()
    if len(words) < 2 or person.key == name.key:
        return False
    initial = _INITIAL.fullmatch(name.key)
    if initial and name.type in (PERSON, UNKNOWN):
        is_spelled_out = len(words[0].rstrip(".")) > 1
        return is_spelled_out and words[0].startswith(initial[1]) and words[-1] == initial[2].split()[-1]
    return name.type == PERSON == person.type and words[0] == name.key
