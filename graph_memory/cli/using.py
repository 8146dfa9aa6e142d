"""`graph-memory use`: whose memories are meant when a command does not say."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from platformdirs import user_config_path

from graph_memory.base.errors import NotFound, SystemFault

app = typer.Typer()


@app.command()
def use(
    tenant: Annotated[str | None, typer.Argument(help="The account.")] = None,
    subject: Annotated[str | None, typer.Argument(help="And one subject of it.")] = None,
) -> None:
    """Choose the tenant, and perhaps the subject, of commands that name none; without a tenant, show them.

    Example: graph-memory use demo mara
    """
    if tenant is not None:
        file = user_config_path("graph-memory", ensure_exists=True) / "use.json"
        file.write_text(json.dumps({"tenant": tenant, "subject": subject}), "utf-8")
    told = chosen()
    whose = f", subject {told['subject']}" if told.get("subject") else ""
    print(f"Tenant {told.get('tenant') or 'default'}{whose}, where a command names no other.")
    if tenant is not None and (doubt := _doubt(tenant, subject)):
        print(doubt)


def _doubt(tenant: str, subject: str | None) -> str | None:
    """That tenant or subject is not there; None also while there is no store that could be asked."""
    # The options of every command import this module, and most commands open no store.
    from graph_memory.base.scope import Scope
    from graph_memory.cli.context import opened
    from graph_memory.store import subjects

    scope = Scope(tenant, subject)
    try:
        with opened() as service:
            subjects.require(service, scope)
    except NotFound as fault:
        return fault.message
    except SystemFault:
        return None
    return None


def chosen() -> dict[str, str]:
    """What was chosen; nothing when that cannot be read."""
    try:
        found = json.loads((user_config_path("graph-memory") / "use.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return (
        {name: each for name, each in found.items() if isinstance(each, str)}
        if isinstance(found, dict)
        else {}
    )
