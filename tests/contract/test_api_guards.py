"""The shape and the cost of a query are judged before it runs, in time that grows with its length alone."""

from __future__ import annotations

import pytest
from graphql import (
    GraphQLError,
    GraphQLObjectType,
    get_named_type,
    get_nullable_type,
    is_leaf_type,
    is_list_type,
    parse,
)

from graph_memory.api import shape
from graph_memory.api.cost import cost_of, weight_of
from graph_memory.api.schema import make_schema
from graph_memory.base.files import folder
from graph_memory.settings import load

SCHEMA = make_schema()._schema
# By arguments of the field that answers the thing they are part of, or by limits of the store.
SIZED_ELSEWHERE = {
    # No larger than a cluster.
    "ConsolidationGroup.members",
    "Cause.links",
    "DecayForecast.changes",
    "DecayForecast.summary",
    "LifecyclePlan.due",
    "LifecyclePlan.statuses",
    "LinkStatistics.byType",
    "LinkStatistics.inboundByType",
    "LinkStatistics.outboundByType",
    "Neighbour.links",
    "Pack.leftOut",
    "Pack.memories",
    "Pack.summaries",
    # Links of one or two hops.
    "LinkedMemory.links",
    "Query.tierTransitions",
    "RememberPlan.candidates",
    "RememberedStatement.candidates",
    "SearchHit.contestedBy",
    "SearchHit.predecessors",
    "SurfacedMemory.linked",
    "Query.webhooks",
    "Query.apiKeys",
    "Spend.entries",
}


def _check(source: str) -> None:
    shape.check(parse(source))


def _nested(levels: int) -> str:
    return "{" + "a{" * (levels - 1) + "b" + "}" * (levels - 1) + "}"


def _cost(source: str, **variables: object) -> int:
    return cost_of(SCHEMA, parse(source), None, variables)


def test_the_page_that_makes_most_of_the_cost_is_named() -> None:
    source = "{tiers{count} entities(first: 10) {nodes {attributes(first: 20) {current(first: 5) {value}}}}}"
    found = weight_of(SCHEMA, parse(source), None, {})
    assert (found.field, found.first) == ("entities.attributes", 20)
    assert found.total == cost_of(SCHEMA, parse(source), None, {})
    assert weight_of(SCHEMA, parse("{viewer{tenant}}"), None, {}).field == ""


def test_a_query_of_the_allowed_depth_passes_and_a_deeper_one_does_not() -> None:
    _check(_nested(12))
    with pytest.raises(GraphQLError, match="13 levels"):
        _check(_nested(13))


def test_depth_is_seen_through_fragments() -> None:
    with pytest.raises(GraphQLError, match="levels"):
        _check("{a{...f}} fragment f on A " + _nested(12))


def test_aliases_count_as_often_as_they_are_spread() -> None:
    _check("{" + " ".join(f"a{i}:b" for i in range(30)) + "}")
    with pytest.raises(GraphQLError, match="aliases"):
        _check("{ x{...f} y{...f} z{...f} w{...f} } fragment f on A {a:q b:q c:q d:q e:q f:q g:q h:q}")


@pytest.mark.parametrize("fields", ["v", "a:v"])
def test_a_bomb_of_fragments_is_refused_at_once(fields: str) -> None:
    chain = " ".join(f"fragment f{i} on Q{{{fields} ...f{i + 1} ...f{i + 1}}}" for i in range(200))
    document = parse("{...f0} " + chain + " fragment f200 on Q{v}")
    # Whoever follows each of them never comes to an end.
    with pytest.raises(GraphQLError, match="countless"):
        shape.check(document)


@pytest.mark.parametrize(
    "source",
    [
        "{...a} fragment a on Q{...a}",
        "{...a} fragment a on Q{...b} fragment b on Q{...a}",
        "{a} fragment a on Q{x{...a}}",
    ],
)
def test_a_fragment_that_spreads_itself_is_refused(source: str) -> None:
    with pytest.raises(GraphQLError, match="spreads itself"):
        _check(source)


def test_many_copies_of_one_field_are_refused() -> None:
    _check("{" + "v " * 30 + "}")
    with pytest.raises(GraphQLError, match="copies"):
        _check("{" + "v " * 31 + "}")


def test_copies_are_seen_where_parents_are_merged() -> None:
    with pytest.raises(GraphQLError, match="copies"):
        _check("{" + "a{b{c c c c}} " * 10 + "}")


