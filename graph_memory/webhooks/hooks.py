"""What an admin does with webhooks: add one, list them, resume one that was set aside, remove one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from graph_memory.base.errors import Conflict, Forbidden, Invalid, NotFound
from graph_memory.base.gathered import Gathered
from graph_memory.base.ids import check_id, new_id
from graph_memory.base.scope import Scope
from graph_memory.ledger import changes
from graph_memory.ledger.changes import Answer, Call, Writing, carry_out
from graph_memory.model.change import Operation
from graph_memory.model.webhook import Webhook, WebhookStatus
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service
from graph_memory.webhooks import destination
from graph_memory.webhooks.settings import WebhooksSettings
from graph_memory.webhooks.signature import new_secret

ADD = query("webhooks/add")
LIST = query("webhooks/list")
SECRET = query("webhooks/secret")
RESUME = query("webhooks/resume")
REMOVE = query("webhooks/remove")


@dataclass(frozen=True)
class Wanted:
    """Where changes shall go, and which: of a subject, of some operations; with what they did or without.

    `after` is the sequence number of the change after which it begins; None: with the next change.
    """

    url: str
    subject_name: str | None = None
    operations: tuple[Operation, ...] = ()
    with_content: bool = False
    after: int | None = None


def add(service: Service, call: Call, wanted: Wanted) -> tuple[Webhook, str, Answer]:
    """A new webhook and the secret with which its requests are signed; the same key answers the same two again.

    Raises Invalid for an address that may not be one, Conflict when the account has as many as it may.
    """
    settings, scope = service.settings[WebhooksSettings], _whole(call.scope)
    whose = check(service, scope, wanted)
    hook = {
        "id": new_id(),
        "url": wanted.url,
        "subject_id": whose and whose.subject,
        "subject_name": wanted.subject_name,
        "operations": [each.value for each in dict.fromkeys(wanted.operations)],
        "with_content": wanted.with_content,
        "secret": new_secret(),
        "status": WebhookStatus.ACTIVE.value,
        "created_by": call.actor,
    }

    def work(writing: Writing) -> Row:
        rows = writing.run(
            ADD,
            hook={**hook, "created_at": writing.now},
            after=wanted.after,
            most=settings.most,
        )
        if not rows:
            raise Conflict(f"This account has {settings.most} webhooks, as many as it may; remove one first.")
        return {"id": hook["id"]}

    body = [wanted.url, hook["subject_id"], hook["operations"], wanted.with_content, wanted.after]
    answer = carry_out(service, _of_all(call), "addWebhook", body, work, is_activity=False)
    id = str(answer.value["id"])
    made = get(service, scope, id)
    return made, str(service.read(scope, SECRET, id=id)[0]["secret"]), answer


def check(service: Service, scope: Scope, wanted: Wanted) -> Scope | None:
    """The scope of the subject whose changes are wanted, if of one. All that is wrong with what is wanted is told at once."""
    faults = Gathered()
    faults.of(destination.check, wanted.url, service.settings[WebhooksSettings])
    faults.of(_check_after, service, scope, wanted.after)
    whose = None if wanted.subject_name is None else faults.of(Scope, scope.tenant_name, wanted.subject_name)
    faults.refuse()
    return whose


def _check_after(service: Service, scope: Scope, after: int | None) -> None:
    if after is not None and not 0 <= after <= changes.head(service, _whole(scope)):
        raise Invalid(
            f"There is no change {after} yet; give the number of one that is there, or leave `after` out.",
            path="after",
        )


def every(service: Service, scope: Scope) -> list[Webhook]:
    """The webhooks of an account, the oldest first."""
    return [Webhook.from_row(row["hook"]) for row in service.read(_whole(scope), LIST, id=None)]


def get(service: Service, scope: Scope, id: str) -> Webhook:
    """A webhook of this account; NotFound when it is missing or someone else's."""
    rows = service.read(_whole(scope), LIST, id=check_id(id, "webhook"))
    if not rows:
        raise NotFound(
            f"There is no webhook {id}; `graph-memory webhooks list` shows those of the account.", path="id"
        )
    return Webhook.from_row(rows[0]["hook"])


def resume(service: Service, call: Call, id: str) -> tuple[Webhook, Answer]:
    """The webhook, active: it goes on after the last change that was taken, and is tried at once."""
    hook = get(service, call.scope, id)

    def work(writing: Writing) -> Row:
        writing.run(RESUME, id=id, status=WebhookStatus.ACTIVE.value)
        return {"id": id}

    answer = carry_out(service, _of_all(call), "resumeWebhook", id, work, is_activity=False)
    return get(service, call.scope, hook.id), answer


def remove(service: Service, call: Call, id: str) -> Answer:
    """Ends a webhook for good; nothing more is sent. The same key answers again. NotFound when it is missing."""

    def work(writing: Writing) -> Row:
        if not writing.run(REMOVE, id=id):
            raise NotFound(
                f"There is no webhook {id}; `graph-memory webhooks list` shows those of the account.",
                path="id",
            )
        return {"id": id}

    check_id(id, "webhook")
    return carry_out(service, _of_all(call), "removeWebhook", id, work, is_activity=False)


def _of_all(call: Call) -> Call:
    return replace(call, scope=_whole(call.scope))


def _whole(scope: Scope) -> Scope:
    if scope.is_bound:
        raise Forbidden("Webhooks belong to the whole account; this key is bound to a subject.")
    return replace(scope, subject_name=None)
