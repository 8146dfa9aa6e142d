"""All settings: the sections of every package, joined. `docs/reference/settings.md` is made from this.

A setting is read from the environment as GRAPH_MEMORY_<SECTION>_<NAME>, for example GRAPH_MEMORY_NEO4J_URI,
else from the file that GRAPH_MEMORY_CONFIG names (TOML, one table a section). Where a running stack listens is read from
its folder, unless one of these says otherwise. All faults are told at once.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import (
    Field,
    ValidationError,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from graph_memory.base.errors import Misconfigured
from graph_memory.base.former_settings import FORMER, MOVED
from graph_memory.base.sections import S
from graph_memory.base.settings import ApiSettings, LogSettings, TracingSettings
from graph_memory.batches.settings import BatchesSettings
from graph_memory.entities.settings import EntitiesSettings
from graph_memory.ingest.settings import (
    CaptureSettings,
    ConversationsSettings,
    LinkerSettings,
)
from graph_memory.jobs.settings import JobsSettings
from graph_memory.judge.settings import JudgeSettings
from graph_memory.memory.settings import (
    PipelineSettings,
    ReviewsSettings,
    ScreeningSettings,
    TextsSettings,
)
from graph_memory.models.settings import (
    AnthropicSettings,
    AskSettings,
    EmbedderSettings,
    OpenAISettings,
    ProvidersSettings,
)
from graph_memory.recall.settings import (
    AccessSettings,
    PackSettings,
    RecallSettings,
    SurfacingSettings,
)
from graph_memory.scoring.settings import (
    ArchiveSettings,
    DecaySettings,
    EarningSettings,
    LinearSettings,
    RetentionSettings,
    SupersessionSettings,
    TiersSettings,
)
from graph_memory.store.settings import BrokerSettings, Neo4jSettings, StackSettings
from graph_memory.store.stack_folder import listening
from graph_memory.upkeep.settings import (
    CommunitiesSettings,
    ConsolidationSettings,
    LedgerSettings,
    RefinementSettings,
)
from graph_memory.webhooks.settings import WebhooksSettings

PREFIX = "GRAPH_MEMORY_"
CONFIG = "GRAPH_MEMORY_CONFIG"

# Names by which other systems know a setting, and where its value stands here: read where its own name is not set.
ALIASES: Mapping[str, tuple[str, ...]] = {
    "MEMORY_DECAY_RATE": ("linear", "rate"),
    "MEMORY_ARCHIVE_THRESHOLD": ("linear", "archive_at"),
    "MEMORY_LIFECYCLE_INTERVAL": ("jobs", "periods", "archive"),
}

# Such names for what has no setting here, and why.
WITHOUT_EFFECT = {
    "MEMORY_CONSOLIDATION_THRESHOLD": "memories are not consolidated by a threshold of likeness",
}


# Names of this service that are deprecated, read in the same way.
DEPRECATED: Mapping[str, tuple[str, ...]] = {
    f"{PREFIX}{section}_{name}".upper(): path for (section, name), path in MOVED.items()
}
_OTHER_NAMES = {**ALIASES, **DEPRECATED}

# Providers that a purpose may have another model of.
_WITH_MODELS = ("anthropic", "openai")
_JSON_FAULTS = ("dict_type", "tuple_type", "list_type")


class Settings(BaseSettings):
    """All settings of the service."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="_",
        env_nested_max_split=1,
        frozen=True,
        extra="forbid",
        hide_input_in_errors=True,
    )

    stack: StackSettings = Field(default_factory=StackSettings)
    neo4j: Neo4jSettings = Field(default_factory=Neo4jSettings)
    broker: BrokerSettings = Field(default_factory=BrokerSettings)
    api: ApiSettings = Field(default_factory=ApiSettings)
    log: LogSettings = Field(default_factory=LogSettings)
    tracing: TracingSettings = Field(default_factory=TracingSettings)
    embedder: EmbedderSettings = Field(default_factory=EmbedderSettings)
    providers: ProvidersSettings = Field(default_factory=ProvidersSettings)
    anthropic: AnthropicSettings = Field(default_factory=AnthropicSettings)
    openai: OpenAISettings = Field(default_factory=OpenAISettings)
    ask: AskSettings = Field(default_factory=AskSettings)
    entities: EntitiesSettings = Field(default_factory=EntitiesSettings)
    texts: TextsSettings = Field(default_factory=TextsSettings)
    screening: ScreeningSettings = Field(default_factory=ScreeningSettings)
    capture: CaptureSettings = Field(default_factory=CaptureSettings)
    ledger: LedgerSettings = Field(default_factory=LedgerSettings)
    recall: RecallSettings = Field(default_factory=RecallSettings)
    pack: PackSettings = Field(default_factory=PackSettings)
    surfacing: SurfacingSettings = Field(default_factory=SurfacingSettings)
    supersession: SupersessionSettings = Field(default_factory=SupersessionSettings)
    pipeline: PipelineSettings = Field(default_factory=PipelineSettings)
    conversations: ConversationsSettings = Field(default_factory=ConversationsSettings)
    judge: JudgeSettings = Field(default_factory=JudgeSettings)
    linker: LinkerSettings = Field(default_factory=LinkerSettings)
    reviews: ReviewsSettings = Field(default_factory=ReviewsSettings)
    batches: BatchesSettings = Field(default_factory=BatchesSettings)
    decay: DecaySettings = Field(default_factory=DecaySettings)
    earning: EarningSettings = Field(default_factory=EarningSettings)
    linear: LinearSettings = Field(default_factory=LinearSettings)
    retention: RetentionSettings = Field(default_factory=RetentionSettings)
    tiers: TiersSettings = Field(default_factory=TiersSettings)
    access: AccessSettings = Field(default_factory=AccessSettings)
    archive: ArchiveSettings = Field(default_factory=ArchiveSettings)
    communities: CommunitiesSettings = Field(default_factory=CommunitiesSettings)
    consolidation: ConsolidationSettings = Field(default_factory=ConsolidationSettings)
    refinement: RefinementSettings = Field(default_factory=RefinementSettings)
    jobs: JobsSettings = Field(default_factory=JobsSettings)
    webhooks: WebhooksSettings = Field(default_factory=WebhooksSettings)

    def __getitem__(self, section: type[S]) -> S:
        """The section of this class."""
        found: S = getattr(self, _sections()[section])
        return found

    @model_validator(mode="before")
    @classmethod
    def _moved(cls, given: Any) -> Any:
        """What is given under a deprecated name stands in its new place; where both are given, the new one counts."""
        if not isinstance(given, dict):
            return given
        found = {
            section: dict(values) if isinstance(values, dict) else values for section, values in given.items()
        }
        for (section, name), path in MOVED.items():
            if isinstance(found.get(section), dict) and name in found[section]:
                found = _joined(_nested(path, found[section].pop(name)), found)
        return {section: values for section, values in found.items() if values or section in cls.model_fields}

    @model_validator(mode="after")
    def _models_of_endpoints(self) -> Settings:
        known = (*_WITH_MODELS, *self.providers.endpoints)
        for purpose, row in self.providers.purposes.items():
            if unknown := [name for name in row.models if name not in known]:
                raise ValueError(
                    f"providers.purposes: {purpose.value}.models names {', '.join(unknown)}, which is neither "
                    f"{' nor '.join(_WITH_MODELS)}, and no endpoint of providers.endpoints"
                )
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What a caller passes comes before the environment, its aliases after it, then the file, then the running stack."""
        named = os.environ.get(CONFIG)
        file = (TomlConfigSettingsSource(settings_cls, Path(named)),) if named else ()
        return (
            init_settings,
            _Environment(settings_cls),
            _Aliases(settings_cls),
            *file,
            _RunningStack(settings_cls),
        )


class _Environment(EnvSettingsSource):
    """The environment; what is not the JSON that it ought to be is left as it is, for its setting to refuse."""

    def decode_complex_value(self, field_name: str, field: FieldInfo, value: Any) -> Any:
        try:
            return super().decode_complex_value(field_name, field, value)
        except ValueError:
            return value


class _RunningStack(PydanticBaseSettingsSource):
    """Where the stack listens that runs in the data folder of these settings."""

    def get_field_value(self, field: Any, field_name: str) -> tuple[Any, str, bool]:  # noqa: ARG002 - asked so
        """The values of one section."""
        return self().get(field_name), field_name, True

    def __call__(self) -> dict[str, Any]:
        given = self.current_state.get("stack")
        named = given.get("data") if isinstance(given, dict) else None
        stack = StackSettings(data=Path(named)) if isinstance(named, str | Path) else StackSettings()
        return listening(stack.data)


class _Aliases(PydanticBaseSettingsSource):
    """What the environment holds under other names."""

    def get_field_value(self, field: Any, field_name: str) -> tuple[Any, str, bool]:  # noqa: ARG002 - asked so
        """The values of one section."""
        return self().get(field_name), field_name, True

    def __call__(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, path in _OTHER_NAMES.items():
            if name in os.environ:
                found = _joined(found, _nested(path, _decoded(os.environ[name])))
        return found


def _nested(path: Sequence[str], value: Any) -> dict[str, Any]:
    return {path[0]: _nested(path[1:], value) if path[1:] else value}


def _joined(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Both tables in one, with those inside them; where both have a value, the second counts."""
    found = {**first, **second}
    for name in first.keys() & second.keys():
        if isinstance(first[name], dict) and isinstance(second[name], dict):
            found[name] = _joined(first[name], second[name])
    return found


