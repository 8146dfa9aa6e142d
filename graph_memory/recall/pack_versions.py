"""The version of a pack: a digest of its content, and what each of its memories looked like, so that two can be compared.

All of it stands in the version itself. So nothing is stored of packs that were handed out, and any process can tell what
has changed since any of them.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graph_memory.base.errors import Invalid
from graph_memory.language import patterns
from graph_memory.language.pack_block import digest_of

_DIGEST = patterns.compile(r"[0-9a-f]{8}")
_ID, _PRINT = 16, 4
_LONGEST = 16_000


@dataclass(frozen=True)
class Version:
    """The digest, which stands in the block as well, and a print of each memory's line by its id."""

    digest: str
    prints: Mapping[str, bytes]

    def __str__(self) -> str:
        members = b"".join(uuid.UUID(id).bytes + mark for id, mark in self.prints.items())
        return f"{self.digest}.{base64.urlsafe_b64encode(members).rstrip(b'=').decode()}"


@dataclass(frozen=True)
class Difference:
    """What has come, gone and been changed since an earlier pack, by ids; `is_same` when its content is the same."""

    is_same: bool
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]


def version_of(lines: Sequence[str], line_of: Mapping[str, str]) -> Version:
    """The version of a block of these lines; `line_of` are those of memories, by their ids."""
    prints = {id: hashlib.sha256(line.encode()).digest()[:_PRINT] for id, line in sorted(line_of.items())}
    return Version(digest_of(lines), prints)


def parse(given: str) -> Version:
    """A version that was handed out; Invalid for anything else."""
    digest, point, members = given.partition(".")
    try:
        found = base64.b64decode(
            members + "=" * (-len(members) % 4) if len(given) <= _LONGEST else "?", b"-_", validate=True
        )
    except (binascii.Error, ValueError):
        found = b"?"
    if not point or not _DIGEST.fullmatch(digest) or len(found) % (_ID + _PRINT):
        raise Invalid(
            "since is not the version of a pack; give the `version` of an earlier one.", path="since"
        )
    pieces = [found[at : at + _ID + _PRINT] for at in range(0, len(found), _ID + _PRINT)]
    return Version(digest, {str(uuid.UUID(bytes=piece[:_ID])): piece[_ID:] for piece in pieces})


def difference(old: Version, new: Version) -> Difference:
    """What the newer has other than the older."""
    both = old.prints.keys() & new.prints.keys()
    return Difference(
        is_same=str(old) == str(new),
        added=tuple(id for id in new.prints if id not in both),
        removed=tuple(id for id in old.prints if id not in both),
        changed=tuple(id for id in new.prints if id in both and old.prints[id] != new.prints[id]),
    )
