from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_memory.ingest import keeping, talk
from graph_memory.ingest.conversation_file import Message
from graph_memory.ingest.rules import extract, heading
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.ingest.when import when
from graph_memory.judge.linker import opened
from graph_memory.language import sentences
from graph_memory.language.enough_said import says_enough
from graph_memory.language.third_person import in_third_person
from graph_memory.memory.properties import search_text

# A Friday.
SAID = datetime(2026, 5, 8, 14, 30, tzinfo=UTC)


def said(text: str, speaker: str = "Ann", caption: str | None = None) -> Message:
    return Message(speaker, SAID, text, "m1", caption=caption)


def kept(text: str, question: str | None = None) -> list[str]:
    before = [said(question, "Ben")] if question else []
    return [statement.text for statement in extract(said(text), before)]


def remembered(text: str) -> list[str]:
    """What becomes a memory where nothing is known yet: the rules, the linker and what a sentence is worth."""
    message, settings = said(text), LinkerSettings()
    found = talk.read(opened(), message, [], [], settings)
    told = talk.statements(message, [], [], found, settings, ZoneInfo("UTC"))
    kept_of = keeping.kept(told, found[0].states >= settings.states, settings)
    return [each.statement.text for each in kept_of]


@pytest.mark.parametrize(
    "text",
    [
        "Where do you live?",
        "Did you see the new library, Ben?",
        "Hi Ben! How are you?",
        "Wow, that's so cool!",
        "Thanks a lot for your help, Ben! Talk to you soon!",
        "Haha, sounds good 😀",
        "Congratulations!!",
        "Oh my god!!",
        "My goodness!",
        "Good to see you again.",
        "Ok.",
        "👍",
    ],
)
def test_questions_and_small_talk_are_not_remembered(text: str) -> None:
    assert remembered(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "If I come, will you be there?",
        "When I was in Rome, did you call me?",
        "I was wondering, do you like tea?",
        "My brother Tom, is he coming too?",
        "By the way, what's the name of your street?",
        "Is it true, do they know?",
    ],
)
def test_what_only_leads_to_a_question_states_nothing(text: str) -> None:
    assert remembered(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Don't let me forget the milk.",
        "Please translate this letter into Dutch.",
        "Could you book a table for two tonight.",
        "Tell me a joke about cats.",
        "Summarize the meeting notes, please.",
    ],
)
def test_tasks_are_not_remembered(text: str) -> None:
    """Facts B3."""
    assert remembered(text) == []


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("Wow. I moved to Lyon.", "Ann moved to Lyon."),
        ("Hi Ben! My sister stayed in Ghent.", "Ann's sister stayed in Ghent."),
        ("I feed them pellets. 14 kilos.", "Ann feeds them pellets. 14 kilos."),
    ],
)
def test_short_sentences_that_tell_nothing_go_beside_others(text: str, statement: str) -> None:
    assert remembered(text) == [statement]


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("Please remember that I'm allergic to nuts.", "Please remember that Ann is allergic to nuts."),
        ("Please call me Annie at work.", "Please call Ann Annie at work."),
        ("Please always write short answers.", "Please always write short answers."),
        ("My sister reminds me of our aunt.", "Ann's sister reminds Ann of our aunt."),
        ("I set an alarm for six each day.", "Ann set an alarm for six each day."),
    ],
)
def test_how_one_wants_to_be_treated_is_no_task(text: str, statement: str) -> None:
    assert kept(text) == [statement]


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("My manager is Tom and he lives in Nice.", ["Ann's manager is Tom.", "Tom lives in Nice."]),
        ("I moved to Oslo and started at Acme.", ["Ann moved to Oslo.", "Ann started at Acme."]),
        ("I live in Oslo and work at Acme.", ["Ann lives in Oslo.", "Ann works at Acme."]),
        (
            "I quit my job at Larkfield and now I work at a clinic.",
            ["Ann quit their job at Larkfield.", "Now Ann works at a clinic."],
        ),
        (
            "My sister Bea lives in Oslo and she teaches maths.",
            ["Ann's sister Bea lives in Oslo.", "Ann's sister Bea teaches maths."],
        ),
        (
            "Well, I played chess with Ben and my parrot sang loudly.",
            ["Ann played chess with Ben.", "Ann's parrot sang loudly."],
        ),
        (
            "Look, I played chess with Ben and my parrot sang loudly.",
            ["Look, Ann played chess with Ben and Ann's parrot sang loudly."],
        ),
        (
            "I was a nurse for years but now I teach German.",
            ["Ann was a nurse for years.", "Now Ann teaches German."],
        ),
        (
            "I adopted a rabbit, and my brother adopted a parrot.",
            ["Ann adopted a rabbit.", "Ann's brother adopted a parrot."],
        ),
    ],
)
def test_independent_clauses_are_a_memory_each(text: str, statements: list[str]) -> None:
    assert kept(text) == statements