def _decoded(value: str) -> Any:
    """What is written as an object of JSON is one; else it is left as it is, for its setting to refuse."""
    try:
        return json.loads(value) if value.lstrip().startswith("{") else value
    except ValueError:
        return value


@cache
def _sections() -> dict[Any, str]:
    """The name of each section by its class, which is asked for with every score."""
    return {field.annotation: name for name, field in Settings.model_fields.items()}


def load(**given: Mapping[str, Any]) -> Settings:
    """The settings of this process; `given` (`stack={"bolt_port": 7688}`) comes before everything else.

    Raises Misconfigured, which lists every fault: unknown names, values out of range, contradictions.
    """
    faults = _broken_file()
    if faults:
        raise Misconfigured(faults)
    faults = _unknown_names()
    try:
        settings = Settings(**given)  # type: ignore[arg-type]
    except ValidationError as error:
        told = {fault.partition(":")[0] for fault in faults}
        found = [_fault(item) for item in error.errors(include_input=False, include_url=False)]
        faults += [fault for fault in found if fault.partition(":")[0] not in told]
        raise Misconfigured(faults) from None
    if faults:
        raise Misconfigured(faults)
    return settings


def notes(settings: Settings) -> list[str]:
    """What the environment holds under names that are deprecated, or of other systems and change nothing."""
    found = [f"{name} has no effect: {why}" for name, why in WITHOUT_EFFECT.items() if name in os.environ]
    policy = settings.decay.policy
    for alias, path in ALIASES.items():
        if alias in os.environ and path[0] in ("earning", "linear", "retention") and path[0] != policy:
            found.append(
                f"{alias} is read as {_spelled(path)}, and the policy {policy} does not use it; "
                f"{PREFIX}DECAY_POLICY={path[0]} does"
            )
    found += [
        f"{name} is deprecated: it is {_spelled(path)} now"
        for name, path in DEPRECATED.items()
        if name in os.environ
    ]
    return found


