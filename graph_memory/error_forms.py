"""The forms of all messages of errors, read from the code, with an example of each where one is kept.

`pytest --record-errors` keeps the messages of errors that tests provoke in `docs/reference/error-examples.json`; the page of the
reference is made of both. A form is the message as the code spells it, with `…` in the place of each value.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from graph_memory.base import errors
from graph_memory.base.errors import GraphMemoryError

ROOT = Path(__file__).parent
EXAMPLES = ROOT.parent / "docs" / "reference" / "error-examples.json"
VALUE = "…"

# Tools for measuring are not what callers meet.
_LEFT_OUT = ("bench", "judge/training")
# Folders of a test's own, and what such a folder is called in an example.
_OF_A_TEST = re.compile(r"/[^\s:'\"]*?/pytest-of-[^/\s]+/(?:pytest-\d+/)?(?:popen-\w+/)?[^/\s:;,)'\"]+")
EXAMPLE_FOLDER = "/srv/example"
_OF_A_MACHINE = re.compile(rf"(?:^|[\s`'\"(=])/(?!{EXAMPLE_FOLDER[1:]}\b)\w")
_LONGEST = 600

Kept = Mapping[str, Mapping[str, str]]


def kinds() -> dict[str, type[GraphMemoryError]]:
    """Every error with a code of its own, by the name of its class, as `errors.py` orders them."""
    found = [each for each in vars(errors).values() if isinstance(each, type)]
    of_ours = [each for each in found if issubclass(each, GraphMemoryError) and "code" in vars(each)]
    return {each.__name__: each for each in of_ours if each is not GraphMemoryError}


@cache
def forms() -> Mapping[str, tuple[str, ...]]:
    """The forms of each code, in alphabetical order."""
    known = kinds()
    found: dict[str, set[str]] = {each.code: set() for each in known.values()}
    for file in sorted(ROOT.rglob("*.py")):
        if not file.relative_to(ROOT).as_posix().startswith(_LEFT_OUT):
            for name, form in _told(ast.parse(file.read_text("utf-8")), known):
                # Where all of it is a value, another place has the words.
                if form.strip(f"{VALUE} .;:"):
                    found[known[name].code].add(form)
    return {code: tuple(sorted(each)) for code, each in found.items()}


def form_of(code: str, message: str) -> str | None:
    """The form that a message has; the one with most words of its own where several fit."""
    fitting = [form for form in forms().get(code, ()) if pattern(form).fullmatch(message)]
    return max(fitting, key=lambda form: len(form.replace(VALUE, "")), default=None)


@cache
def pattern(form: str) -> re.Pattern[str]:
    """What messages of a form look like."""
    return re.compile(".+?".join(re.escape(part) for part in form.split(VALUE)), re.DOTALL)


def examples() -> Kept:
    """The examples that are kept: by code, then by form."""
    held: Kept = json.loads(EXAMPLES.read_text("utf-8")) if EXAMPLES.is_file() else {}
    return held


def keep(messages: Iterable[tuple[str, str]]) -> None:
    """Keeps an example of each form that has none; what is kept of a form that is there no more goes."""
    known = {code: dict(each) for code, each in examples().items()}
    for code, message in sorted({(code, shown(message)) for code, message in messages}):
        form = form_of(code, message)
        if form is not None and VALUE in form and is_fit_to_show(message):
            known.setdefault(code, {}).setdefault(form, message)
    there = forms()
    left = {
        code: {form: known[code][form] for form in there[code] if form in known.get(code, {})}
        for code in there
    }
    told = json.dumps({code: each for code, each in left.items() if each}, indent=2, ensure_ascii=False)
    EXAMPLES.write_text(told + "\n", "utf-8")


def shown(message: str) -> str:
    """A message as an example has it: a folder that a test made for itself is called `/srv/example`."""
    return _OF_A_TEST.sub(EXAMPLE_FOLDER, message)


def is_fit_to_show(message: str) -> bool:
    """Whether a message is short, can be printed, and names no other folder of the machine that it was told on."""
    lines = message.splitlines()
    return (
        len(message) <= _LONGEST
        and all(line.isprintable() for line in lines)
        and not any(_OF_A_MACHINE.search(line) for line in lines)
    )


def page_lines() -> Iterator[str]:
    """The page: a table of the forms of each code."""
    kept = examples()
    for kind in kinds().values():
        told = forms().get(kind.code, ())
        if told:
            yield from (
                "",
                f"## {kind.code}",
                "",
                inspect.getdoc(kind) or "",
                "",
                "| message | example |",
                "| --- | --- |",
            )
            yield from (
                f"| {_cell(form)} | {_cell(kept.get(kind.code, {}).get(form, ''))} |" for form in told
            )


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", "\\|").replace("<", "&lt;")


def _told(tree: ast.Module, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """The class and the form of each message in a module."""
    for scope in ast.walk(tree):
        if isinstance(scope, ast.ClassDef) and scope.name in known:
            yield from ((scope.name, form) for form in _of_class(scope))
        if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _of_function(scope, known)


def _of_class(kind: ast.ClassDef) -> Iterator[str]:
    """What an error says by itself: the message that it makes, else its docstring."""
    makes = [call for call in _calls(kind) if ast.unparse(call.func) == "super().__init__" and call.args]
    made = [form for call in makes for form in _spelled(call.args[0], {})]
    yield from made or [(ast.get_docstring(kind) or "").strip()]


def _of_function(function: ast.AST, known: Collection[str]) -> Iterator[tuple[str, str]]:
    names = {
        target.id: node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for call in _calls(function):
        name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
        # An error that makes its message itself is told by its class.
        if name in known and call.args and "__init__" not in vars(kinds()[name]):
            yield from ((name, form) for form in _spelled(call.args[0], names))


def _calls(tree: ast.AST) -> list[ast.Call]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def _spelled(node: ast.expr, names: Mapping[str, ast.expr]) -> Iterator[str]:
    """The forms that an expression may come to; none where it comes from elsewhere."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else VALUE for part in node.values]
        yield re.sub(f"{VALUE}(?:{VALUE})+", VALUE, "".join(str(part) for part in parts))
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from (a + b for a in _spelled(node.left, names) for b in _spelled(node.right, names))
    elif isinstance(node, ast.IfExp):
        yield from (*_spelled(node.body, names), *_spelled(node.orelse, names))
    elif isinstance(node, ast.Name) and node.id in names:
        rest = {name: value for name, value in names.items() if name != node.id}
        yield from _spelled(names[node.id], rest)
