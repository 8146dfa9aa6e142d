"""A `.cypher` file by its name: `query("memory/get")` is `cypher/queries/memory/get.cypher`.

Every query outside `system/` must be walled: it names `$tenant`, and is refused at import if it does not. What several say
alike stands once, in a part: the line `// include: memory/parts/name` of a query is `memory/parts/name.cypher`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from graph_memory.base.files import folder

_COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
_INCLUDE = re.compile(r"^[ \t]*// include: (.*)$", re.MULTILINE)
_PARTS = "/parts/"
_DEEPEST = 3
_PARAMETER = re.compile(r"\$([A-Za-z_]\w*)")
_VECTOR_INDEX = re.compile(r"\bVECTOR INDEX (memory_live|memory_past|passage)\b")
_VECTOR = re.compile(r"\.embedding\b")
_LANGUAGE = "CYPHER 25\n"


@dataclass(frozen=True)
class Query:
    """A statement, what it answers, and the parameters that it names."""

    name: str
    purpose: str
    text: str
    parameters: frozenset[str]

    @property
    def is_walled(self) -> bool:
        """Whether the statement keeps to one tenant."""
        return "tenant" in self.parameters

    @property
    def over_next(self) -> str:
        """The statement as it asks the indexes of the next model, while the store's model is being changed.

        An index cannot be a parameter. What asks no vector index stays as it is.
        """
        return _over_next(self.text)


@cache
def _over_next(text: str) -> str:
    if not _VECTOR_INDEX.search(text):
        return text
    return _VECTOR.sub(".embedding_next", _VECTOR_INDEX.sub(r"VECTOR INDEX \1_next", text))


@cache
def query(name: str) -> Query:
    """The query of that name; LookupError when the file is missing, bare or not walled, or includes what is no part."""
    if _PARTS in name:
        raise LookupError(f"{name}.cypher is a part of queries; it is included and never sent by itself")
    purpose, source = _read(name)
    body = _COMMENT.sub("", _INCLUDE.sub(lambda line: _part(name, line[1]), source)).strip()
    found = Query(name, purpose, _LANGUAGE + body, frozenset(_PARAMETER.findall(body)))
    if not found.is_walled and not name.startswith("system/"):
        raise LookupError(f"{name}.cypher does not name $tenant; only queries under system/ may leave it out")
    return found


def _part(includer: str, name: str, depth: int = 1) -> str:
    """What stands in the place of a line that includes a part, which may include others."""
    if depth > _DEEPEST:
        raise LookupError(f"{includer}.cypher includes itself, or parts lie too deep")
    if _PARTS not in name:
        raise LookupError(
            f"{includer}.cypher includes {name!r}; only what lies in a folder `parts` is included"
        )
    _, source = _read(name)
    return _INCLUDE.sub(lambda line: _part(name, line[1], depth + 1), source).rstrip()


def _read(name: str) -> tuple[str, str]:
    """What a file is for, and its whole text; LookupError when it is missing or bare."""
    try:
        source = folder("cypher").joinpath("queries", f"{name}.cypher").read_text("utf-8")
    except FileNotFoundError:
        raise LookupError(f"there is no cypher/queries/{name}.cypher") from None
    purpose, _, _ = source.partition("\n")
    if not purpose.startswith("//") or not _COMMENT.sub("", source).strip():
        raise LookupError(
            f"{name}.cypher must open with a // line that says what it answers, and have a body"
        )
    return purpose.removeprefix("//").strip(), source
