"""What the documentation says is there: links lead somewhere, commands exist, generated pages are current."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from graph_memory.cli.answers import ANSWERS
from graph_memory.reference import PAGES, commands
from graph_memory.verify.invariants import INVARIANTS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
DOCUMENTS = sorted([*DOCS.rglob("*.md"), *ROOT.glob("*.md")])
LINK = re.compile(r"\[[^\]]*\]\((?!https?:)([^)#\s]+)")
BLOCK = re.compile(r"^```(?:sh|bash|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OF_A_MACHINE = re.compile(r"(?:^|[\s`'\"(=])(?:/(?:home|root|tmp|work|Users)/|C:\\)", re.MULTILINE)


def _name(document: Path) -> str:
    return document.relative_to(ROOT).as_posix()


def _commands_in(document: Path) -> list[str]:
    lines = [
        line.removeprefix("$ ")
        for block in BLOCK.findall(document.read_text("utf-8"))
        for line in block.splitlines()
    ]
    named = [found[0] for line in lines if (found := re.search(r"graph-memory [^)\n]*", line))]
    return [line for line in named if line.startswith("graph-memory ")]


USES = [(document, line) for document in DOCUMENTS for line in _commands_in(document)]


@pytest.mark.parametrize("page", PAGES)
def test_the_generated_page_is_current(page: str) -> None:
    written = (DOCS / "reference" / page).read_text("utf-8")
    assert written == PAGES[page](), "run `python -m graph_memory.reference` and look at the difference"


def test_every_answer_for_machines_is_described() -> None:
    asked = {words for words, each in commands().items() if "as_json" in {one.name for one in each.params}}
    assert asked == set(ANSWERS)


def test_the_links_lead_somewhere() -> None:
    links = {
        (_name(document), link): (document.parent / link).exists()
        for document in DOCUMENTS
        for link in LINK.findall(document.read_text("utf-8"))
    }
    assert [where for where, leads in links.items() if not leads] == []


def test_every_document_opens_with_one_title() -> None:
    texts = {
        _name(each): re.sub(r"^```.*?^```$", "", each.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        for each in DOCUMENTS
    }
    titles = {name: re.findall(r"^# ", text, re.MULTILINE) for name, text in texts.items()}
    assert [name for name, text in texts.items() if not text.startswith("# ") or len(titles[name]) > 1] == []


def test_no_document_names_a_folder_of_one_machine() -> None:
    named = {_name(each): OF_A_MACHINE.findall(each.read_text("utf-8")) for each in DOCUMENTS}
    assert {name: found for name, found in named.items() if found} == {}


def test_the_index_leads_to_every_document() -> None:
    index = DOCS / "index.md"
    linked = {(DOCS / link).resolve() for link in LINK.findall(index.read_text("utf-8"))}
    assert [
        _name(each) for each in DOCUMENTS if each.is_relative_to(DOCS) and each not in {*linked, index}
    ] == []


def test_decisions_count_up_and_say_their_number() -> None:
    for number, file in enumerate(sorted((DOCS / "decisions").glob("*.md")), 1):
        assert file.name.startswith(f"{number:04}-"), file.name
        assert file.read_text("utf-8").startswith(f"# {number}. "), file.name


def test_there_are_commands_in_the_documents() -> None:
    assert len(USES) > 20


def test_the_commands_and_their_options_exist() -> None:
    known = commands()
    faults = []
    for document, line in USES:
        words = shlex.split(line, comments=True)[1:]
        command = known.get(" ".join(words[:2])) or known.get(words[0])
        options = {option for parameter in command.params for option in parameter.opts} if command else set()
        if (
            any(re.fullmatch(r"--?[a-z][a-z-]*", word) and word not in options for word in words)
            or not command
        ):
            faults.append((_name(document), line))
    assert faults == []


def test_the_readme_opens_with_the_two_commands() -> None:
    [first, *_] = BLOCK.findall((ROOT / "README.md").read_text("utf-8"))
    assert [line.split("#")[0].strip() for line in first.splitlines()] == ["make demo", "make test"]


def test_what_the_readme_calls_make_with_exists() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = {
        name for document in DOCUMENTS for name in re.findall(r"`make (\w+)`", document.read_text("utf-8"))
    }
    assert named <= targets


def test_what_has_to_pass_is_make_test() -> None:
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    lines = [line for line in script.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert lines[0] == "set -euo pipefail"
    assert lines[-2:] == ["make test", "make test-extras"]


def test_every_invariant_that_is_checked_stands_on_its_page() -> None:
    page = (ROOT / "docs/reference/invariants.md").read_text("utf-8")
    missing = [each.rule for each in INVARIANTS if f"| {each.code} | {each.rule} |" not in page]
    assert missing == []
