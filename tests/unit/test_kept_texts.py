"""Messages of a chat beside what the service keeps of those before."""

from __future__ import annotations

from graph_memory.bench.kept_texts import as_kept
from graph_memory.judge.training.linker_examples import situations
from graph_memory.judge.training.streams import parse

CHAT = """== k-01 | Europe/Lisbon | a flat
2025-03-02 19:05 Ana: rent is 780, deposit 900. nice landlord
  + new asserted | rent of Ana's flat | 780 | | The rent of Ana's flat is 780.
  + new asserted | deposit of Ana's flat | 900 | | The deposit of Ana's flat is 900.
2025-03-02 19:06 Ana: boiler is dead
  + new asserted | boiler of Ana's flat | dead | | The boiler of Ana's flat is dead.
2025-03-02 19:07 Ana: so cold showers
  + new asserted | showers in Ana's flat | cold | | Ana's flat has cold showers.
2025-03-02 19:09 Ana: *790
  + corrects asserted >1 | rent of Ana's flat | 790 | | The rent of Ana's flat is 790.
2025-03-02 19:10 Ana: 790, that is
  + repeats asserted >4 | rent of Ana's flat | 790 | | The rent of Ana's flat is 790.
2025-03-02 19:11 Ana: hi
  - chatter
"""
KEPT = (
    ["Rent is 780, deposit 900.", "Nice landlord"],
    [],
    ["So cold showers"],
    ["790"],
    ["790, that is"],
    [],
)


def texts_beside(number: int) -> dict[tuple[int, int], str]:
    [stream] = parse(CHAT, "chat")
    situation = as_kept(list(situations(stream))[number - 1], KEPT)
    return {each.place: each.statement for each in situation.open}


def test_a_message_stands_beside_the_texts_that_are_kept() -> None:
    assert texts_beside(4) == {
        (1, 1): "Rent is 780, deposit 900.",
        (1, 2): "Nice landlord",
        (3, 1): "So cold showers",
    }


def test_a_text_is_gone_when_none_of_its_statements_holds() -> None:
    [stream] = parse(CHAT, "chat")
    last = list(situations(stream))[-1]
    # The deposit holds still, and so does the text that tells both.
    assert "Rent is 780, deposit 900." in [each.statement for each in as_kept(last, KEPT).open]
    apart = (["Rent is 780.", "Deposit 900.", "Nice landlord"], *KEPT[1:])
    texts = [each.statement for each in as_kept(last, apart).open]
    assert texts == ["Deposit 900.", "Nice landlord", "So cold showers", "790"]


def test_what_a_message_is_about_is_the_text_that_tells_it() -> None:
    [stream] = parse(CHAT, "chat")
    corrected, repeated = (as_kept(each, KEPT) for each in list(situations(stream))[3:5])
    assert {place: said.outcome for place, said in corrected.links.items()} == {(1, 1): "corrects"}
    assert {place: said.outcome for place, said in repeated.links.items()} == {(4, 1): "repeats"}


def test_what_says_again_what_holds_is_no_candidate() -> None:
    assert "790, that is" not in texts_beside(6).values()