@pytest.mark.parametrize(
    "text",
    [
        "I stayed home because my son was ill and I missed the concert.",
        "If my boss agrees I take Friday off and I visit Bea.",
        "My sister Bea met Tom and he lives in Nice.",
        "My brother adopted a parrot and she adores seeds.",
        "I bought a red car and I love it.",
        "I want to move to Oslo and work at Acme.",
        "My sister and I play chess on Sundays.",
        "I play chess and tennis with Ben.",
        "I went out and bought fresh bread.",
        "I moved to Oslo and started at Acme last week.",
        "I helped neighbours move and repaired a fence.",
        "I adopted a rabbit, which bites, and I sold my bike.",
        "I used my savings from Ghent and my best ideas to make a film.",
        "I have great news today, Beatrix and I decided to marry.",
        "My brother Tom and I repaired the old boat.",
        'I said "the cat is mine and the dog stays" to Ben.',
    ],
)
def test_clauses_that_depend_on_one_another_stay_one_memory(text: str) -> None:
    assert len(kept(text)) == 1


def test_a_sentence_that_the_next_leans_on_stays_whole() -> None:
    assert len(kept("I baked rye bread and sold my bike. It was great fun.")) == 1


def test_each_clause_has_its_own_day() -> None:
    text = "I moved to Lyon on 8 April, and I started as a nurse at St. Mary's Hospital."
    first, second = extract(said(text))
    assert (first.happens_at, second.happens_at) == (datetime(2026, 4, 8, tzinfo=UTC), None)


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("I'm allergic to nuts.", "Ann is allergic to nuts."),
        ("I've lived here since 2019.", "Ann has lived here since 2019."),
        ("I don't eat meat.", "Ann doesn't eat meat."),
        ("I never really liked the sea.", "Ann never really liked the sea."),
        ("I usually carry my own cup.", "Ann usually carries their own cup."),
        ("I no longer eat meat.", "Ann no longer eats meat."),
        ("I quit my job.", "Ann quit their job."),
        ("I retook the test.", "Ann retook the test."),
        ("I read it twice.", "Ann read it twice."),
        ("I resell bikes.", "Ann resells bikes."),
        ("I love it and I play chess.", "Ann loves it and Ann plays chess."),
        ("I'm selling my car.", "Ann is selling their car."),
        ("I've never liked my boss.", "Ann has never liked their boss."),
        ("I'd love to see my sister again.", "Ann would love to see their sister again."),
        ("I can't find my keys.", "Ann can't find their keys."),
        ("I work from my flat in Lyon.", "Ann works from their flat in Lyon."),
        ("I'm proud of my sister.", "Ann is proud of their sister."),
        ("I love riding my bike to work.", "Ann loves riding their bike to work."),
        ("Ines took her bike and I took mine.", "Ines took her bike and Ann took theirs."),
        ("I told the kids my story.", "Ann told the kids Ann's story."),
        ("I told my parents my news.", "Ann told their parents Ann's news."),
        ("I showed Ben my flat.", "Ann showed Ben Ann's flat."),
        ("I sold them my bike.", "Ann sold them Ann's bike."),
        ("Maria and I sold my car.", "Maria and Ann sold Ann's car."),
        ("Ben sold my bike.", "Ben sold Ann's bike."),
        ("I think that my boss is kind.", "Ann thinks that Ann's boss is kind."),
        ("I taught myself Dutch.", "Ann taught themself Dutch."),
        ("I'd love to see Bergen.", "Ann would love to see Bergen."),
        ("I'd never been there before.", "Ann had never been there before."),
        ("Last Friday I went swimming.", "Last Friday Ann went swimming."),
        ("Maria and I live in Lyon.", "Maria and Ann live in Lyon."),
        ("The flat costs me 870 euros.", "The flat costs Ann 870 euros."),
        ("We moved 3.5 million rows.", "Ann and others moved 3.5 million rows."),
        ('He said "I love my job" to me.', 'He said "I love my job" to Ann.'),
        ("He wrote about World War I today.", "He wrote about World War I today."),
        ("I still havent met Bo.", "Ann still hasnt met Bo."),
        ("Neither do I, to be honest.", "Neither does Ann, to be honest."),
        ("By the way, I bought a lock.", "Ann bought a lock."),
    ],
)
def test_a_statement_names_its_speaker_and_keeps_the_rest(text: str, statement: str) -> None:
    assert kept(text) == [statement]