def test_an_unused_fragment_is_judged_too() -> None:
    with pytest.raises(GraphQLError, match="copies"):
        _check("{v} fragment f on Q {" + "v " * 100 + "}")


def test_leaves_cost_nothing_and_things_cost_one() -> None:
    assert _cost("{version}") == 0
    assert _cost("{viewer{tenant rights}}") == 1


def test_a_page_costs_its_size_and_wrappers_cost_nothing() -> None:
    assert _cost("{memories(first:7){nodes{text} pageInfo{endCursor}}}") == 7
    assert _cost("{memories(first:7){edges{node{text}}}}") == 7
    assert _cost("{memories{nodes{text subject}}}") == 20
    assert _cost("{subjects(first:7){nodes{name memories}}}") == 7


def test_sizes_are_multiplied_down_the_tree() -> None:
    assert _cost("{memories(first:100){nodes{links{kind}}}}") == 100 * (1 + 10)
    assert _cost("{memories(first:100){nodes{history(first:50){nodes{memory{text}}}}}}") == 100 * (1 + 50 * 2)


def test_sizes_are_read_from_variables_and_their_defaults() -> None:
    source = "query($n:Int=30){memories(first:$n){nodes{text}}}"
    assert _cost(source) == 30
    assert _cost(source, n=5) == 5
    assert _cost("query($i:[ID!]!){nodes(ids:$i){id}}", i=["a", "b", "c"]) == 3


def test_what_is_counted_over_all_pages_costs_a_page_of_a_hundred() -> None:
    assert _cost("{memories(first:7){nodes{text} totalCount}}") == 7 + 100
    spread = "{memories{...P}} fragment P on MemoryConnection{... on MemoryConnection{all:totalCount}}"
    assert _cost(spread) == 20 + 100
    assert _cost('{search(query:"x",first:7){hits{score} totalCount}}') == 7
    assert _cost('{history(id:"x",first:7){nodes{__typename} totalCount}}') == 7
    for page in ("changes", "sessions", "segments", "subjects", "batches", "communities"):
        assert _cost(f"{{{page}(first:7){{nodes{{__typename}} totalCount}}}}") == 7 + 100


def test_an_absurd_size_costs_an_absurd_sum() -> None:
    assert _cost("{memories(first:2147483647){nodes{text}}}") == 2147483647
    assert _cost("{memories(first:-5){nodes{text}}}") == 1


def test_fragments_and_types_are_followed() -> None:
    source = "{nodes(ids:[1,2]){id ... on Memory{links{kind}} ...h}} fragment h on Memory{entities{name}}"
    assert _cost(source) == 2 * (1 + 10 + 10)


def test_many_statements_cost_what_they_answer() -> None:
    source = "mutation($i:AddMemoriesInput!){addMemories(input:$i){results{memory{text}}}}"
    assert _cost(source, i={"memories": [{"text": "a"}] * 7}) == 7 * 2


def test_hops_are_multiplied_with_the_size_of_a_page() -> None:
    assert _cost("{neighbours(id:1,first:10,depth:2){items{memory{text}}}}") == 10 * 2 * (1 + 1)
    assert _cost("{neighbours(id:1,first:10){truncated}}") == 10 * 3
    assert _cost("{neighbours(id:1,first:10,depth:1000){truncated}}") == 10 * 10
    assert _cost("{subgraph(ids:[1],first:50,depth:3){nodes{links{kind}}}}") == 50 * 3 * (1 + 10)


def test_a_way_costs_its_length() -> None:
    assert _cost("{path(from:1,to:2,maxHops:4){nodes{text} edges{kind}}}") == 5
    assert _cost("{path(from:1,to:2){nodes{links{kind}}}}") == 7 * (1 + 10)


def test_many_of_an_input_cost_what_they_answer() -> None:
    ids = "mutation($i:MoveMemoriesInput!){archiveMemories(input:$i){memories{text}}}"
    assert _cost(ids, i={"ids": ["a"] * 5}) == 5
    links = "mutation($i:LinkManyInput!){linkMany(input:$i){results{link{kind}}}}"
    link = {"fromId": "a", "toId": "b", "kind": "CAUSES"}
    assert _cost(links, i={"links": [link] * 5}) == 5 * (1 + 1)


