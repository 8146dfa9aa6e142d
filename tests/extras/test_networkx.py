"""A subgraph that the client answered, as a graph of networkx."""

from __future__ import annotations

from graph_memory.client import answers

NODES = [
    {"id": each, "uuid": each, "caption": f"Memory {each}", "kind": "fact", "importance": 0.5}
    for each in "ab"
]
EDGE = {"uuid": "l", "kind": "CAUSES", "strength": 0.9, "from": {"uuid": "a"}, "to": {"uuid": "b"}}


def test_memories_are_nodes_and_links_are_edges() -> None:
    told = {"nodes": NODES, "edges": [EDGE, {**EDGE, "uuid": "m", "kind": "SUPPORTS"}], "truncated": False}
    graph = answers.read(answers.Subgraph, told).to_networkx()
    assert graph.nodes["a"] == {"id": "a", "caption": "Memory a", "kind": "fact", "importance": 0.5}
    assert sorted(graph.edges(keys=True, data=True)) == [
        ("a", "b", "l", {"kind": "CAUSES", "strength": 0.9}),
        ("a", "b", "m", {"kind": "SUPPORTS", "strength": 0.9}),
    ]


def test_a_link_whose_end_is_not_shown_is_no_edge() -> None:
    told = {"nodes": NODES, "edges": [{**EDGE, "to": None}], "truncated": False}
    graph = answers.read(answers.Subgraph, told).to_networkx()
    assert (len(graph.nodes), len(graph.edges)) == (2, 0)