@pytest.mark.parametrize(
    ("question", "answer", "statement"),
    [
        ("Do you still work at Acme?", "Yes, I do.", "Ann still works at Acme."),
        ("Do you still work at Acme?", "No.", "Ann does not still work at Acme."),
        ("Are you nervous about your talk?", "Yep!", "Ann is nervous about Ann's talk."),
        ("Did you call me?", "I did.", "Ann did call Ben."),
        ("Have you ever been to Oslo?", "Nope", "Ann has not ever been to Oslo."),
        ("Hi! Where do you live now?", "In Lyon.", 'Asked "Where do you live now?", Ann answered: In Lyon.'),
        ("Tea or coffee?", "Coffee, always", 'Asked "Tea or coffee?", Ann answered: Coffee, always'),
        ("Do you have any pets?", "Yes.", 'Asked "Do you have any pets?", Ann answered: Yes.'),
        ("Are you married?", "Yes.", "Ann is married."),
        ("Are you 30?", "Yes.", "Ann is 30."),
        (
            "Are you married?",
            "Yes married. Two kids.",
            'Asked "Are you married?", Ann answered: Yes married. Two kids.',
        ),
    ],
)
def test_a_short_answer_carries_its_question(question: str, answer: str, statement: str) -> None:
    assert kept(answer, question) == [statement]


@pytest.mark.parametrize(
    "question",
    [
        "Did you and Tom break up?",
        "Are you two married?",
        "Are you guys vegetarian?",
        "Do you both smoke?",
        "Have you all moved in?",
        "Will you folks be there?",
    ],
)
@pytest.mark.parametrize("answer", ["Yes", "No."])
def test_what_was_asked_of_several_is_not_told_of_one(question: str, answer: str) -> None:
    assert kept(answer, question) == [f'Asked "{question}", Ann answered: {answer}']
    assert kept("Yes. It was odd.", question) == [f'Asked "{question}", Ann answered: Yes. It was odd.']


def test_a_yes_to_a_remark_states_nothing() -> None:
    assert kept("Yes!", "Isn't it lovely?") == []
    assert kept("Yes!", "It is lovely.") == []


def test_each_statement_of_a_message_is_one_memory() -> None:
    assert remembered("Hi Ben! I moved to Lyon. My sister stayed in Ghent.") == [
        "Ann moved to Lyon.",
        "Ann's sister stayed in Ghent.",
    ]


def test_a_sentence_that_leans_on_the_one_before_stays_with_it() -> None:
    assert kept("I bought a bike. It cost 1,150 euros. Because of that I walk less.") == [
        "Ann bought a bike. It cost 1,150 euros. Because of that Ann walks less."
    ]


def test_our_own_packs_are_not_remembered_again() -> None:
    pack = "<memory_consolidated_summaries version='1'>\nBen likes rain.\n</memory_consolidated_summaries>"
    assert kept(f"I like the sun. {pack} I live in Lyon.") == ["Ann likes the sun.", "Ann lives in Lyon."]
    assert kept("<MEMORY_CONSOLIDATED_SUMMARIES>Ben likes rain.") == []
    assert kept("Ben likes rain.</memory_consolidated_summaries> I live in Lyon.") == ["Ann lives in Lyon."]


def test_a_shared_picture_is_remembered_by_its_caption() -> None:
    [statement] = extract(said("", caption="a bridge in the fog"))
    assert (statement.text, statement.kind) == ("Ann shared a picture: a bridge in the fog", "picture")


