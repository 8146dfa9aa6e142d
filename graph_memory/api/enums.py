"""What the schema calls the domain's enums, and what it says of their values; nothing is declared twice."""

from __future__ import annotations

import inspect
from enum import StrEnum

import strawberry
from strawberry.types.enum import EnumValue, has_enum_definition

from graph_memory.curation import settlement
from graph_memory.ingest import outcome, segments, trace
from graph_memory.jobs import overview
from graph_memory.language import claim_reading
from graph_memory.memory import addition, browsing, differences, links, traversal
from graph_memory.model import (
    batch,
    change,
    claim,
    community,
    link_kinds,
    memory,
    planned_merge,
    review,
    run,
    verdict,
    webhook,
)
from graph_memory.models import registry, spaces, spending
from graph_memory.recall import absence, hits, modes, packs
from graph_memory.scoring import scores, terms
from graph_memory.store import api_keys
from graph_memory.upkeep import planning
from graph_memory.upkeep import settings as upkeep


def _show(enum: type[StrEnum], name: str, description: str = "", /, **values: str) -> None:
    """Gives an enum its name in the schema, and its values their descriptions; its own may be the docstring."""
    if values.keys() != enum.__members__.keys():
        raise TypeError(f"{name} must tell of {', '.join(enum.__members__)}, not of {', '.join(values)}.")
    strawberry.enum(enum, name=name, description=description or inspect.getdoc(enum))
    for value in _values(enum):
        value.description = values[value.name]


def _values(enum: type[StrEnum]) -> list[EnumValue]:
    assert has_enum_definition(enum)
    return enum.__strawberry_definition__.values


