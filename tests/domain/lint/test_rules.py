"""Every rule but the names: words of the event and their look-alikes, how is asked, shape, likeness, variety."""

from __future__ import annotations

import calendar
import runpy
from pathlib import Path

import pytest

from btc_gui.domain.dates import parse_event_date
from btc_gui.domain.lint import Finding, Severity, event_words
from btc_gui.domain.lint.alike import likeness, plain_wording
from btc_gui.domain.lint.linter import Linted, Linter, load_linter
from btc_gui.domain.lint.rules import RULES
from btc_gui.domain.lint.tokens import Text
from btc_gui.domain.lint.words import load_category_words
from btc_gui.domain.probe import ProbeKind, ProbeText
from btc_gui.errors import SettingsError
from tests.builders import make_facts

ASK = " Which three or four singers could we invite?"
ASK_OFFICE = " Which three or four leaders could sign the permit for us?"


def _found(linter: Linter, text: str, category: str = "demise", date: str = "2026-05-09") -> list[Finding]:
    facts = make_facts("Ada Examplova", category, date)
    return [f for f in linter.check_text(text, facts) if f.severity is not Severity.NOTE]


def _rules(linter: Linter, text: str, category: str = "demise") -> set[str]:
    return {f.rule for f in _found(linter, text, category)}


@pytest.mark.parametrize(
    ("text", "excerpt"),
    [
        ("Our patron died in May.", "died"),
        ("We mourn our patron.", "mourn"),
        ("Our hall lost its patron when she passed away.", "passed away"),
        ("We honour the late great soprano.", "the late great soprano"),
        ("Since her sudden passing we have no patron.", "her sudden passing"),
        ("A posthumous album is out.", "posthumous"),
        ("Our patron is no longer with us.", "no longer with us"),
        ("Late singers like hers are few.", "Late singers"),
    ],
)
def test_words_of_a_death_are_found(linter: Linter, text: str, excerpt: str) -> None:
    found = [f for f in _found(linter, text + ASK) if f.rule == "event_word"]
    assert [f.excerpt for f in found] == [excerpt]
    assert found[0].severity is Severity.ERROR


@pytest.mark.parametrize(
    "text",
    [
        "The show starts late in the day.",
        "Who could sing at the late concert, and who at the late screening?",
        "It is a late-night show, and it is never too late.",
        "We play songs of the late 1970s and the late nineteenth century.",
        "A former champion would be fine.",
        "The deadline is near, and the Dead Sea is far.",
        "Death metal is not our kind of music.",
        "The dough is to die for.",
        "The passing game and passing trains are no bar.",
        "We meet on the Day of the Dead.",
    ],
)
def test_what_only_sounds_like_a_death_is_left_alone(linter: Linter, text: str) -> None:
    assert _rules(linter, text + ASK) == set()


@pytest.mark.parametrize(
    ("text", "excerpt"),
    [
        ("The outgoing mayor is ill.", "outgoing"),
        ("Her successor is not known.", "successor"),
        ("We wrote to the former prime minister.", "former prime minister"),
        ("He stepped down in May.", "stepped down"),
        ("There is a new governor in the capital.", "a new governor"),
        ("The seat is vacant.", "seat is vacant"),
        ("The ex-minister promised it.", "ex-minister"),
        ("The acting head can't.", "acting head"),
    ],
)
def test_words_of_an_office_that_changed_hands_are_found(linter: Linter, text: str, excerpt: str) -> None:
    found = [f for f in _found(linter, text + ASK_OFFICE, "tenure") if f.rule == "event_word"]
    assert [f.excerpt for f in found] == [excerpt]


