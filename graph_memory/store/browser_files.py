"""What makes Neo4j Browser pleasant: a style, a guide, and saved queries as a file that it imports."""

from __future__ import annotations

import io
import json
import re
import zipfile
from dataclasses import dataclass
from functools import cache
from html import escape

from graph_memory.base.files import folder

STYLE = "graph_memory.grass"
GUIDE = "guide.html"
SAVED = "graph_memory-saved.zip"
# The folder that the Browser puts them into.
_FOLDER = "graph_memory"
_PARAMETER = re.compile(r"^// :param (\w+) => '(.*)'$", re.MULTILINE)
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class SavedQuery:
    """A query for a person: its title is its first line, its parameters follow, each with what it is at first.

    They stand in comments, because the Browser draws nothing of a script that holds a command beside a query.
    """

    name: str
    title: str
    text: str

    @property
    def parameters(self) -> dict[str, str]:
        return dict(_PARAMETER.findall(self.text))


@cache
def saved() -> tuple[SavedQuery, ...]:
    """All saved queries, in the order of their numbers."""
    files = sorted(folder("cypher").joinpath("browser", "saved").iterdir(), key=lambda file: file.name)
    return tuple(_read(file.name.removesuffix(".cypher"), file.read_text("utf-8")) for file in files)


def parameters() -> str:
    """The Browser's command, without its colon, that sets all parameters to what they are at first."""
    return (
        f"params {json.dumps({name: value for each in saved() for name, value in each.parameters.items()})}"
    )


@cache
def packed() -> bytes:
    """The saved queries as the file that is dropped onto the Browser; always the same bytes."""
    buffer = io.BytesIO()
    texts = {"00-parameters": f"// First: what the other queries are about\n:{parameters()}\n"}
    texts.update((each.name, each.text) for each in saved())
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(zipfile.ZipInfo(f"{_FOLDER}/{name}.cypher", _FIRST_DAY), text)
    return buffer.getvalue()


@cache
def style() -> str:
    """The style, in the Browser's own language."""
    return folder("cypher").joinpath("browser", STYLE).read_text("utf-8")


def guide(address: str) -> str:
    """A guide with a slide for each saved query. `address` is where this and the style are served."""
    slides = [_slide(each) for each in saved()]
    return f"""<article class="guide">
<carousel class="deck container-fluid">
<slide class="row-fluid">
<div class="col-sm-12">
<h3>graph_memory</h3>
<p>A click on a box puts it into the editor; run it there. First the style: colours by label, captions, thin lines for what
is derived.</p>
{_code(f":style {address}{STYLE}")}
<p>Then what the questions are about. Change one at a time, as <code>:param name => 'Theo'</code>.</p>
{_code(f":{parameters()}")}
<p>Then turn the page: each page is a question, with its parameters at the top.
<a href="{escape(address)}{SAVED}">All of them as one file</a>: drop it onto this window, and they are among your favourites.</p>
<p>Times that have not ended are in the year 9999. Looking is free; whatever you write here passes by every rule of the
service.</p>
</div>
</slide>
{"".join(slides)}</carousel>
</article>
"""


def _read(name: str, text: str) -> SavedQuery:
    return SavedQuery(name, text.splitlines()[0].removeprefix("//").strip(), text)


def _slide(query: SavedQuery) -> str:
    what, _, more = query.title.partition(": ")
    told = f"<p>{escape(more[:1].upper() + more[1:])}.</p>" if more else ""
    return f"""<slide class="row-fluid">
<div class="col-sm-12">
<h3>{escape(what)}</h3>
{told}
{_code(query.text.strip())}
</div>
</slide>
"""


def _code(text: str) -> str:
    return f'<figure><pre class="pre-scrollable code runnable">{escape(text, quote=False)}</pre></figure>'