def test_a_shared_picture_is_told_with_what_was_said_of_it() -> None:
    told = "I moved to Lyon. I painted the kitchen."
    alone, painted = extract(said(told, caption="a yellow room"))
    assert alone.text == "Ann moved to Lyon."
    assert painted.text == "Ann painted the kitchen. Ann shared a picture: a yellow room"
    assert painted.kind != "picture"
    long = extract(said(f"I painted the {'very ' * 80}yellow kitchen.", caption="a yellow room"))
    assert [each.kind for each in long][-1] == "picture"


def test_a_statement_knows_its_message_and_its_heading() -> None:
    [statement] = extract(said("I live in Lyon."))
    assert (statement.ref, statement.speaker, statement.said_at) == ("m1", "Ann", SAID)
    assert heading("Ann", SAID) == "Ann (8 May 2026)"
    assert (
        search_text(statement.text, heading(statement.speaker, statement.said_at))
        == "Ann (8 May 2026): Ann lives in Lyon."
    )


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I prefer trains to planes.", "preference"),
        ("We decided to use PostgreSQL.", "decision"),
        ("I'm going to learn Portuguese.", "plan"),
        ("I met Noor yesterday.", "event"),
        ("The flat has two rooms.", "fact"),
        ("I would like to be asked.", "fact"),
    ],
)
def test_a_kind_is_guessed_from_its_cue(text: str, kind: str) -> None:
    assert [statement.kind for statement in extract(said(text))] == [kind]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I saw her yesterday.", "2026-05-07T00"),
        ("We met the day before yesterday.", "2026-05-06T00"),
        ("It rained last night.", "2026-05-07T22"),
        ("I ran this morning.", "2026-05-08T09"),
        ("He called two weeks ago.", "2026-04-24T00"),
        ("I start in two weeks.", "2026-05-22T00"),
        ("I start tomorrow morning.", "2026-05-09T09"),
        ("See Noor next Friday.", "2026-05-15T00"),
        ("I saw Noor last Friday.", "2026-05-01T00"),
        ("I went there on Tuesday.", "2026-05-05T00"),
        ("I'll go there on Tuesday.", "2026-05-12T00"),
        ("The talk is on 22 May.", "2026-05-22T00"),
        ("He was born on March 3rd, 1990.", "1990-03-03T00"),
        ("It ends on 2026-06-30.", "2026-06-30T00"),
    ],
)
def test_a_relative_date_is_resolved_against_the_message(text: str, day: str) -> None:
    found = when(text, SAID).happens_at
    assert found is not None
    assert found.isoformat().startswith(day)
    assert [statement.text for statement in extract(said(text))] == [in_third_person(text, "Ann")]


@pytest.mark.parametrize(
    "text",
    [
        "He called a few days ago.",
        "It was three or four days ago.",
        "I have lived here since March 3.",
        "I slept badly over the last week.",
        "I swim every Friday.",
        "She came yesterday and leaves tomorrow.",
        "It was half a year ago.",
        "The shop opens on Friday.",
        "It may 8 times out of ten.",
        "Due on 31 February.",
        "I finished it in two weeks.",
        "She left last week.",
        "She left last month.",
        "We hiked last weekend.",
    ],
)
def test_a_vague_date_stays_unresolved(text: str) -> None:
    assert when(text, SAID).happens_at is None


@pytest.mark.parametrize(
    ("text", "day", "resolved"),
    [
        ("I left yesterday.", datetime(2024, 3, 1, tzinfo=UTC), "2024-02-29"),
        ("I left two days ago.", datetime(2024, 3, 1, tzinfo=UTC), "2024-02-28"),
        ("I left yesterday.", datetime(2025, 1, 1, tzinfo=UTC), "2024-12-31"),
        ("We met on 28 December.", datetime(2026, 1, 3, tzinfo=UTC), "2025-12-28"),
    ],
)
def test_dates_cross_the_ends_of_months_and_years(text: str, day: datetime, resolved: str) -> None:
    found = when(text, day).happens_at
    assert found is not None
    assert found.date().isoformat() == resolved


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("I met Dr. Kim at 5 p.m. yesterday. Nice man!", ["I met Dr. Kim at 5 p.m. yesterday.", "Nice man!"]),
        ("It costs 3.5 euros. Cheap...", ["It costs 3.5 euros.", "Cheap..."]),
        ("well... maybe. Oh no. Really?!", ["well... maybe.", "Oh no.", "Really?!"]),
        ("Great! 😀 I won\nBye", ["Great! 😀", "I won", "Bye"]),
        ('She said "Go. Now." and left. Fine', ['She said "Go. Now." and left.', "Fine"]),
        ("- tea\n- milk", ["tea", "milk"]),
        ("See no. 5, e.g. the red one.", ["See no. 5, e.g. the red one."]),
    ],
)
def test_sentences_end_where_people_end_them(text: str, parts: list[str]) -> None:
    assert sentences.split(text) == parts