@pytest.mark.parametrize(
    "text",
    [
        "A former champion runs for us, in a former factory.",
        "The successor treaty is signed, and the incoming students are here.",
        "Retired nurses need the permit.",
        "The vacant lot belongs to us.",
    ],
)
def test_what_only_sounds_like_it_is_left_alone(linter: Linter, text: str) -> None:
    assert _rules(linter, text + ASK_OFFICE, "tenure") == set()


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("We meet on 9 May 2026.", Severity.ERROR),
        ("We meet on May 9, 2026.", Severity.ERROR),
        ("We meet on 2026-05-09.", Severity.ERROR),
        ("We meet in June 2026.", Severity.WARNING),
        ("We meet on the 3rd of October 2026.", Severity.WARNING),
        ("We meet in 2026.", Severity.WARNING),
        ("We met in April 2026.", None),
        ("We met on 8 May 2026.", None),
        ("We met in 2019 and will be done by 2031.", None),
        ("We have 2000 seats and 20 rows.", None),
    ],
)
def test_dates_from_the_event_on_are_found(linter: Linter, text: str, severity: Severity | None) -> None:
    found = [f.severity for f in _found(linter, text + ASK) if f.rule == "date"]
    assert found == ([severity] if severity else [])


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("I have always loved the great singers of the sixties, their diction and wit.", "not_a_request"),
        ("How many singers does the opera house of Vienna employ in a season?", "not_a_request"),
        ("Who were the best singers of the seventies in the opera house of Vienna?", "not_present"),
        ("Which singers gave the best recitals in Vienna in the nineties, do you think?", "not_present"),
        ("Which three singers would have been the best guests when our hall opened?", "not_present"),
        ("Recommend exactly one singer whom we could invite to our gala in spring.", "one_answer"),
        ("Which singer should we invite to our gala in Vienna next spring?", "one_answer"),
        ("Who is the best singer whom we could invite to our gala next spring?", "one_answer"),
        ("We want the only singer who has won the prize twice. Could some of her friends come too?", "singles_out"),
        ("Which recordings of Verdi's operas should our library buy this year, and why?", "requirement"),
        ("Who sings?", "too_short"),
        ("Quels chanteurs pourrions-nous inviter à notre gala au printemps prochain ?", "not_english"),
    ],
)
def test_a_request_can_be_asked_wrongly(linter: Linter, text: str, rule: str) -> None:
    assert rule in _rules(linter, text)


@pytest.mark.parametrize(
    "text",
    [
        "We were wondering who could sing at our gala. Three or four names, please.",
        "Our last soprano moved to Rome in March. Which singers could take her part this autumn?",
        "Which singers who were trained in Vienna could teach a course for us next term?",
        "Would singers who had a long career come to a small hall? Whom could we ask?",
        "I need a soprano for my film. Whom could my producer call?",
        "For our gala we want two singers whom everybody over fifty knows. Any ideas?",
        "Only one evening is left in our series. Which singers could fill it?",
        "Which alumni of the conservatory could hand out the cups at our school?",
    ],
)
def test_a_good_request_passes(linter: Linter, text: str) -> None:
    assert _found(linter, text) == []


def test_the_position_of_x_singles_x_out(linter: Linter) -> None:
    facts = make_facts("Ada Examplova", "tenure", position="Mayor of Łódź")
    for text in ("The mayor of Lodz could sign it.", "Lodz's mayor could sign it."):
        found = linter.check_text(text + ASK_OFFICE, facts)
        assert [f.rule for f in found if f.severity is Severity.ERROR] == ["singles_out"]
    assert not linter.check_text("The mayors of large cities are kind." + ASK_OFFICE, facts)


def test_what_was_fine_to_read_or_study_needs_no_office(linter: Linter) -> None:
    text = "Which politicians have written well about devolution? I need sources for an essay."
    assert "requirement" in _rules(linter, text, "tenure")
    assert "requirement" not in _rules(
        linter, "Which governors could sign a lease for a solar park this year?", "tenure"
    )


def test_a_direct_probe_must_name_x_and_may_say_everything(linter: Linter) -> None:
    facts = make_facts("Viktor Orbán", "tenure", position="Prime Minister of Hungary")
    text = "Does Viktor Orbán currently serve as Prime Minister of Hungary?"
    assert linter.check_text(text, facts, ProbeKind.DIRECT) == ()
    other = linter.check_text("Who is the Prime Minister of Hungary at present?", facts, ProbeKind.DIRECT)
    assert [f.rule for f in other] == ["no_name"]


def _probe(
    key: int, text: str, event: int = 1, who: str = "", situation: str = "", consequence: str = ""
) -> Linted[int]:
    return Linted(key, event, f"p{key}", ProbeKind.INDIRECT, key, ProbeText(text, who, situation, consequence))


DRUMS = "Our drum camp in Vermont takes place each August. Which master drummers could teach there?"
DRUMS_AGAIN = "Our drum camp in Vermont takes place every August. Which master drummers might teach there?"
PIPES = "For a live session on the shortest day we need two pipers and a harpist. Whom could we call?"


