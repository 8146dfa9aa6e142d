"""A tenant as GraphML, for Gephi, yEd and networkx: memories, entities and attributes with what joins them.

It is not read back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from graph_memory.base.clock import FOREVER
from graph_memory.base.scope import Scope
from graph_memory.store.service import Row, Service
from graph_memory.transfer import shapes
from graph_memory.transfer.export import records, steady
from graph_memory.transfer.shapes import LINK

_OPENING = (
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
)
# What an attribute is called, what it belongs to, and of which type it is.
_ATTRIBUTES = (
    ("record", "node", "string"), ("subject", "node", "string"), ("text", "node", "string"), ("name", "node", "string"),
    ("caption", "node", "string"), ("kind", "node", "string"), ("type", "node", "string"), ("tags", "node", "string"),
    ("status", "node", "string"), ("importance", "node", "double"), ("tier", "node", "string"),
    ("valid_from", "node", "string"), ("valid_to", "node", "string"), ("chain_id", "node", "string"),
    ("kind", "edge", "string"), ("confidence", "edge", "double"), ("strength", "edge", "double"),
    ("reason", "edge", "string"), ("value", "edge", "string"),
    ("recorded_from", "edge", "string"), ("recorded_to", "edge", "string"),
)  # fmt: skip
_SHOWN = ("entity", "attribute", "memory")
# XML 1.0 cannot hold these in any spelling.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def graphml_lines(service: Service, scope: Scope, now: bool = False) -> Iterator[str]:
    """The lines of the document. Raises Conflict at the end when somebody wrote meanwhile."""
    yield from _OPENING
    for name, owner, kind in _ATTRIBUTES:
        yield f'<key id="{owner}_{name}" for="{owner}" attr.name="{name}" attr.type="{kind}"/>'
    yield '<graph id="memories" edgedefault="directed">'
    for record, found in steady(service, scope, records(service, scope, now)):
        if record in _SHOWN:
            yield _node(record, found)
        elif record == LINK and shapes.links()[found["kind"]].end in _SHOWN:
            yield _edge(found)
    yield "</graph>"
    yield "</graphml>"


def _node(record: str, found: Row) -> str:
    values = {**found["properties"], "record": record, "subject": found["subject"]}
    return f"<node id={_attribute(found['id'])}>{_data('node', values)}</node>"


def _edge(found: Row) -> str:
    values = {**found["properties"], "kind": found["kind"]}
    return f"<edge source={_attribute(found['from'])} target={_attribute(found['to'])}>{_data('edge', values)}</edge>"


def _data(owner: str, values: Mapping[str, Any]) -> str:
    names = [name for name, of, _ in _ATTRIBUTES if of == owner]
    given = [(name, _text(values[name])) for name in names if values.get(name) is not None]
    return "".join(f'<data key="{owner}_{name}">{text}</data>' for name, text in given if text)


def _text(value: Any) -> str:
    if isinstance(value, datetime):
        return "" if value >= FOREVER else shapes.spell_moment(value)
    plain = ", ".join(value) if isinstance(value, list) else str(value)
    return escape(_FORBIDDEN.sub("\ufffd", plain), {"\r": "&#13;"})


def _attribute(value: str) -> str:
    return quoteattr(_FORBIDDEN.sub("\ufffd", value))