def _unknown_names() -> list[str]:
    known = {f"{PREFIX}{section}_{name}".upper() for section, names in _names().items() for name in names}
    found = sorted(
        name for name in os.environ if name.startswith(PREFIX) and name != CONFIG and name not in _OTHER_NAMES
    )
    return [
        f"{name}: {_lack_of(*name.removeprefix(PREFIX).lower().partition('_')[::2])}"
        for name in found
        if name.upper() not in known
    ]


def _lack_of(section: str, name: str = "") -> str:
    gone = FORMER.get(section, {})
    former = gone.get(name) if name else "; ".join(f"{each}: {told}" for each, told in gone.items())
    return f"there is no such setting any more; {former}" if former else "there is no such setting"


def _broken_file() -> list[str]:
    named = os.environ.get(CONFIG)
    if not named:
        return []
    try:
        tomllib.loads(Path(named).read_text("utf-8"))
    except OSError as error:
        return [f"{CONFIG}={named}: cannot be read ({error.strerror})"]
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return [f"{CONFIG}={named}: is not TOML ({error})"]
    return []


def _names() -> dict[str, list[str]]:
    return {section: list(field.annotation.model_fields) for section, field in Settings.model_fields.items()}  # type: ignore[union-attr]


def _fault(item: Any) -> str:
    where = tuple(str(part) for part in item["loc"])
    if not where:
        return f"The settings: {item['msg']}"
    if item["type"] == "extra_forbidden" and len(where) <= 2:
        return f"{_spelled(where)}: {_lack_of(*where)}"
    told = f"{item['msg']}, written as JSON" if item["type"] in _JSON_FAULTS else item["msg"]
    for name, path in _OTHER_NAMES.items():
        if name in os.environ and where[: len(path)] == path and _spelled(path[:2]) not in os.environ:
            return f"{name}: {_inside(where[len(path) :])}{told}"
    return f"{_spelled(where[:2])}: {_inside(where[2:])}{told}"


def _inside(where: Sequence[str]) -> str:
    return f"{'.'.join(where)}: " if where else ""


def _spelled(path: Sequence[str]) -> str:
    """The name in the environment, and the place in its table."""
    name = PREFIX + "_".join(path[:2]).upper()
    return f"{'.'.join(path[2:])} of {name}" if path[2:] else name