@given(st.text(max_size=300), st.text(max_size=60))
def test_any_text_is_taken_and_no_statement_is_too_short(text: str, question: str) -> None:
    for statement in extract(said(text), [said(question + "?", "Ben")]):
        assert says_enough(statement.text)


@given(
    st.lists(st.sampled_from(["42", "3.5", "Noor", "not", "never", "C++", "1,240"]), min_size=1, max_size=5)
)
def test_numbers_names_and_negations_stay_word_for_word(words: list[str]) -> None:
    text = f"I put {' and '.join(words)} on the list of my sister."
    [statement] = extract(said(text))
    assert statement.text == f"Ann put {' and '.join(words)} on the list of Ann's sister."


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Great food, bad service at Luigi's.", "Great food, bad service at Luigi's."),
        ("Yes Thursday. I have the car then.", "Yes Thursday."),
        ("Hey Ben! I play the cello.", "Ann plays the cello."),
        ("Yes retired. I fish now.", "Yes retired."),
        ("Yes please. I have the car then.", "Ann has the car then."),
    ],
)
def test_no_word_that_says_something_is_taken_for_a_greeting(text: str, first: str) -> None:
    assert kept(text)[0].startswith(first)


def test_behind_yes_only_who_talks_is_greeted() -> None:
    assert kept("Yes Ben. I play the cello.", "Such news.") == ["Ann plays the cello."]
    assert kept("Yes lamb. I play the cello.", "Such news.") == ["Yes lamb. Ann plays the cello."]


@pytest.mark.parametrize(
    "text",
    [
        "‘I am ill. I moved to Oslo and I work at Acme’, Tom said.",
        "«I am ill. I sold my van», Tom said.",
        "> I moved to Berlin and I work at Acme.",
        "> Sold the van. I love it.",
        "[12:04] Mia: I quit my job. Moved to my sister's.",
        "My sister wrote: you fed my dog.",
    ],
)
def test_what_others_said_is_kept_as_they_said_it(text: str) -> None:
    assert kept(text, "And?") == [text.replace("My sister", "Ann's sister")]


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("Tom wrote:\nI quit my job\nI am so sad now.", ["Tom wrote: I quit my job", "Ann is so sad now."]),
        (
            'He sent "Hi Ann,\nI am moving.\nYours, Tom" and I cried.',
            ['He sent "Hi Ann, I am moving. Yours, Tom" and Ann cried.'],
        ),
        (
            "[12:04] Mia: I quit my job.\n[12:05] Ann: I moved to Lyon.",
            ["[12:04] Mia: I quit my job.", "[12:05] Ann: Ann moved to Lyon."],
        ),
        ("Update:\nI moved to Lyon.", ["Update: Ann moved to Lyon."]),
    ],
)
def test_words_of_others_over_several_lines_stay_theirs(text: str, statements: list[str]) -> None:
    assert kept(text) == statements


@pytest.mark.parametrize("text", ["我对花生过敏", "私は看護師です", "나는 서울에 살아", "Я веган"])
def test_a_short_statement_in_another_language_is_remembered(text: str) -> None:
    assert remembered(text) == [text]


@pytest.mark.parametrize("text", ["ok", "lol", "да", "да да", "спасибо", "谢谢", "哈哈哈哈", "네", "😀😀😀"])
def test_a_yes_a_laugh_and_thanks_are_not_remembered_in_any_language(text: str) -> None:
    assert remembered(text) == []
