"""Reading an export file that anybody may have made: everything is checked before anything is stored."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import Any

from graph_memory.base.errors import Invalid, InvalidFile
from graph_memory.base.ids import is_id
from graph_memory.base.scope import check_name
from graph_memory.ledger.changes import PENDING
from graph_memory.model.review import ReviewStatus
from graph_memory.store.service import Row
from graph_memory.transfer import shapes
from graph_memory.transfer.shapes import FORMAT, LINK, NAMELESS, NODES, RECORDS, VERSION, Misshapen

_LONGEST_LINE = 16_000_000
_MOST_FAULTS = 1000


@dataclass(frozen=True)
class Manifest:
    """The first line: whose the records are, and the numbers that the tenant goes on from."""

    tenant: str
    subject: str | None
    sequence: int
    recorded_at: Any
    created_at: Any
    tombstone_key: str | None
    counts: dict[str, int]


def records(file: BufferedReader, start: int = 0) -> Iterator[tuple[str, Row]]:
    """The records of a checked file from a place on, with values as they are stored."""
    file.seek(0)
    file.readline()
    for number, text in enumerate(file):
        row = json.loads(text)
        if row["record"] == "end":
            return
        if number >= start:
            yield row["record"], {**row, "properties": shapes.read(row["properties"], _declared(row))}


def check(file: BufferedReader, name: str, model: str, dimension: int) -> Manifest:
    """The manifest of a file whose every line is right. Raises InvalidFile, which names every line that is not."""
    reader = _Reader(name, model, dimension)
    digest = hashlib.sha256()
    while text := file.readline(_LONGEST_LINE):
        reader.number += 1
        with suppress(_Hopeless):
            reader.take(text, digest.hexdigest)
        digest.update(text)
        if reader.is_hopeless or len(reader.faults) >= _MOST_FAULTS:
            break
    reader.end()
    if reader.faults or reader.manifest is None:
        raise InvalidFile(name, reader.faults)
    return reader.manifest


class _Hopeless(Exception):  # noqa: N818 - it says that reading on makes no sense
    pass


@dataclass
class _Reader:
    """What has been read so far: enough to tell duplicates and ends that point nowhere."""

    name: str
    model: str
    dimension: int
    number: int = 0
    manifest: Manifest | None = None
    ended: bool = False
    is_hopeless: bool = False
    faults: list[tuple[int, str]] = field(default_factory=list)
    place: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    seen: dict[str, set[str]] = field(default_factory=lambda: {record: set() for record in RECORDS})
    keys: set[tuple[Any, ...]] = field(default_factory=set)
    subjects: set[str] = field(default_factory=set)
    subject_of: dict[str, str] = field(default_factory=dict)
    wanted_requests: dict[str, int] = field(default_factory=dict)
    sequence: int = 0

    def fault(self, what: str) -> None:
        self.faults.append((self.number, what))

    def give_up(self, what: str) -> None:
        self.fault(what)
        self.is_hopeless = True
        raise _Hopeless

    def take(self, text: bytes, digest: Callable[[], str]) -> None:
        row = self._parsed(text)
        if self.manifest is None:
            self._open(row)
        elif self.ended:
            self.give_up("something follows the last line")
        elif row.get("record") == "end":
            self._close(row, digest())
        else:
            try:
                self._record(row)
            except (Misshapen, Invalid) as error:
                self.fault(str(error))

    def end(self) -> None:
        if not self.is_hopeless and not self.ended:
            self.number += 1
            self.fault("the file is cut: its last line is missing")
        for id, number in self.wanted_requests.items():
            if id not in self.seen["request"] and not self.is_hopeless:
                self.faults.append((number, f"request {id} is nowhere in the file"))
        self.faults.sort()

    def _parsed(self, text: bytes) -> Row:
        if len(text) >= _LONGEST_LINE:
            self.give_up(f"the line is longer than {_LONGEST_LINE} bytes")
        if not text.endswith(b"\n"):
            self.give_up("the file is cut in the middle of this line")
        try:
            row = json.loads(text.decode("utf-8"))
        except UnicodeDecodeError:
            row = None
            self.give_up("this is not UTF-8")
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            if self.manifest is None:
                self.give_up("this is not an export of graph-memory")
            self.fault("this is not a JSON object")
            raise _Hopeless
        return row

    def _open(self, row: Row) -> None:
        if row.get("record") != "manifest" or row.get("format") != FORMAT:
            self.give_up("this is not an export of graph-memory: its first line is no manifest")
        if row.get("version") != VERSION:
            self.give_up(f"format version {row.get('version')!r} is unknown here; {VERSION} is known")
        if row.get("now"):
            self.give_up(
                "this was exported with --now: it has no ledger and no history, so it cannot be loaded"
            )
        if (row.get("model"), row.get("dimension")) != (self.model, self.dimension):
            self.give_up(
                f"its vectors are of {row.get('model')!r} with {row.get('dimension')!r} numbers, "
                f"the service's of {self.model!r} with {self.dimension}"
            )
        try:
            self.manifest = _manifest(row)
        except (Invalid, KeyError, TypeError, ValueError) as error:
            self.give_up(f"the manifest is broken: {error}")

    def _close(self, row: Row, digest: str) -> None:
        self.ended = True
        if row.get("sha256") != digest:
            self.fault("the checksum is wrong: something before this line was changed")
        counted = {record: number for record, number in self._manifest().counts.items() if number}
        if row.get("counts") != dict(self.counts) or counted != dict(self.counts):
            self.fault("there are more or fewer records than the file says")
        if self._manifest().sequence != self.sequence:
            self.fault(f"the ledger ends at {self.sequence}, the manifest says {self._manifest().sequence}")

    def _record(self, row: Row) -> None:
        record = row.get("record")
        if record not in RECORDS:
            raise Misshapen(f"{str(record)[:40]!r} is no kind of record")
        self.counts[record] += 1
        place = RECORDS.index(record)
        if place < self.place:
            raise Misshapen(f"a {record} cannot stand after a {RECORDS[self.place]}")
        self.place = place
        if not isinstance(row.get("properties"), dict):
            raise Misshapen("properties are missing")
        if record == LINK:
            self._link(row)
        else:
            self._node(row, record)

    def _node(self, row: Row, record: str) -> None:
        shape = NODES[record]
        owner = {"subject"} if record != "subject" else set()
        _only(row, {"record", "labels", "properties", *owner, *(() if record in NAMELESS else ("id",))})
        if record not in NAMELESS:
            self._id(row.get("id"), record)
        if not isinstance(row.get("labels"), list) or not set(row["labels"]) <= shape.extra_labels:
            raise Misshapen("it has labels that there are not")
        _require(row["properties"], shape.required())
        properties = shapes.read(row["properties"], shape.properties)
        self._owner(row, record, properties)
        self._state(row, record, properties)
        self._key(row, record, properties)
        self._pointers(record, properties)
        if record == "memory":
            self.subject_of[row["id"]] = row["subject"]
        if record == "review":
            self._about(row["subject"], properties)

    def _id(self, id: Any, record: str) -> None:
        if not isinstance(id, str) or not is_id(id):
            raise Misshapen("its id is missing or not spelled as ours are")
        if id in self.seen[record]:
            raise Misshapen(f"{record} {id} is here twice")
        self.seen[record].add(id)

    def _owner(self, row: Row, record: str, properties: Row) -> None:
        if record == "subject":
            name = check_name("subject", properties["name"])
            self._once("subject", name)
            self.subjects.add(name)
            return
        subject = row.get("subject")
        if subject is None and record in ("request", "community"):
            return
        if not isinstance(subject, str) or subject not in self.subjects:
            raise Misshapen(f"subject {str(subject)[:40]!r} is nowhere in the file")

    def _state(self, row: Row, record: str, properties: Row) -> None:
        if record not in ("memory", "revision"):
            return
        size = len(properties.get(shapes.VECTOR) or ())
        if size not in (0, self.dimension):
            raise Misshapen(f"its vector has {size} numbers, {self.dimension} are needed")
        if len({"Live", "Past", "Summary"} & set(row["labels"])) != 1:
            raise Misshapen("a state is either Live, Past or of a Summary")
        if not properties["valid_from"] <= properties["valid_to"]:
            raise Misshapen("it ends before it begins")
        if not PENDING < properties["recorded_from"] < properties["recorded_to"]:
            raise Misshapen("its recorded interval is upside down")

    def _key(self, row: Row, record: str, properties: Row) -> None:
        subject = row.get("subject")
        if record == "memory" and "live_key" in properties:
            self._once("live", subject, properties["live_key"])
        if record == "entity":
            self._once("entity", subject, *(properties[name] for name in ("type", "key", "discriminator")))
        if record == "attribute":
            self._once("attribute", properties["entity_id"], properties["key"])
        if record == "tombstone":
            self._once("tombstone", subject, properties["hash"])
        if record == "request":
            self._once("request", subject, properties["operation"], properties["key"])

    def _pointers(self, record: str, properties: Row) -> None:
        if record == "revision" and properties["memory_id"] not in self.seen["memory"]:
            raise Misshapen(f"memory {properties['memory_id']} is nowhere in the file")
        if record == "attribute" and properties["entity_id"] not in self.seen["entity"]:
            raise Misshapen(f"entity {properties['entity_id']} is nowhere in the file")
        if record == "message" and properties["segment_id"] not in self.seen["segment"]:
            raise Misshapen(f"segment {properties['segment_id']} is nowhere in the file")
        if record == "change":
            self.sequence += 1
            if properties["sequence"] != self.sequence:
                expected, self.sequence = self.sequence, properties["sequence"]
                raise Misshapen(f"change {properties['sequence']} stands where {expected} is due")
            self.wanted_requests.setdefault(properties["request_id"], self.number)

    def _about(self, subject: str, review: Row) -> None:
        """A person may still decide what waits, so both memories are there; those of an ended one may be erased."""
        for id in (review["memory_id"], review["target_id"]):
            if id not in self.subject_of and review["status"] == ReviewStatus.PENDING:
                raise Misshapen(f"memory {id} is nowhere in the file")
            if self.subject_of.get(id, subject) != subject:
                raise Misshapen(f"memory {id} is of another subject")

    def _link(self, row: Row) -> None:
        _only(row, {"record", "kind", "from", "to", "properties"})
        shape = shapes.links().get(str(row.get("kind")))
        if shape is None:
            raise Misshapen(f"{str(row.get('kind'))[:40]!r} is no type of relationship")
        for side, record in (("from", shape.start), ("to", shape.end)):
            if row.get(side) not in self.seen[record]:
                raise Misshapen(f"its end {side} {str(row.get(side))[:40]!r} is nowhere in the file")
        _require(row["properties"], shape.required())
        properties = shapes.read(row["properties"], shape.properties)
        if properties.get("open_key") is not None:
            self._once("open", row["kind"], properties["open_key"])

    def _once(self, *key: Any) -> None:
        if key in self.keys:
            raise Misshapen(f"the same {key[0]} key is here twice")
        self.keys.add(key)

    def _manifest(self) -> Manifest:
        assert self.manifest is not None
        return self.manifest


def _manifest(row: Row) -> Manifest:
    subject, sequence, counts = row["subject"], row["sequence"], row["counts"]
    check_name("tenant", row["tenant"])
    if subject is not None:
        check_name("subject", subject)
    if not isinstance(sequence, int) or not isinstance(counts, dict) or not set(counts) <= set(RECORDS):
        raise Misshapen("its numbers are missing")
    key = row["tombstone_key"]
    if key is not None:
        bytes.fromhex(key)
    recorded_at, created_at = shapes.moment(row["recorded_at"]), shapes.moment(row["created_at"])
    return Manifest(row["tenant"], subject, sequence, recorded_at, created_at, key, counts)


def _declared(row: Row) -> Any:
    record = row["record"]
    return shapes.links()[row["kind"]].properties if record == LINK else NODES[record].properties


def _only(row: Row, names: set[str]) -> None:
    extra = sorted(row.keys() - names)
    if extra:
        raise Misshapen(f"{extra[0][:40]!r} does not belong there")


def _require(properties: Row, names: set[str]) -> None:
    missing = sorted(names - properties.keys())
    if missing:
        raise Misshapen(f"{missing[0]} is missing")


def path_of(path: Path) -> Path:
    """The same path. Raises Invalid where it names no file."""
    if not path.is_file():
        raise Invalid(f"There is no file {path}; name one that is there.", path="file")
    return path
