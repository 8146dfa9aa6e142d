"""Settings: each is documented and read, and every fault is told at once."""

from __future__ import annotations

import ast
import json
import os
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from pydantic import SecretStr

from graph_memory.base.errors import Misconfigured
from graph_memory.base.former_settings import FORMER
from graph_memory.base.sections import Section
from graph_memory.jobs import schedule
from graph_memory.jobs.settings import PERIODS
from graph_memory.model.purpose import Purpose
from graph_memory.models.chat import use_of
from graph_memory.models.settings import Endpoint, PurposeRow
from graph_memory.reference import reasons
from graph_memory.settings import CONFIG, PREFIX, Settings, load, notes
from tests.contract.source_files import every, names_in, nodes_of, trees

KEYS = [
    (section, name)
    for section, field in Settings.model_fields.items()
    for name in field.annotation.model_fields
]  # type: ignore[union-attr]


def _named(environment: pytest.MonkeyPatch, **values: str) -> None:
    for name, value in values.items():
        environment.setenv(f"{PREFIX}{name}", value)


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Without any setting."""
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        monkeypatch.delenv(name)
    return monkeypatch


def test_every_setting_is_read_by_some_code() -> None:
    unread = [key for key in KEYS if key[1] not in _read_from(key[0])]
    assert unread == []


@pytest.mark.parametrize("purpose", Purpose)
def test_a_purpose_has_a_question_that_some_code_asks(purpose: Purpose) -> None:
    """Its row is read by its name, so that is not enough to tell that one has an effect."""
    questions = {
        path.removesuffix(".py").replace("/", ".")
        for path, node in every(ast.Attribute)
        if path.endswith("_prompt.py")
        if isinstance(node, ast.Attribute) and ast.unparse(node) == f"Purpose.{purpose.name}"
    }
    assert questions & _asked()


@pytest.mark.parametrize("name", PurposeRow.model_fields)
def test_what_is_given_for_a_purpose_changes_how_it_is_asked(name: str) -> None:
    given = {"models": {"openai": "m"}, "max_tokens": 17, "thinking": 18, "timeout": 19.0}[name]
    settings = load(providers={"purposes": {"review": {name: given}}})
    assert replace(use_of(load(), Purpose.REVIEW), **{name: given}) == use_of(settings, Purpose.REVIEW)
    assert use_of(settings, Purpose.ASK) == use_of(load(), Purpose.ASK)


def test_each_planned_job_has_a_period_and_each_period_a_job() -> None:
    named = [job.period for job in schedule.planned()]
    assert sorted([*named, "webhooks", "reconcile"]) == sorted(PERIODS)


def test_every_job_of_the_beat_can_be_switched_off_and_others_keep_their_period(
    environment: pytest.MonkeyPatch,
) -> None:
    _named(
        environment, JOBS_PERIODS=json.dumps({**dict.fromkeys(PERIODS, "off"), "reconcile": 30, "tidy": 60})
    )
    settings = load()
    on = {job.period: job.seconds(settings) for job in schedule.planned() if job.seconds(settings)}
    assert (on, settings.jobs.periods["reconcile"], settings.jobs.periods["webhooks"]) == (
        {"tidy": 60},
        30,
        0,
    )


@pytest.mark.parametrize(
    ("periods", "told"),
    [
        ({"rescor": 5}, "JOBS_PERIODS: .*there is no job rescor; did you mean rescore?"),
        ({"rescore": -1}, "JOBS_PERIODS: rescore: .*greater than or equal to 0"),
        ({"reconcile": "off"}, "JOBS_PERIODS: .*reconcile cannot be switched off"),
    ],
)
def test_a_fault_in_the_periods_says_which_and_what(
    environment: pytest.MonkeyPatch, periods: dict[str, object], told: str
) -> None:
    _named(environment, JOBS_PERIODS=json.dumps(periods))
    with pytest.raises(Misconfigured, match=told):
        load()


def test_names_of_settings_that_moved_into_a_table_are_read_and_told_as_deprecated(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "settings.toml").write_text(
        "[jobs]\ntidy = 7\nverify = 8\n[extract]\nmax_tokens = 9\n[providers.purposes.extract]\ntimeout = 5\n",
        "utf-8",
    )
    environment.setenv(CONFIG, str(tmp_path / "settings.toml"))
    _named(environment, JOBS_RESCORE="3", JOBS_TIDY="4", JOBS_COMPACT="0", CLASSIFY_MODELS='{"openai": "m"}')
    found = load()
    assert [found.jobs.periods[name] for name in ("rescore", "tidy", "compact", "verify")] == [3, 4, 0, 8]
    extract = found.providers.purposes[Purpose.EXTRACT]
    assert (extract.max_tokens, extract.timeout) == (9, 5.0)
    assert found.providers.purposes[Purpose.CLASSIFY].models == {"openai": "m"}
    assert notes(found)[0] == (
        "GRAPH_MEMORY_JOBS_RESCORE is deprecated: it is rescore of GRAPH_MEMORY_JOBS_PERIODS now"
    )
    _named(environment, JOBS_PERIODS='{"rescore": 5}', JOBS_TIDY="soon")
    with pytest.raises(Misconfigured, match="tidy: "):
        load()
    _named(environment, JOBS_TIDY="6")
    assert [load().jobs.periods[name] for name in ("rescore", "tidy")] == [5, 6]


def test_a_section_that_is_none_any_more_is_told_with_what_holds_instead(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "settings.toml").write_text("[ingest]\nbatch = 10\n", "utf-8")
    environment.setenv(CONFIG, str(tmp_path / "settings.toml"))
    with pytest.raises(
        Misconfigured, match="INGEST: there is no such setting any more; batch: it is always 500"
    ):
        load()


@pytest.mark.parametrize("name", Endpoint.model_fields)
def test_what_is_said_of_an_endpoint_is_read_by_some_code(name: str) -> None:
    kinds = frozenset({Endpoint.__name__})
    read = {
        node.attr
        for path, node in every(ast.Attribute)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        if node.value.id in _aliases(path, "endpoint", kinds)
    }
    assert name in read
    assert (Endpoint.model_fields[name].description or "").endswith(".")


def test_there_are_no_more_settings_than_people_would_turn() -> None:
    """What nobody has a reason to turn is a constant beside its code."""
    assert len(KEYS) <= 200


def test_every_setting_has_a_reason_to_turn_it() -> None:
    told = [(section, name) for section, names in reasons().items() for name in names]
    assert sorted(told) == sorted(KEYS)


def test_every_setting_is_described() -> None:
    for section, field in Settings.model_fields.items():
        assert (field.annotation.__doc__ or "").strip().endswith("."), section  # type: ignore[union-attr]
        for name, each in field.annotation.model_fields.items():  # type: ignore[union-attr]
            assert (each.description or "").endswith("."), f"{section}.{name}"


def test_the_defaults_are_valid(environment: pytest.MonkeyPatch) -> None:
    assert load().stack.bolt_port == 7687


def test_all_faults_are_told_at_once(environment: pytest.MonkeyPatch) -> None:
    _named(environment, STACK_BOLT_PORT="70000", STACK_COLOUR="red", NEO4J_POOL_SIZE="many", LOG_LEVEL="LOUD")
    with pytest.raises(Misconfigured) as caught:
        load()
    told = [fault.partition(":")[0] for fault in caught.value.faults]
    assert sorted(told) == [
        "GRAPH_MEMORY_LOG_LEVEL",
        "GRAPH_MEMORY_NEO4J_POOL_SIZE",
        "GRAPH_MEMORY_STACK_BOLT_PORT",
        "GRAPH_MEMORY_STACK_COLOUR",
    ]


def test_a_contradiction_is_told(environment: pytest.MonkeyPatch) -> None:
    _named(environment, TIERS_HOT="0.2")
    with pytest.raises(Misconfigured, match="a tier would be empty"):
        load()


def test_a_section_that_does_not_exist_is_told(environment: pytest.MonkeyPatch) -> None:
    _named(environment, KITCHEN_SINK="1")
    with pytest.raises(Misconfigured, match="GRAPH_MEMORY_KITCHEN_SINK: there is no such setting"):
        load()


def test_the_file_is_read_and_the_environment_comes_before_it(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "graph-memory.toml"
    file.write_text("[stack]\nbolt_port = 1111\nhttp_port = 2222\n", "utf-8")
    environment.setenv(CONFIG, str(file))
    _named(environment, STACK_HTTP_PORT="3333")
    settings = load()
    assert (settings.stack.bolt_port, settings.stack.http_port) == (1111, 3333)


def test_another_systems_names_are_read_where_ours_are_not_set(environment: pytest.MonkeyPatch) -> None:
    given = {"DECAY_RATE": "0.9", "LIFECYCLE_INTERVAL": "3600", "ARCHIVE_THRESHOLD": "0.2"}
    for name, value in given.items():
        environment.setenv(f"MEMORY_{name}", value)
    found = load()
    assert (found.linear.rate, found.jobs.periods["archive"], found.linear.archive_at) == (0.9, 3600, 0.2)
    _named(environment, LINEAR_RATE="0.8")
    assert (load().linear.rate, load().linear.archive_at) == (0.8, 0.2)
    environment.setenv("MEMORY_DECAY_RATE", "fast")
    assert load().linear.rate == 0.8


def test_a_bad_value_is_told_under_the_name_that_was_typed(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("MEMORY_DECAY_RATE", "fast")
    with pytest.raises(Misconfigured) as caught:
        load()
    assert [fault.partition(":")[0] for fault in caught.value.faults] == ["MEMORY_DECAY_RATE"]
    _named(environment, LINEAR_RATE="slow")
    with pytest.raises(Misconfigured, match="GRAPH_MEMORY_LINEAR_RATE"):
        load()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("RETENTION_HALF_LIVES", '{"progress": nope'),
        ("API_ORIGINS", "https://app.example.org"),
        ("PROVIDERS_ORDER", "[anthropic"),
    ],
)
def test_json_that_cannot_be_read_is_a_fault_with_its_name_beside_the_others(
    environment: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """It was a traceback of the library."""
    _named(environment, **{name: value}, STACK_BOLT_PORT="70000")
    with pytest.raises(Misconfigured) as caught:
        load()
    told = dict(fault.split(": ", 1) for fault in caught.value.faults)
    assert set(told) == {f"GRAPH_MEMORY_{name}", "GRAPH_MEMORY_STACK_BOLT_PORT"}
    assert told[f"GRAPH_MEMORY_{name}"].endswith("written as JSON")
    assert value not in str(caught.value)


def test_x45_names_of_other_systems_that_change_nothing_are_told(environment: pytest.MonkeyPatch) -> None:
    """Feature 222: all four are known; with the default policy only the interval does something."""
    assert notes(load()) == []
    for name, value in {
        "DECAY_RATE": "0.9", "CONSOLIDATION_THRESHOLD": "0.85", "ARCHIVE_THRESHOLD": "0.1", "LIFECYCLE_INTERVAL": "60",
    }.items():  # fmt: skip
        environment.setenv(f"MEMORY_{name}", value)
    told = notes(load())
    assert [note.partition(" ")[0] for note in told] == [
        "MEMORY_CONSOLIDATION_THRESHOLD", "MEMORY_DECAY_RATE", "MEMORY_ARCHIVE_THRESHOLD",
    ]  # fmt: skip
    _named(environment, DECAY_POLICY="linear")
    assert len(notes(load())) == 1


def test_what_a_caller_gives_comes_before_everything(environment: pytest.MonkeyPatch) -> None:
    _named(environment, STACK_HTTP_PORT="3333", STACK_BOLT_PORT="1111")
    settings = load(stack={"http_port": 4444})
    assert (settings.stack.http_port, settings.stack.bolt_port) == (4444, 1111)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("[stack", "is not TOML"),
        ("[stack]\ncolour = 'red'\n", "GRAPH_MEMORY_STACK_COLOUR"),
        ("[kitchen]\nsink = 1\n", "GRAPH_MEMORY_KITCHEN"),
    ],
)
def test_a_fault_in_the_file_is_told(
    environment: pytest.MonkeyPatch, tmp_path: Path, content: str, told: str
) -> None:
    file = tmp_path / "graph-memory.toml"
    file.write_text(content, "utf-8")
    environment.setenv(CONFIG, str(file))
    with pytest.raises(Misconfigured, match=told):
        load()


LM_STUDIO = {"base_url": "http://127.0.0.1:1234/v1", "model": "qwen3-4b"}


def test_endpoints_are_named_in_the_environment_and_stand_in_the_order(
    environment: pytest.MonkeyPatch,
) -> None:
    _named(
        environment,
        PROVIDERS_ENDPOINTS=json.dumps({"lm-studio": LM_STUDIO}),
        PROVIDERS_ORDER='["openai", "lm-studio"]',
        EXTRACT_MODELS='{"lm-studio": "qwen3-8b"}',
    )
    found = load()
    assert found.providers.endpoints["lm-studio"].model == "qwen3-4b"
    assert found.providers.purposes[Purpose.EXTRACT].models == {"lm-studio": "qwen3-8b"}


def test_endpoints_are_tables_of_the_file(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "graph-memory.toml"
    lines = [
        '[providers]\norder = ["ollama"]',
        "[providers.endpoints.ollama]",
        *(f'{name} = "{value}"' for name, value in LM_STUDIO.items()),
    ]
    file.write_text("\n".join(lines), "utf-8")
    environment.setenv(CONFIG, str(file))
    assert load().providers.endpoints["ollama"].base_url == LM_STUDIO["base_url"]


@pytest.mark.parametrize(
    ("endpoints", "order", "told"),
    [
        ({}, ["ollama"], "PROVIDERS_ORDER: .*there is no provider ollama, only anthropic, openai, embedded"),
        ({"ollama": LM_STUDIO}, ["openai"], "PROVIDERS_ORDER: .*the endpoint ollama stands nowhere in it"),
        ({"openai": LM_STUDIO}, ["openai"], "PROVIDERS_ENDPOINTS: .*openai is the name of a provider"),
        ({"LM Studio": LM_STUDIO}, ["openai"], "PROVIDERS_ENDPOINTS: LM Studio.*match"),
        ({"ollama": {"model": "x"}}, ["ollama"], "PROVIDERS_ENDPOINTS: ollama.base_url: Field required"),
        (
            {"ollama": {**LM_STUDIO, "api_key": "sk-1"}},
            ["ollama"],
            "PROVIDERS_ENDPOINTS: ollama.api_key: Extra inputs",
        ),
    ],
)
def test_a_fault_in_endpoints_says_which_and_what(
    environment: pytest.MonkeyPatch, endpoints: dict[str, dict[str, str]], order: list[str], told: str
) -> None:
    _named(environment, PROVIDERS_ENDPOINTS=json.dumps(endpoints), PROVIDERS_ORDER=json.dumps(order))
    with pytest.raises(Misconfigured, match=told) as caught:
        load()
    assert "sk-1" not in str(caught.value)


def test_a_model_for_an_endpoint_that_is_not_there_is_told(environment: pytest.MonkeyPatch) -> None:
    _named(environment, CLASSIFY_MODELS='{"olama": "qwen3-8b"}')
    with pytest.raises(
        Misconfigured, match=r"classify\.models names olama, which is neither anthropic nor openai, and no"
    ):
        load()


def test_a_setting_that_is_none_any_more_is_told_with_what_holds_instead(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _named(environment, EARNING_HUB_SLOPE="0.1", CLASSIFY_ANTHROPIC_MODEL="claude-sonnet-4-5")
    (tmp_path / "settings.toml").write_text("[reviews]\nbatch = 10\n", "utf-8")
    environment.setenv(CONFIG, str(tmp_path / "settings.toml"))
    with pytest.raises(Misconfigured) as caught:
        load()
    assert caught.value.faults == [
        'GRAPH_MEMORY_CLASSIFY_ANTHROPIC_MODEL: there is no such setting any more; `models` of its row in providers.purposes names it: {"anthropic": "..."}',
        "GRAPH_MEMORY_EARNING_HUB_SLOPE: there is no such setting any more; it is always 0.02",
        "GRAPH_MEMORY_REVIEWS_BATCH: there is no such setting any more; it is always 1000",
    ]


def test_what_is_told_of_a_former_setting_is_what_holds() -> None:
    """As far as its constant stands in the section; others stand beside their code."""
    told = {
        (section, name): FORMER[section][name]
        for section, field in Settings.model_fields.items()
        for name in field.annotation.__class_vars__ & FORMER.get(section, {}).keys()  # type: ignore[union-attr]
    }
    holds = {
        (section, name): getattr(Settings.model_fields[section].annotation, name) for section, name in told
    }
    assert told == {key: f"it is always {value}" for key, value in holds.items()}


def test_no_setting_is_among_the_former_ones() -> None:
    assert not [key for key in KEYS if key[1] in FORMER.get(key[0], {})]


def test_a_missing_file_is_told(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment.setenv(CONFIG, str(tmp_path / "none.toml"))
    with pytest.raises(Misconfigured, match="cannot be read"):
        load()


def test_secrets_stand_in_no_message(environment: pytest.MonkeyPatch) -> None:
    _named(environment, NEO4J_PASSWORD="hunter2", BROKER_URL="redis://:hunter2@host/0", NEO4J_POOL_SIZE="x")
    with pytest.raises(Misconfigured) as caught:
        load()
    assert "hunter2" not in str(caught.value)
    assert "hunter2" not in repr(SecretStr("hunter2"))


@cache
def _asked() -> set[str]:
    """The modules whose `prompt` some code outside them calls."""
    found = set()
    for path, tree in trees().items():
        names = {
            alias.asname or alias.name: f"{node.module}.{alias.name}"
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "prompt"
            ):
                found.add(names.get(ast.unparse(node.func.value), path))
    return found


@cache
def _read_from(section: str) -> set[str]:
    """Names read from `settings[Section].<name>`, or in a module that knows the section under another name."""
    kind = Settings.model_fields[section].annotation
    assert isinstance(kind, type)
    found = set()
    for path, nodes in _attributes().items():
        if not _classes(kind) & names_in(path):
            continue
        aliases = _aliases(path, section, _classes(kind))
        for node in nodes:
            if _is_section(node.value, kind):
                found.add(node.attr)
            if isinstance(node.value, ast.Name) and node.value.id in aliases:
                found.add(node.attr)
    return found


@cache
def _attributes() -> dict[str, list[ast.Attribute]]:
    found: dict[str, list[ast.Attribute]] = {}
    for path, node in every(ast.Attribute):
        found.setdefault(path, []).append(node)  # type: ignore[arg-type]
    return found


@cache
def _aliases(path: str, section: str, kinds: frozenset[str]) -> set[str]:
    """Names in a module that hold the section: assigned from it, or annotated with one of its classes."""
    if not kinds & names_in(path):
        return set()
    assigned = {
        target.id
        for node in nodes_of(path)
        if isinstance(node, ast.Assign)
        for target, value in _pairs(node)
        if isinstance(target, ast.Name) and any(_is_section(value, kind) for kind in kinds)
    }
    annotated = {
        node.arg
        for node in nodes_of(path)
        if isinstance(node, ast.arg)
        and node.annotation
        and kinds & set(re.split(r"[ |.]+", ast.unparse(node.annotation)))
    }
    return assigned | annotated


def _is_section(node: ast.AST, kind: type | str) -> bool:
    """Whether this is `settings[Section]`, or that of a class it is made from."""
    names = {kind} if isinstance(kind, str) else _classes(kind)
    return isinstance(node, ast.Subscript) and ast.unparse(node.slice) in names


@cache
def _classes(kind: type) -> frozenset[str]:
    """The section's class and those it is made from, as far as they are sections themselves."""
    return frozenset(
        each.__name__ for each in kind.__mro__ if issubclass(each, Section) and each is not Section
    )


