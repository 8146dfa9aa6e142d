"""Changes are sent to webhooks: all of them, in order, signed, to nobody else, and nothing is lost while a receiver fails."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import pytest
from neo4j import Driver

from graph_memory.base.errors import Conflict, Forbidden, Invalid, NotFound
from graph_memory.base.ids import new_id
from graph_memory.base.scope import Scope
from graph_memory.bootstrap import compose
from graph_memory.jobs import runs, schedule
from graph_memory.jobs.schedule import Job
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.memory.erasure import forget
from graph_memory.model.change import Operation
from graph_memory.model.memory import Fact
from graph_memory.model.run import Status
from graph_memory.model.webhook import WebhookStatus
from graph_memory.settings import Settings
from graph_memory.store.protocols import Embedder
from graph_memory.store.service import Service
from graph_memory.verify import verify
from graph_memory.webhooks import delivery, hooks
from graph_memory.webhooks.hooks import Wanted
from tasks import execute
from tests.conftest import Clock

pytestmark = pytest.mark.stack

Answer = Callable[[int], int | str]


class Receiver:
    """A little server. It answers what `answer` says of the number of the request, a status or a place to go to."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.seen: list[tuple[dict[str, str], bytes]] = []
        self.taken: list[dict[str, Any]] = []
        self.answer: Answer = lambda number: 204
        self.after_status = b""

    def sequences(self) -> list[int]:
        return [each["data"]["sequence"] for each in self.taken]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


@contextmanager
def receiving() -> Iterator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.seen.append(({name.lower(): value for name, value in self.headers.items()}, body))
            told = found.answer(len(found.seen))
            status = told if isinstance(told, int) else 302
            if 200 <= status < 300:
                found.taken.append(json.loads(body))
            self.send_response(status)
            if isinstance(told, str):
                self.send_header("Location", told)
            if status != 204:
                self.send_header("Content-Length", str(len(found.after_status)))
            self.end_headers()
            if status != 204:
                self.wfile.write(found.after_status)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    found = Receiver(f"http://127.0.0.1:{server.server_port}/changes?x=1")
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield found
    server.shutdown()
    server.server_close()


@pytest.fixture
def service(stack: Settings, driver: Driver, embedder: Embedder, clock: Clock) -> Service:
    """A service whose webhooks may lead to this machine, and give up after ten minutes."""
    return hooking(stack, driver, embedder, clock)


def hooking(
    stack: Settings, driver: Driver, embedder: Embedder, clock: Clock, timeout: float = 60.0
) -> Service:
    given = {"private": True, "timeout": timeout, "most": 3, "give_up": 600.0}
    hooked = stack.webhooks.model_copy(update=given)
    return compose(stack.model_copy(update={"webhooks": hooked}), driver, embedder, clock)


def admin(scope: Scope) -> Call:
    return Call(Scope(scope.tenant_name), "test")


def keep(service: Service, scope: Scope, *texts: str) -> list[str]:
    facts = [Fact(text, entities=(), vector=(1.0,) + (0.0,) * 383) for text in texts]
    return [each.id for each in add(service, Call(scope, "test"), facts)[0]]


def send(service: Service, scope: Scope) -> dict[str, Any]:
    """What a worker does when the beat has looked; {} when there was nothing to do."""
    whole, found = Scope(scope.tenant_name), []

    def publish(job: Job, whose: Scope, run_id: str) -> None:
        if whose == whole:
            found.append(run_id)

    delivery.look(service, publish)
    for id in found:
        run = execute(service, whole, id)
        assert run.status is Status.DONE, run.error
        return dict(run.result)
    return {}