def test_a_page_inside_an_answer_counts_once_for_the_whole_of_it() -> None:
    """The summaries beside a search were not counted, however many."""
    members = "summaries(first:5){community{members(first:90){nodes{links(first:100){kind}}}}}"
    assert _cost(f'{{search(query:"x",first:1){{{members}}}}}') == 1 + 5 * (1 + 1 + 90 * (1 + 100))
    assert _cost('{search(query:"x",first:7){hits{memory{text}} summaries{score}}}') == 7 * (1 + 1) + 3
    spread = '{search(query:"x",first:7){...F}} fragment F on SearchResult{summaries(first:50){score}}'
    assert _cost(spread) == 7 + 50
    found = weight_of(SCHEMA, parse(f'{{search(query:"x",first:7){{{members}}}}}'), None, {})
    assert (found.field, found.first) == ("search.summaries.community.members.links", 100)


@pytest.mark.parametrize(
    ("change", "given"),
    [("undo", "changes:[1]"), ("revertRun", 'id:"x"'), ("quarantineMemory", 'id:"x"')],
)
def test_what_a_change_tells_and_its_input_does_not_name_costs_a_hundred(change: str, given: str) -> None:
    source = f"mutation{{{change}(input:{{{given}}}){{memories{{links(first:3){{kind}}}} errors{{code}}}}}}"
    assert _cost(source) == 1 + 100 * (1 + 3)


def test_a_list_of_an_answer_costs_as_anywhere_else() -> None:
    source = 'mutation{remember(input:{text:"x"}){memory{text} candidates{memory{text}} errors{code}}}'
    assert _cost(source) == 1 + 10 * (1 + 1)


def test_a_pack_costs_as_many_memories_as_may_stand_in_it() -> None:
    assert _cost("{pack{text memories{text}}}") == 1 + 300
    assert _cost("{pack{leftOut{memory{links{kind}}} summaries{text}}}") == 1 + 300 * (1 + 1 + 10) + 10


@pytest.mark.parametrize(
    "name", sorted(each.name for each in folder("graphql").joinpath("operations").iterdir())
)
def test_every_operation_of_ours_may_be_asked(name: str) -> None:
    source = folder("graphql").joinpath("operations", name).read_text("utf-8")
    # With a variable missing it would not be judged.
    assert _cost(source.replace("!", "")) < load().api.max_cost / 2


@pytest.mark.parametrize("size", [100, 100.0])
def test_a_number_costs_what_the_field_will_take_it_for(size: float) -> None:
    assert _cost("query($n:Int){memories(first:$n){nodes{text}}}", n=size) == 100
    assert _cost("query($n:Int=100){memories(first:$n){nodes{text}}}") == 100
    assert _cost("query($n:Int){neighbours(id:1,first:10,depth:$n){items{distance}}}", n=3.0) == 30


def test_one_thing_costs_as_much_as_a_list_of_one() -> None:
    assert _cost("query($i:[ID!]!){nodes(ids:$i){id}}", i="a") == 1


def test_nothing_in_place_of_a_number_costs_what_is_usual() -> None:
    assert _cost("query($n:Int){memories(first:$n){nodes{text}}}", n=None) == 20
    assert _cost("{memories(first:null){nodes{text}}}") == 20


def test_what_hangs_on_an_item_has_a_size_of_its_own() -> None:
    assert _cost("{memories(first:2){nodes{links{kind}}}}") == 2 * (1 + 10)
    assert _cost("{memories(first:2){nodes{links(first:100){kind}}}}") == 2 * (1 + 100)


def test_every_list_of_what_is_stored_can_be_sized() -> None:
    """A list without a size is a part of an answer that has one, or as long as something that we have made."""
    ours = {"terms", "retentionTerms", "tiers", "providers", "jobStandings", "reviewAgreement", "nodes"}
    unsized = {
        f"{kind.name}.{name}"
        for kind in SCHEMA.type_map.values()
        if isinstance(kind, GraphQLObjectType) and not kind.name.startswith("__")
        if not kind.name.endswith(("Connection", "Payload", "Result"))
        for name, field in kind.fields.items()
        if is_list_type(get_nullable_type(field.type)) and not is_leaf_type(get_named_type(field.type))
        if "first" not in field.args and name not in ours
    }
    assert unsized == SIZED_ELSEWHERE
