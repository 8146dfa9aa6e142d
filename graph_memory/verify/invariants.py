"""What must hold in every tenant: one row for each query that looks for what breaks it.

The numbers are those of the reference, `docs/reference/invariants.md`. I1, I16 and I17 need a client's own record and
I9 that of a run, so that tests check them; I18 is the server's own check of its files, `verify --offline`.
"""

from __future__ import annotations

from dataclasses import dataclass

from graph_memory.store.queries import Query, query

SIZE = query("verify/size")
UNOWNED = query("system/unowned")

ORIGIN = query("verify/i02_origin")
PATHS = query("verify/i03_paths")
CYCLES = query("verify/i03_cycles")
HEADS = query("verify/i04_heads")
CHAINS = query("verify/i05_chains")
STATES = query("verify/i06_states")
RECORDED = query("verify/i06_recorded")
IN_ORDER = query("verify/i06_chains")
LINK_TIMES = query("verify/i06_links")
WALLS = query("verify/i07_walls")
INBOUND = query("verify/i07_inbound")
OWNERS = query("verify/i07_owners")
LINKS = query("verify/i08_links")
OPEN_ONCE = query("verify/i08_open_once")
RELATIONS = query("verify/i08_relations")
CLAIMS = query("verify/i08_claims")
LINEAGE = query("verify/i06_lineage")
MERGED = query("verify/i09_merged")
SUMMARIES = query("verify/i09_summaries")
CHANGES = query("verify/i10_changes")
BEGINNINGS = query("verify/i10_states")
DIGESTS = query("verify/i10_digests")
ENDS = query("verify/i10_ends")
SEQUENCE = query("verify/i11_sequence")
WEBHOOKS = query("verify/i11_webhooks")
RUNS = query("verify/i12_runs")
LEASES = query("verify/i12_leases")
VECTORS = query("verify/i13_vectors")
LABELS = query("verify/i13_labels")
SCORES = query("verify/i14_scores")
COUNTERS = query("verify/i15_counters")


@dataclass(frozen=True)
class Invariant:
    """A rule, and the query that finds what breaks it: how many, and the ids of some."""

    code: str
    rule: str
    finds: Query


INVARIANTS = (
    Invariant("I2", "every memory has the change that added it, and a source", ORIGIN),
    Invariant("I3", "a memory supersedes one and is superseded by one", PATHS),
    Invariant("I3", "no memory supersedes itself by way of others", CYCLES),
    Invariant("I4", "each chain has one member that nothing supersedes", HEADS),
    Invariant("I5", "what supersedes stands in one chain and subject with what it supersedes", CHAINS),
    Invariant(
        "I6", "intervals begin before they end, are settled, and are not recorded ahead of the clock", STATES
    ),
    Invariant("I6", "the recorded states of a memory follow one another without gap or overlap", RECORDED),
    Invariant("I6", "members of a chain follow one another, and active ones do not hold at once", IN_ORDER),
    Invariant("I6", "recorded intervals of relationships are sane", LINK_TIMES),
    Invariant("I6", "what became of a community happened while it was there", LINEAGE),
    Invariant(
        "I7", "no relationship leaves its tenant, or its subject unless made for the whole tenant", WALLS
    ),
    Invariant("I7", "nothing of another tenant points here", INBOUND),
    Invariant("I7", "what belongs to a subject or a tenant is joined to it, and to no other", OWNERS),
    Invariant("I8", "each link has an id, two ends, and shares between 0 and 1", LINKS),
    Invariant("I8", "one open link for each from, type and to", OPEN_ONCE),
    Invariant(
        "I8", "a memory of their subject states each relation of two entities, and mentions both", RELATIONS
    ),
    Invariant(
        "I8",
        "a memory states one thing at a time, of an attribute of its subject that has its entity",
        CLAIMS,
    ),
    Invariant("I9", "a merged memory leads to what holds it", MERGED),
    Invariant("I9", "a summary rests on memories of its subject, and on no summary", SUMMARIES),
    Invariant(
        "I10", "each change has a request, an actor and a time, and is joined to what it names", CHANGES
    ),
    Invariant("I10", "each recorded state begins with a change", BEGINNINGS),
    Invariant(
        "I11",
        "changes are numbered from 1 without gap, in order of time, up to the tenant's number",
        SEQUENCE,
    ),
    Invariant(
        "I11",
        "a webhook is not ahead of the ledger, and one that was set aside tells why and since when",
        WEBHOOKS,
    ),
    Invariant("I12", "runs are in a known state, and somebody is at work on those under way", RUNS),
    Invariant("I12", "a held lease has a number and an end", LEASES),
    Invariant("I13", "vectors have the model's size, finite numbers and a length", VECTORS),
    Invariant(
        "I13",
        "exactly the live states stand in the live index, each with its key, and what was said and may be found in its own",
        LABELS,
    ),
    Invariant("I14", "scores lie between 0 and 1", SCORES),
    Invariant("I15", "counters count what is joined", COUNTERS),
)
# Compared in Python, because the store cannot compute a digest.
UNALTERED = "each change is as it was written"
UNBROKEN = "each change is chained to the one before it in its subject"
ENDED = "a subject's chain of changes ends where the subject says"
ANCHORED = "the chains of changes hold the anchor that was kept elsewhere"
CODES = tuple(dict.fromkeys(invariant.code for invariant in INVARIANTS))