def _pairs(node: ast.Assign) -> list[tuple[ast.expr, ast.expr]]:
    target = node.targets[0]
    if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
        return list(zip(target.elts, node.value.elts, strict=True))
    return [(target, node.value)]


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
@pytest.mark.parametrize("name", ["EARNING_NEWNESS", "RETENTION_HALF_LIFE_DAYS", "RECALL_MIN_SIMILARITY"])
def test_a_number_is_a_number(environment: pytest.MonkeyPatch, name: str, value: str) -> None:
    _named(environment, **{name: value})
    with pytest.raises(Misconfigured, match=f"GRAPH_MEMORY_{name}"):
        load()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"RETENTION_WORTH_WEIGHT": "0.5"}, "recency_weight 0.4 .* is 1.1; these weights must add up to 1"),
        ({"LINEAR_BASE_WEIGHT": "0.2"}, "base_weight 0.2 .* is 0.9; these weights must add up to 1"),
    ],
)
def test_weights_that_share_one_score_add_up_to_one(
    environment: pytest.MonkeyPatch, given: dict[str, str], told: str
) -> None:
    _named(environment, **given)
    with pytest.raises(Misconfigured, match=told):
        load()


def test_weights_that_are_thirds_are_near_enough(environment: pytest.MonkeyPatch) -> None:
    third = "0.3333333"
    _named(
        environment,
        RETENTION_RECENCY_WEIGHT=third,
        RETENTION_ACTIVATION_WEIGHT=third,
        RETENTION_WORTH_WEIGHT="0.3333334",
    )
    assert load().retention.recency_weight == 0.3333333


def test_the_former_name_of_a_setting_is_read_and_the_new_one_counts_more(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _named(environment, RECALL_SUPERSEDED="hide")
    assert load().supersession.visibility == "hide"
    _named(environment, SUPERSESSION_VISIBILITY="archive")
    assert load().supersession.visibility == "archive"
    for name in ("RECALL_SUPERSEDED", "SUPERSESSION_VISIBILITY"):
        environment.delenv(f"{PREFIX}{name}")
    (tmp_path / "settings.toml").write_text('[recall]\nlimit = 7\nsuperseded = "active"\n', "utf-8")
    environment.setenv(CONFIG, str(tmp_path / "settings.toml"))
    assert (load().supersession.visibility, load().recall.limit) == ("active", 7)
    environment.setenv(f"{PREFIX}RECALL_SUPERSEDED", "gone")
    with pytest.raises(Misconfigured, match="RECALL_SUPERSEDED"):
        load()
