"""Statements as the command line takes them: from options, or one a line from standard input.

A line is a text, or a JSON object with the words of GraphQL's FactInput (text, kind, tags, validFrom, source, ...). What
the options say holds for every line that says nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from graph_memory.base.errors import Invalid, InvalidFile, UserError
from graph_memory.base.incoming import check, json_object
from graph_memory.entities.given import GivenEntity
from graph_memory.memory.statement import Statement
from graph_memory.model.memory import EntityName, Fact


def facts_of_lines(
    lines: Iterable[str], usual: Fact, name: str, refuse: Callable[[Fact], None]
) -> list[Fact]:
    """The facts of all lines that are not blank. InvalidFile names every line that is broken, and why.

    `refuse` raises what is wrong with the values of one.
    """
    facts, faults = [], []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            fact = _of_line(line.strip(), usual)
            refuse(fact)
            facts.append(fact)
        except UserError as error:
            faults.append((number, error.message))
    if faults:
        raise InvalidFile(name, faults)
    return facts


def entity_of(given: str) -> EntityName:
    """`Ann`, or with a type `Ann:PERSON`."""
    name, _, type_ = given.rpartition(":")
    is_typed = bool(name) and type_.isupper() and type_.replace("_", "").isalpha()
    told = {"name": name, "type": type_} if is_typed else {"name": given}
    return check(GivenEntity, told, "--entity").named()


def metadata_of(given: Sequence[str]) -> dict[str, str]:
    """`name=value` of each; values are texts."""
    pairs = [each.partition("=") for each in given]
    if wrong := [name for name, sign, _ in pairs if not (name and sign)]:
        raise Invalid(f"{wrong[0]!r} is not metadata; write --metadata name=value.", path="metadata")
    return {name: value for name, _, value in pairs}


def _of_line(line: str, usual: Fact) -> Fact:
    if not line.startswith("{"):
        return replace(usual, text=line)
    given = {name: value for name, value in json_object(line).items() if value is not None}
    return check(Statement, given).fact(usual)