def is_signed(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """As the page tells receivers to check it."""
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    told = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return f"v1,{told}" in headers["webhook-signature"].split(" ")


def test_a_hundred_changes_arrive_in_order_though_the_receiver_fails_in_between(
    service: Service, scope: Scope, clock: Clock, receiver: Receiver
) -> None:
    other = Scope(f"test-{new_id()}", "ann")
    _, secret, _ = hooks.add(service, admin(scope), Wanted(receiver.url))
    for turn in range(10):
        keep(service, scope, *(f"Fact {turn} {each}" for each in range(10)))
        keep(service, other, f"A secret of another account {turn}")
    receiver.answer = lambda number: 503 if number in (7, 8, 30, 61) else 204
    sent = failed = 0
    for _ in range(6):
        done = send(service, scope)
        sent, failed = sent + done.get("sent", 0), failed + done.get("failed", 0)
        assert send(service, scope) == {}, "it is not tried again before its pause is over"
        clock.forward(seconds=60)
    assert receiver.sequences() == list(range(1, 101))
    assert (sent, failed) == (100, 4)
    assert all(is_signed(secret, *each) for each in receiver.seen)
    assert not is_signed(secret, receiver.seen[0][0], receiver.seen[1][1])
    assert b"another account" not in b"".join(body for _, body in receiver.seen)
    tries = [headers for headers, body in receiver.seen if json.loads(body)["data"]["sequence"] == 7]
    assert len({each["webhook-id"] for each in tries}) == 1
    assert len({each["webhook-timestamp"] for each in tries}) == 3
    [hook] = hooks.every(service, scope)
    assert (hook.after, hook.lag, hook.failures, hook.last_error) == (100, 0, 0, None)


def test_it_goes_on_where_a_worker_was_lost(
    service: Service, scope: Scope, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks.add(service, admin(scope), Wanted(receiver.url))
    keep(service, scope, "One.", "Two.", "Three.", "Four.")

    def lost(*_: object) -> bool:
        raise SystemExit

    with monkeypatch.context() as patch:
        receiver.answer = lambda number: 204 if number < 3 else 500
        send(service, scope)
        receiver.answer = lambda number: 204
        patch.setattr(delivery, "_pass", lost)
        hook = hooks.every(service, scope)[0]
        hooks.resume(service, admin(scope), hook.id)
        run = runs.open_run(service, Scope(scope.tenant_name), schedule.job(schedule.DELIVER))
        with pytest.raises(SystemExit):
            execute(service, Scope(scope.tenant_name), run.id)
    assert execute(service, Scope(scope.tenant_name), run.id).status is Status.DONE
    assert receiver.sequences() == [1, 2, 3, 3, 4], (
        "the one whose answer was lost comes twice, none is missing"
    )


def test_only_what_is_wanted_is_sent_and_no_words_unless_they_are_asked_for(
    service: Service, scope: Scope, receiver: Receiver
) -> None:
    bea = Scope(scope.tenant_name, "bea")
    with receiving() as wordy:
        hooks.add(service, admin(scope), Wanted(receiver.url, "bea"))
        hooks.add(service, admin(scope), Wanted(wordy.url, None, (Operation.ERASE,), with_content=True))
        hooks.add(service, admin(scope), Wanted(wordy.url, with_content=True))
        keep(service, scope, "Ann has a cat.")
        [id] = keep(service, bea, "Bea has a dog.")
        send(service, scope)
        [change] = receiver.taken
        assert (change["type"], change["data"]["subject"], change["data"]["targets"]) == (
            "change.add",
            "bea",
            [id],
        )
        assert b"dog" not in receiver.seen[0][1]
        assert "reason" not in change["data"]
        assert [each["data"]["after"][each["data"]["targets"][0]]["text"] for each in wordy.taken] == [
            "Ann has a cat.",
            "Bea has a dog.",
        ]
        forget(service, Call(bea, "test"), [id])
        send(service, scope)
        assert [each["type"] for each in wordy.taken[2:]] == ["change.erase", "change.erase"]
        assert wordy.taken[-1]["data"]["targets"] == [id]


def test_what_was_erased_before_it_was_sent_is_not_sent(
    service: Service, scope: Scope, receiver: Receiver
) -> None:
    hooks.add(service, admin(scope), Wanted(receiver.url, with_content=True))
    [id] = keep(service, scope, "Ann's canary is called Quixalotl.")
    forget(service, Call(scope, "test"), [id])
    send(service, scope)
    assert [each["type"] for each in receiver.taken] == ["change.add", "change.erase"]
    assert b"Quixalotl" not in b"".join(body for _, body in receiver.seen)
    assert verify(service, [scope.tenant_name]).violations["I11"] == 0


def test_one_that_keeps_failing_is_set_aside_and_goes_on_where_it_stopped(
    service: Service, scope: Scope, clock: Clock, receiver: Receiver
) -> None:
    made, _, _ = hooks.add(service, admin(scope), Wanted(receiver.url))
    keep(service, scope, "One.", "Two.")
    receiver.answer = lambda number: 500 if number > 1 else 204
    pauses: list[float] = []
    while send(service, scope) and (hook := hooks.get(service, scope, made.id)).next_try_at is not None:
        pauses.append((hook.next_try_at - clock()).total_seconds())
        clock.forward(seconds=pauses[-1])
    assert hook.status is WebhookStatus.ASIDE
    assert pauses[0] <= 5 < pauses[1] < pauses[2] <= 20
    assert hook.failing_since is not None
    assert (clock() - hook.failing_since).total_seconds() >= service.settings.webhooks.give_up
    assert (hook.lag, hook.last_error) == (1, "it answered 500")
    clock.forward(days=30)
    assert send(service, scope) == {}
    receiver.answer = lambda number: 204
    keep(service, scope, "Three.")
    hooks.resume(service, admin(scope), made.id)
    send(service, scope)
    assert receiver.sequences() == [1, 2, 3]


@pytest.mark.parametrize(
    ("answer", "told", "status"),
    [
        ("http://127.0.0.1:1/elsewhere", "it answered 302, and redirects are not followed", "ACTIVE"),
        (410, "it answered 410: it wants no more", "ASIDE"),
    ],
)
def test_redirects_are_not_followed_and_a_receiver_may_end_it(
    service: Service, scope: Scope, receiver: Receiver, answer: int | str, told: str, status: str
) -> None:
    hooks.add(service, admin(scope), Wanted(receiver.url))
    keep(service, scope, "One.")
    receiver.answer = lambda number: answer
    receiver.after_status = b"x" * 1_000_000
    send(service, scope)
    [hook] = hooks.every(service, scope)
    assert (hook.last_error, hook.status.value, len(receiver.seen)) == (told, status, 1)


def test_a_receiver_that_does_not_answer_is_left_after_its_time(
    service: Service, scope: Scope, receiver: Receiver, stack: Settings, clock: Clock
) -> None:
    hooks.add(service, admin(scope), Wanted(receiver.url))
    keep(service, scope, "One.")
    ended = Event()

    def wait(_: int) -> int:
        ended.wait(60)
        return 204

    receiver.answer = wait
    send(hooking(stack, service.driver, service.embedder, clock, timeout=0.5), scope)
    ended.set()
    assert hooks.every(service, scope)[0].last_error == "it did not answer within 0.5 s"


def test_who_may_and_what_an_address_must_be(service: Service, scope: Scope, stack: Settings) -> None:
    strict = compose(stack, service.driver, service.embedder, service.clock)
    for url in (
        "http://example.org/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://localhost:7474/",
        "https://169.254.169.254/latest/meta-data",
        "https://[::ffff:10.0.0.1]/",
        "https://[64:ff9b::7f00:1]/",
        "ftp://9.9.9.9/",
        "https://ann:secret@9.9.9.9/",
        "https://9.9.9.9:99999/",
        "https:///nowhere",
        "https://9.9.9.9/ a",
        "https://9.9.9.9/" + "a" * 2000,
    ):
        with pytest.raises(Invalid) as told:
            hooks.add(strict, admin(scope), Wanted(url))
        assert told.value.path == "url", url
    with pytest.raises(Forbidden):
        hooks.add(
            strict, Call(Scope(scope.tenant_name, "ann", is_bound=True), "test"), Wanted("https://9.9.9.9/")
        )
    with pytest.raises(Invalid):
        hooks.add(strict, admin(scope), Wanted("https://9.9.9.9/", after=1))
    call = Call(Scope(scope.tenant_name), "test", key="once")
    made, secret, _ = hooks.add(strict, call, Wanted("https://9.9.9.9/"))
    again, same, answer = hooks.add(strict, call, Wanted("https://9.9.9.9/"))
    assert (again.id, same, answer.replayed) == (made.id, secret, True)
    for _ in range(2):
        hooks.add(service, admin(scope), Wanted("https://9.9.9.9/"))
    with pytest.raises(Conflict):
        hooks.add(service, admin(scope), Wanted("https://9.9.9.9/"))
    with pytest.raises(NotFound):
        hooks.get(strict, Scope(f"test-{new_id()}"), made.id)
    hooks.remove(strict, admin(scope), made.id)
    assert len(hooks.every(strict, scope)) == 2


def test_a_name_that_leads_inside_later_is_not_called(
    service: Service, scope: Scope, stack: Settings, receiver: Receiver
) -> None:
    """It was allowed when it was added; the address is looked at again for each connection."""
    hooks.add(service, admin(scope), Wanted(receiver.url))
    keep(service, scope, "One.")
    strict = compose(stack, service.driver, service.embedder, service.clock)
    send(strict, scope)
    assert hooks.every(service, scope)[0].last_error == "its host has no address, or one that is not public"
    assert receiver.seen == []
