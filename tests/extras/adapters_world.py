"""The page of an adapter, carried out as a reader would."""

from __future__ import annotations

import re
import uuid
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run_page(name: str, **given: Any) -> dict[str, Any]:
    """What the page's code has made, with an account of its own in the place of the page's."""
    text = (ROOT / "docs" / "how-to" / name).read_text("utf-8")
    text = text.replace('"home"', f'"home-{uuid.uuid4().hex[:12]}"')
    made: dict[str, Any] = dict(given)
    for source in _BLOCK.findall(text):
        exec(compile(source, name, "exec"), made)
    return made
