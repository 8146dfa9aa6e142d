"""`graph-memory webhooks`: addresses to which changes are sent."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from graph_memory.cli import tables
from graph_memory.cli.commands import App
from graph_memory.cli.context import TenantContext
from graph_memory.cli.options import Key
from graph_memory.cli.tables import day
from graph_memory.model.change import Operation
from graph_memory.model.webhook import Webhook, WebhookStatus
from graph_memory.webhooks import hooks

app = App(
    help="Webhooks: addresses to which changes are sent, signed, in order and at least once.",
    no_args_is_help=True,
)

Id = Annotated[str, typer.Argument(help="A webhook's id.")]


@app.command()
def add(
    url: Annotated[str, typer.Argument(help="Where to: https, and a public address.")],
    operation: Annotated[
        list[Operation] | None, typer.Option(help="Only what did this; repeat for more.")
    ] = None,
    content: Annotated[
        bool,
        typer.Option("--content", help="Send the words too: reason, before and after of each change."),
    ] = False,
    after: Annotated[
        int | None,
        typer.Option(help="Begin after this sequence number, 0 for the start; else with the next change."),
    ] = None,
    key: Key = None,
    *,
    context: TenantContext,
    subject: Annotated[
        str | None, typer.Option("--subject", "-s", help="Only changes of this subject; all when left out.")
    ] = None,
) -> None:
    """Add a webhook. The secret with which its requests are signed is shown this once.

    Example: graph-memory webhooks add https://example.org/changes --subject ann --operation SUPERSEDE
    """
    wanted = hooks.Wanted(url, subject, tuple(operation or ()), content, after)
    made, secret, answer = hooks.add(context.service, context.call(key), wanted)
    told = f"{secret}\nWebhook {made.id} begins after change {made.after}. Keep its secret now."
    context.show({**asdict(made), "secret": secret, "replayed": answer.replayed}, told)


@app.command("list")
def list_(context: TenantContext) -> None:
    """The webhooks of an account: how far each is behind, and why it failed last.

    Example: graph-memory webhooks list --tenant acme
    """
    found = hooks.every(context.service, context.scope)
    table = tables.table("id", "url", "subject", "only", "state", "behind", "last taken", "next try", "why")
    for hook in found:
        table.add_row(*_cells(hook))
    context.show({"items": [asdict(each) for each in found]}, table if found else "There are none.")


@app.command()
def resume(id: Id, key: Key = None, *, context: TenantContext) -> None:
    """Let a webhook that was set aside go on where it stopped, at once.

    Example: graph-memory webhooks resume 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    hook, answer = hooks.resume(context.service, context.call(key), id)
    told = f"It goes on after change {hook.after}; {hook.lag} wait."
    context.show({**asdict(hook), "replayed": answer.replayed}, told)


@app.command()
def remove(id: Id, key: Key = None, *, context: TenantContext) -> None:
    """Remove a webhook for good; nothing more is sent there.

    Example: graph-memory webhooks remove 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    answer = hooks.remove(context.service, context.call(key), id)
    context.show({"id": id, "replayed": answer.replayed}, f"Webhook {id} is removed.")


def _cells(hook: Webhook) -> list[str]:
    state = "failing" if hook.failures and hook.status is WebhookStatus.ACTIVE else hook.status.value.lower()
    return [
        hook.id,
        hook.url,
        hook.subject_name or "",
        ", ".join(hook.operations),
        state,
        str(hook.lag),
        day(hook.last_sent_at),
        day(hook.next_try_at),
        hook.last_error or "",
    ]
