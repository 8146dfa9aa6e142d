"""A pydantic model as the strict JSON schema that providers take: every field required, no other allowed.

Bounds, formats and defaults are left out, which not all of them know; the model itself holds the answer to those.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

_KEPT = ("type", "enum", "const", "$ref", "description")


def strict(kind: type[BaseModel]) -> dict[str, Any]:
    """The schema of an answer."""
    return _strict(kind.model_json_schema())


def _strict(node: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {name: node[name] for name in _KEPT if name in node}
    if "properties" in node:
        made["properties"] = {name: _strict(each) for name, each in node["properties"].items()}
        made |= {"type": "object", "required": list(node["properties"]), "additionalProperties": False}
    if "items" in node:
        made["items"] = _strict(node["items"])
    if "anyOf" in node:
        made["anyOf"] = [_strict(each) for each in node["anyOf"]]
    if "$defs" in node:
        made["$defs"] = {name: _strict(each) for name, each in node["$defs"].items()}
    return made