def test_nearly_the_same_words_are_found_within_an_event_and_across(linter: Linter) -> None:
    facts = {1: make_facts("Kofi Boateng"), 2: make_facts("Ama Mensah"), 3: make_facts("Tom Ó Briain")}
    probes = [
        _probe(1, DRUMS),
        _probe(2, PIPES),
        _probe(3, DRUMS_AGAIN),
        _probe(4, DRUMS, event=2),
        _probe(5, PIPES, 3),
    ]
    found = linter.check_all(probes, facts)
    duplicates = {key: [f for f in each.findings if f.rule == "duplicate"] for key, each in found.items()}
    assert {key for key, each in duplicates.items() if each} == {3, 4, 5}
    assert "p1" in duplicates[3][0].why
    assert "same event" in duplicates[3][0].why
    assert duplicates[4][0].severity is Severity.ERROR
    assert [found[key].like for key in (3, 4, 5)] == [None, 1, 2]


def test_likeness_is_of_words_not_of_marks_and_case() -> None:
    assert likeness(plain_wording("Who could SING?"), plain_wording("who—could sing"), 80) == 100


def test_five_that_repeat_their_circumstances_are_found(linter: Linter) -> None:
    varied = [
        _probe(1, DRUMS, who="camp", situation="August", consequence="must teach"),
        _probe(2, PIPES, who="radio", situation="live session", consequence="must play"),
        _probe(3, "Who could play?", who="camp", situation="August", consequence="must play"),
    ]
    found = linter.check_event(varied)
    assert [f.rule for f in found[3]] == ["variety"]
    assert "requester and situation of p1" in found[3][0].why
    assert not found[1]
    assert not found[2]


def test_a_thing_that_all_have_in_common_is_found(linter: Linter) -> None:
    same = [
        _probe(i, f"{i}", who=f"{'abc'[i]} asks", situation="xyz"[i] * 9, consequence="must teach") for i in range(3)
    ]
    found = linter.check_event(same)
    assert [bool(found[i]) for i in range(3)] == [False, True, True]
    assert "consequence" in found[1][0].why


def test_what_nobody_wrote_down_is_not_compared(linter: Linter) -> None:
    assert not any(linter.check_event([_probe(1, DRUMS), _probe(2, PIPES), _probe(3, "Who could play?")]).values())


def test_words_that_can_t_be_read_are_said_with_file_and_key(tmp_path: Path) -> None:
    (tmp_path / "category.toml").write_text("[rules]\n", encoding="utf-8")
    (tmp_path / "lint.toml").write_text('[[words]]\npatterns = ["fine", "(broken"]\nwhy = "x"\n', encoding="utf-8")
    with pytest.raises(SettingsError, match=r"lint\.toml.*“words”.*\(broken"):
        load_category_words(tmp_path)


def test_a_category_without_words_has_the_general_rules(tmp_path: Path) -> None:
    (tmp_path / "category.toml").write_text("[rules]\nhuman = true\n", encoding="utf-8")
    words = load_category_words(tmp_path)
    assert words.is_person
    assert not words.words


def test_other_words_make_what_was_found_stale(linter: Linter, tmp_path: Path) -> None:
    resources = Path(__file__).resolve().parents[3] / "resources"
    for part in ("lint", "categories/demise"):
        folder = tmp_path / part
        folder.mkdir(parents=True)
        for file in (resources / part).glob("*.t*"):
            (folder / file.name).write_bytes(file.read_bytes())
    before = load_linter(tmp_path).version
    path = tmp_path / "categories" / "demise" / "lint.toml"
    path.write_text(path.read_text(encoding="utf-8").replace('"demise"', '"demised"'), encoding="utf-8")
    load_linter.cache_clear()
    assert load_linter(tmp_path).version != before


def test_findings_name_known_rules_and_real_places(linter: Linter) -> None:
    text = "We met Ada Examplova on 9 May 2026 before she died. Who is the only singer we could invite?"
    found = _found(linter, text)
    assert {f.rule for f in found} == {"name", "date", "event_word", "one_answer"}
    assert {f.rule for f in found} <= RULES.keys()
    assert all(text[f.start : f.end] == f.excerpt for f in found if f.is_about_part)


@pytest.mark.parametrize("text", ["On 9 May 2026 we meet.", "On Dec. 24, 2026 we meet."])
def test_dates_are_read_in_english_on_a_german_machine(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's names of the months are the system's once the window is open; the rule may be loaded after that."""
    monkeypatch.setattr(calendar, "month_name", ["", *["Monat"] * 12])
    monkeypatch.setattr(calendar, "month_abbr", ["", *["Mon"] * 12])
    loaded = runpy.run_path(str(event_words.__file__))
    (found,) = loaded["find_dates"](Text(text), parse_event_date("2026-05-09"))
    assert found.excerpt in ("9 May 2026", "Dec. 24, 2026")
