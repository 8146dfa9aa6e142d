"""The JSON Schema of what each command answers with `--json`."""

from __future__ import annotations

import json
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from graph_memory.cli.answers import ANSWERS

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def answer_schema() -> dict[str, Any]:
    """One schema for all: `#/properties/<words of the command>` is that of one command."""
    told = [(words, "serialization", TypeAdapter(kind)) for words, kind in sorted(ANSWERS.items())]
    made, shared = TypeAdapter.json_schemas(told, schema_generator=_Whole)  # type: ignore[arg-type]
    return {
        "$schema": DIALECT,
        "title": "What graph-memory answers with --json",
        "description": "By the words of the command. Made by `python -m graph_memory.reference`.",
        "type": "object",
        "properties": {words: made[words, "serialization"] for words, *_ in told},
        "$defs": shared["$defs"],
    }


def written() -> str:
    """The schema as it stands in the documentation."""
    return json.dumps(answer_schema(), indent=1, ensure_ascii=False) + "\n"


class _Whole(GenerateJsonSchema):
    """Every field is there, null where it says nothing; and no others, where a shape does not say so."""

    def field_is_required(self, *_: Any, **__: Any) -> bool:
        return True

    def field_title_should_be_set(self, *_: Any) -> bool:
        return False

    def dataclass_schema(self, schema: Any) -> dict[str, Any]:
        return {"additionalProperties": False, **super().dataclass_schema(schema)}
