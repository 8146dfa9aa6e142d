"""The three rescorings are one text but for what each policy says of the importance, and what it reads for that."""

from __future__ import annotations

import re

import pytest

from graph_memory.scoring.terms import Policy
from tests.contract.source_files import ROOT

# What a policy alone reads of a memory.
OWN = {Policy.EARNING: ("happens_at",), Policy.LINEAR: ("confidence",), Policy.RETENTION: ()}
BEGINS, ENDS = "// What {} says of the importance.", "// What is written:"


def parts(policy: Policy) -> tuple[str, str, str]:
    """What stands before, in and after the policy's own part."""
    text = (ROOT / f"cypher/queries/scoring/rescore_{policy}.cypher").read_text("utf-8")
    before, found, rest = text.partition(BEGINS.format(policy))
    own, ended, after = rest.partition(ENDS)
    assert found, f"{policy} does not mark where its own part begins"
    assert ended, f"{policy} does not mark where its own part ends"
    return before, own, after


def shared(policy: Policy) -> str:
    before, _, _ = parts(policy)
    for name in OWN[policy]:
        assert f".{name}" in before, f"{policy} reads {name}"
        before = re.sub(rf",\s*\.{name}\b", "", before)
    # The first line names the policy.
    return " ".join(before.partition("\n")[2].split())


@pytest.mark.parametrize("policy", [Policy.EARNING, Policy.LINEAR])
def test_all_but_the_policys_own_part_is_the_same(policy: Policy) -> None:
    assert shared(policy) == shared(Policy.RETENTION)
    assert parts(policy)[2] == parts(Policy.RETENTION)[2]


def test_each_policy_says_something_of_its_own() -> None:
    assert len({parts(policy)[1] for policy in Policy}) == len(Policy)