_show(
    memory.Status,
    "MemoryStatus",
    "What was decided about a memory. Superseded is none of these: its successor tells it.",
    ACTIVE="Nothing was decided against it.",
    ARCHIVED="Put away; it can be restored.",
    MERGED="Its words live on in another memory.",
    RETRACTED="Taken back as wrong.",
)
_show(
    claim_reading.ValueKind,
    "ValueKind",
    MONEY="An amount of money.",
    QUANTITY="An amount of anything else, with what it counts where that is said.",
    TIME="A date or a time.",
    NAME="The name of somebody or something.",
    TEXT="Anything else.",
)
_show(
    claim.Polarity,
    "Polarity",
    AFFIRMED="It is said to be so.",
    DENIED="It is said not to be so.",
)
_show(
    memory.SourceKind,
    "SourceKind",
    USER="A person said it.",
    AGENT="An agent said or concluded it.",
    IMPORT="It was brought in from a file.",
    TOOL="A tool answered it.",
    WEB="It was read on the web.",
)
_show(
    memory.Trust,
    "Trust",
    "How far a memory is trusted, in falling order.",
    PERSON="A person said it, or has confirmed it.",
    AGENT="An agent said it.",
    IMPORT="It was imported.",
    UNVERIFIED="A tool or the web said it, and nobody has confirmed it.",
)
_show(
    scores.Tier,
    "Tier",
    HOT="At hand without being asked for.",
    WARM="Found by usual searches.",
    COLD="Found by deep searches.",
    ARCHIVED="Found by exhaustive searches only.",
)
_show(
    terms.Policy,
    "DecayPolicy",
    "What makes a memory's importance.",
    EARNING="Earned by use and links, lost by disuse.",
    LINEAR="A weighted sum, less each idle day.",
    RETENTION="Recency, activation and worth.",
)
_show(
    terms.Operation,
    "TermOperation",
    "What a part does to what the parts before it came to; the first finds 0.",
    ADDS="Its value is added.",
    MULTIPLIES="Its value is a factor.",
    FLOOR="It is its value at least.",
    SIGMOID="1 / (1 + e^-(value x)), which lies in 0 to 1.",
    ROUNDS="Rounded to as many decimals as its value says, halves upwards.",
)
_show(
    scores.Rule,
    "ArchiveRule",
    EXPIRED="It has expired, and its grace is over.",
    SUPERSEDED="Another has taken its place, and the settings archive such memories.",
    IMPORTANCE="Its importance is too low for the policy.",
    TIER="Its retention has come down to the last tier.",
    AGE="It was made long ago; off by default.",
)
_show(
    planning.Step,
    "LifecycleStep",
    "What a rule does with a memory.",
    ARCHIVE="Takes it out of every default answer.",
    RETRACT="Leaves it in history only; off by default.",
    DELETE="Erases it for ever; off by default.",
)
_show(
    link_kinds.LinkKind,
    "LinkKind",
    "What one memory is to another, read from the first to the second. The first group is judged and can be made by hand, "
    "but for SUPERSEDES; the others follow from how the memories came about.",
    SUPERSEDES="It is the newer version of the other.",
    CAUSES="It is a reason why the other came about.",
    CONFLICTS="Both cannot hold; it has no direction and stands once.",
    INSTANCE_OF="It is an example of the other.",
    INVALIDATED_BY="The other takes its ground away.",
    MOTIVATED_BY="The other is why it was decided.",
    RELATED="It has to do with the other.",
    SUPPORTS="It speaks for the other.",
    REFERENCES="It names the other.",
    EXPANDS="It says more about the same.",
    SIMILAR="It says nearly the same.",
    FOLLOWS="It comes after the other.",
    ENABLES="It makes the other possible.",
    WAS_CONTEXT_FOR="It was recalled when the other was made.",
    SHARES_ENTITY="Both mention something rare; derived, without author or history.",
    CONSOLIDATES="It sums up the other.",
    DERIVED_FROM="It was concluded from the other.",
    MERGED_INTO="Its words live on in the other.",
)
_show(
    traversal.Direction,
    "LinkDirection",
    "Which way links are read from a memory. CONFLICTS and SHARES_ENTITY have none.",
    OUT="From it to others.",
    IN="From others to it.",
    BOTH="Either way.",
)
_show(
    links.LinkOutcome,
    "LinkOutcome",
    LINKED="It was made.",
    EXISTS="It was there already and stays as it is.",
)
_show(
    addition.Outcome,
    "AddOutcome",
    "What became of a statement that was given.",
    ADDED="It was stored as a new memory.",
    DUPLICATE="A live memory says it already; that one is answered.",
    ERASED="It was erased before, and what is imported does not bring it back.",
)
_show(
    outcome.Mode,
    "RememberMode",
    "Who compares a new statement with what is known.",
    DECIDE="The service judges and acts.",
    OBSERVE="It is only stored; you get the candidates, judge yourself, and supersede or merge.",
)
_show(
    trace.State,
    "RememberState",
    "A step of a statement on its way in.",
    PENDING="It has come in.",
    SEARCHING="What is near it is looked for.",
    NO_MATCH="Nothing known comes near it.",
    ANALYZING="It is compared with its candidates.",
    DUPLICATE="A known memory says the same.",
    SUPERSEDE="It takes the place of a known memory.",
    MERGE="It belongs into a known memory.",
    COEXIST="It stands beside what is known.",
    ADDING="It is stored.",
    UPDATING="A known memory is changed.",
    MERGING="One text is made of two.",
    ARCHIVING="The older version ends.",
    COMMITTED="It is done.",
    SKIPPED="There was nothing to store.",
)
_show(
    verdict.Action,
    "JudgedAction",
    "How a new statement stands to a known one.",
    DUPLICATE="It says the same.",
    SUPERSEDE="It takes the place of the known one.",
    MERGE="It belongs into the known one.",
    COEXIST="Both stand.",
    FORGET="It asks that the known one be forgotten; only a person does that.",
)
_show(
    review.ReviewStatus,
    "ReviewStatus",
    "How a review stands.",
    PENDING="It waits for a person.",
    APPROVED="What was proposed was done.",
    REJECTED="Both memories stay as they are.",
    EDITED="A person had something else done.",
    EXPIRED="Nobody decided in time, or a memory of it was erased.",
)
_show(
    settlement.Verdict,
    "QuarantineVerdict",
    RELEASE="It was a false alarm: all is as it was before.",
    RETRACT="It was wrong: it stays in history only; what came back stays.",
)
_show(
    webhook.WebhookStatus,
    "WebhookStatus",
    "How a webhook stands.",
    ACTIVE="Changes are sent as they are made.",
    ASIDE="It failed for too long, or wanted no more. Nothing is sent until it is resumed.",
)
_show(
    change.Operation,
    "ChangeOperation",
    ADD="A memory was stored.",
    UPDATE="A memory was changed in place.",
    MERGE="Memories became one.",
    SUPERSEDE="A new version took the place of an old one.",
    ARCHIVE="A memory was put away.",
    RESTORE="A memory was brought back.",
    DELETE="A memory was taken back as wrong.",
    NOOP="Nothing had to be done.",
    LINK="Memories were linked.",
    UNLINK="A link was ended.",
    ERASE="Memories were erased for ever.",
    UNDO="Earlier changes were taken back.",
)
_show(
    hits.Arms,
    "SearchArms",
    HYBRID="By meaning and by words, fused.",
    VECTOR="By meaning alone.",
    TEXT="By words alone.",
)
_show(
    hits.Grain,
    "SearchGrain",
    "What a search finds.",
    MEMORY="What is kept: memories.",
    PASSAGE="What was said: messages, as they were said.",
)
_show(
    absence.Absence,
    "AbsenceReason",
    "Why a search does not return a memory.",
    RETURNED="It is returned.",
    NOT_FOUND="There is no such memory, or it belongs to someone else.",
    RETIRED="It no longer holds, and the mode does not reach it.",
    NOT_YET="It holds only later.",
    TIER="It has faded further than the mode reaches.",
    CONDITIONS="It does not meet a condition.",
    TRUST="It is trusted less than was asked for.",
    BELOW_SCORE="It scores too little.",
    BELOW_PAGE="Others rank before it.",
    NOT_COMPARED="So many others are nearer that it was not compared.",
)
_show(
    packs.Reason,
    "PackReason",
    BUDGET="It did not fit into the budget with those that are wanted more.",
    LIMIT="Others are wanted more, and there is a most.",
    CONFIDENCE="It is not sure enough (`pack.min_confidence`).",
    SUSPICIOUS="It may be an order to whoever reads it, or hides something, and nobody has confirmed it.",
    STALE="A summary whose members are others by now, or say something else; the next run writes it anew.",
)
_show(
    modes.Mode,
    "RecallMode",
    "How far a search reaches. The tiers are of today: a past moment has none.",
    REFLEXIVE="What is hot.",
    STANDARD="What is hot or warm; what is cold where it is clearly nearer or the page is not full.",
    DEEP="What is cold, and what was superseded, too.",
    EXHAUSTIVE="What is archived or merged, too; all but what was retracted.",
)
_show(
    browsing.Operator,
    "Comparison",
    EQ="It is the value.",
    NE="It is another value.",
    IN="It is one of a list.",
    LT="It is less, or earlier.",
    LTE="It is less, earlier or the same.",
    GT="It is more, or later.",
    GTE="It is more, later or the same.",
    CONTAINS="The text holds this one; of tags and labels: one is it.",
    EXISTS="It has a value (true) or none (false).",
)
_show(
    browsing.SortField,
    "MemorySort",
    CREATED_AT="When it was first stored.",
    UPDATED_AT="When it was last changed.",
    VALID_FROM="From when on it holds.",
    IMPORTANCE="How much it matters now.",
    CONFIDENCE="How sure its source was.",
    ACCESS_COUNT="How often it was recalled.",
)
_show(
    differences.Bucket,
    "Bucket",
    DAY="A day, from midnight UTC.",
    WEEK="A week, from Monday.",
    MONTH="A calendar month.",
    YEAR="A calendar year.",
)
_show(
    segments.SegmentStatus,
    "SegmentStatus",
    "How a segment stands.",
    OPEN="It takes messages.",
    PENDING="It is closed and waits to be extracted.",
    EXTRACTED="All that it says is remembered.",
)
_show(
    community.CommunityChange,
    "CommunityChange",
    BORN="It was found for the first time.",
    GROWN="More memories joined it than left it.",
    SHRUNK="More memories left it than joined it.",
    EXCHANGED="As many joined it as left it.",
    SPLIT="Another one was made of a part of it.",
    MERGED="Most of it went into another one, and it ended.",
    DIED="It ended.",
)
_show(
    batch.Kind,
    "BatchKind",
    EXTRACTION="What is worth keeping of a conversation.",
    RELATIONSHIP="How memories hang together.",
)
_show(
    batch.Status,
    "BatchStatus",
    "How a batch stands.",
    SUBMITTED="It waits for its answers.",
    PROCESSING="Its answers are being applied.",
    COMPLETED="Every question was answered and applied.",
    FAILED="Some question has no answer; `reason` tells why.",
    EXPIRED="Its answers did not come in time.",
    CANCELLED="A person or the provider stopped it.",
)
_show(
    run.Status,
    "JobState",
    "How a job stands.",
    PENDING="It waits for a worker.",
    RUNNING="A worker has it.",
    DONE="It ended well.",
    FAILED="It ended with an error.",
    CANCELLED="It was stopped.",
)
_show(
    upkeep.Strategy,
    "ConsolidationStrategy",
    GDS_LEIDEN="By the graph library: nearest neighbours, then Leiden.",
    HUB_KNN="Round what is used or linked to most.",
    AGGLOMERATIVE="By average linkage of vectors, without the library.",
)
_show(
    planned_merge.PlanStatus,
    "ConsolidationGroupStatus",
    "How a group of a plan stands.",
    PLANNED="It waits to be carried out.",
    DONE="Its members were merged.",
    LEFT="It had changed since it was planned.",
)
_show(
    overview.State,
    "StandingState",
    "How a planned job stands.",
    OK="It ran when it was due.",
    RUNNING="A worker has it.",
    WAITING="It waits for a worker.",
    NEVER="It has never run here.",
    LATE="It has been due for longer than its period.",
    FAILED="Its last run failed.",
    OFF="It is switched off.",
)
_show(
    registry.ProviderState,
    "ProviderState",
    READY="It is asked.",
    RESTING="It failed too often and is left alone for a while.",
    PROBING="The next call tries whether it is back.",
    MISSING_EXTRA="Its optional part is not installed where the service runs.",
    UNCONFIGURED="It has no key or address, or stands after `embedded` in the order.",
)
_show(
    spending.CapLevel,
    "CapState",
    BELOW="Below the share from which it is warned of.",
    NEAR="Near the cap.",
    REACHED="Models with a price are not asked again today.",
)
_show(
    spaces.Stage,
    "EmbedderStage",
    "How far a change of the store's model is; searches go on in each stage.",
    EMBEDDING="Every state is embedded with the next model.",
    MOVING="The next model's vectors take the place of the old.",
    CLEANING="What is left of the old model is dropped.",
)
_show(
    api_keys.Right,
    "Right",
    READ="Read memories.",
    WRITE="Keep and change memories.",
    ERASE="Erase memories for ever.",
    ADMIN="Run jobs and see what only operators see.",
)

# Names that other vocabularies use: they are taken, and answered under ours, which stand first. Types that are made of the
# schema tell names in small letters not from those in capitals, so there are none.
_values(link_kinds.LinkKind).extend(
    EnumValue(alias, kind.value, description=f"Another name of {kind}.")
    for alias, kind in link_kinds.ALIASES.items()
)
