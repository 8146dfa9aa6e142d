"""`graph-memory keys`: making, listing and revoking API keys."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from graph_memory.bootstrap import open_service
from graph_memory.cli.commands import App
from graph_memory.cli.context import AnySchemaContext
from graph_memory.settings import load
from graph_memory.store import api_keys
from graph_memory.store.api_keys import ApiKey, Right

app = App(help="API keys: make one, list them, end one.", no_args_is_help=True)
console = Console()


@dataclass
class KeysContext(AnySchemaContext):
    """Answers in one line of JSON."""

    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")
    ] = False


@app.command()
def create(
    tenant: Annotated[str, typer.Option("--tenant", "-t", help="The account; made if there is none.")],
    subject: Annotated[
        str | None, typer.Option("--subject", "-s", help="Bind the key to this subject of the tenant.")
    ] = None,
    scope: Annotated[
        list[Right] | None,
        typer.Option(
            "--scope",
            help="What it may do, `read` when nothing is said: all include `read`, `admin` includes all. `erase` may "
            "forget for ever and is given beside another: --scope write --scope erase.",
        ),
    ] = None,
    name: Annotated[str, typer.Option("--name", "-n", help="What it is for.")] = "",
    minutes: Annotated[
        int | None,
        typer.Option("--minutes", help="It ends by itself after so many, as a key for a page should."),
    ] = None,
    *,
    context: KeysContext,
) -> None:
    """Make a key. It is shown this once and cannot be shown again."""
    also = scope or ()
    key, secret = api_keys.create(context.service, tenant, subject, name=name, also=also, minutes=minutes)
    if context.as_json:
        print(json.dumps({**_plain(key), "key": secret}))
        return
    typer.echo(secret)
    typer.echo(f"Key {key.prefix} of tenant {tenant} may {', '.join(key.scopes)}. Keep it now.", err=True)


@app.command("list")
def list_keys(
    tenant: Annotated[str | None, typer.Option("--tenant", "-t", help="Of this tenant only.")] = None,
    *,
    context: KeysContext,
) -> None:
    """List the keys, revoked ones too. Their secrets are not stored."""
    found = api_keys.all_keys(context.service, tenant)
    if context.as_json:
        print(json.dumps({"keys": [_plain(key) for key in found]}))
        return
    table = Table("key", "name", "tenant", "subject", "may", "made", "last used", "ends", "revoked", box=None)
    for key in found:
        table.add_row(*_cells(key))
    console.print(table)


@app.command()
def revoke(
    key: Annotated[str, typer.Argument(help="The key's first eight characters after gm_, or its id.")],
) -> None:
    """End a key for good. Running services refuse it within five seconds."""
    with open_service(load()) as service:
        ended = api_keys.revoke(service, key)
    typer.echo(f"Key {ended.prefix} is revoked.")


def _plain(key: ApiKey) -> dict[str, object]:
    values = asdict(key)
    times = {
        name: at.isoformat(timespec="seconds") for name, at in values.items() if isinstance(at, datetime)
    }
    return {**values, **times}


def _cells(key: ApiKey) -> list[str]:
    named = [key.prefix, key.name, key.tenant_name, key.subject_name or "", ", ".join(key.scopes)]
    times = (key.created_at, key.last_used_at, key.expires_at, key.revoked_at)
    return named + [f"{at:%Y-%m-%d %H:%M}" if at else "" for at in times]
