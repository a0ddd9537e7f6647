"""The parts of a failure-mode label: what follows from them, which can be given, how they are kept."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.mode_form import (
    DateOrigin,
    EvidenceAnswer,
    EvidenceSpan,
    ModeForm,
    OverrideCode,
    QueryAnswer,
    QueryLabel,
    Relation,
    make_span,
)
from btc_gui.domain.packet import ItemId, PacketItem, Search, written
from btc_gui.domain.received import write_results
from btc_gui.domain.studies import study_kind
from btc_gui.domain.trajectory import SearchResult
from btc_gui.errors import InputError

COUNTED = ("states", "entails")
RECEIVED = write_results(
    [
        SearchResult("Hot rods 🏁", "https://example.org/1", "2025-10-01", ("He turned 104.",)),
        SearchResult("In memoriam", "https://example.org/2", "2026-02-06", ("The pioneer died on Wednesday, at 104.",)),
    ]
)


def form_of(*labels: str | None, evidence: str | None = "no", spans: tuple[EvidenceSpan, ...] = ()) -> ModeForm:
    """A form with these classes; None is a query without one."""
    queries = tuple(QueryAnswer(QueryLabel(label) if label else None) for label in labels)
    return ModeForm(queries, EvidenceAnswer(evidence) if evidence else None, spans)


def passage(quote: str = "died on Wednesday", relation: Relation = Relation.STATES, search: int = 1) -> EvidenceSpan:
    """A passage of `RECEIVED`."""
    start = RECEIVED.index(quote)
    return make_span(search, RECEIVED, start, start + len(quote), relation)


def item(*received: str) -> PacketItem:
    """An item whose queries brought back these texts."""
    searches = [Search(f"query {number}", text) for number, text in enumerate(received, 1)]
    return PacketItem(ItemId("0" * 16), 1, "p", {"searches": written(searches)})


def check(label: str, form: ModeForm, *received: str, counted: tuple[str, ...] = COUNTED) -> None:
    study_kind("failure_mode").check_answers(label, form.text, item(*received), counted)


# -- what follows --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["taxonomy_truth_table", "taxonomy_incomplete"])
def test_the_mode_follows_by_the_table_of_right_values(case: str) -> None:
    cases = json.loads((Path(__file__).parents[1] / "data" / "golden.json").read_text(encoding="utf-8"))
    (found,) = [each for each in (cases["cases"] if isinstance(cases, dict) else cases) if each["id"] == case]
    evidence = {True: "yes", False: "no", None: "unsure"}
    modes = []
    for row in found["inputs"]["rows"]:
        spans = (passage(),) if row["evidence_in_context"] else ()
        form = form_of(*row["query_labels"], evidence=evidence[row["evidence_in_context"]], spans=spans)
        mode = form.derived(COUNTED).mode
        modes.append(mode and mode.text)
    assert modes == found["expected"]["mode"]


def test_the_trace_names_the_query_and_result_that_decided() -> None:
    form = form_of("unrelated", "explicit", evidence="yes", spans=(passage(search=2),))
    derived = form.derived(COUNTED)
    assert derived.mode is FailureMode.REASONING
    assert derived.trace == "what the model received for query 2, result 2 states the change"
    assert form_of("unrelated", "explicit").derived(COUNTED).trace.startswith("query 2 asks directly")


def test_only_the_relations_of_the_design_make_a_passage_evidence() -> None:
    form = form_of("unrelated", evidence="yes", spans=(passage(relation=Relation.SUGGESTS),))
    assert form.derived(COUNTED).mode is FailureMode.NONE
    assert "only suggest" in form.derived(COUNTED).trace
    assert form.derived(("states", "entails", "suggests")).mode is FailureMode.REASONING


def test_an_unsure_query_leaves_the_mode_open_only_where_it_could_change_it() -> None:
    assert form_of("unsure", "explicit").derived(COUNTED).mode is FailureMode.EXPLICIT
    assert form_of("unsure", "indirect").derived(COUNTED).mode is None
    assert form_of("unsure", evidence="yes", spans=(passage(),)).derived(COUNTED).mode is FailureMode.REASONING
    assert form_of("explicit", evidence="unsure").derived(COUNTED).mode is None
    assert form_of("explicit", evidence=None).derived(COUNTED).mode is None


def test_what_is_missing_is_said() -> None:
    assert form_of("explicit", None, evidence=None).missing == ("a class for query 2", "whether there is evidence")
    assert form_of(evidence="yes").missing == ("a passage that is the evidence",)
    assert form_of("unsure", evidence="unsure").missing == ()


# -- filling in ----------------------------------------------------------------------------------------------


def test_a_class_given_before_the_results_is_kept_beside_a_later_one() -> None:
    form = ModeForm().for_queries(2).labelled(1, QueryLabel.UNRELATED).labelled(1, QueryLabel.EXPLICIT)
    assert form.queries[0] == QueryAnswer(QueryLabel.EXPLICIT)
    opened = replace(form, has_opened=True).labelled(1, QueryLabel.INDIRECT).labelled(1, QueryLabel.UNSURE)
    assert opened.queries[0] == QueryAnswer(QueryLabel.UNSURE, first=QueryLabel.EXPLICIT)
    assert opened.labelled(1, QueryLabel.EXPLICIT).queries[0] == QueryAnswer(QueryLabel.EXPLICIT)
    assert opened.queries[1] == QueryAnswer()


def test_passages_say_yes_and_stand_in_the_order_of_the_texts() -> None:
    late, early, other = passage(search=2), passage("turned 104"), passage("died on Wednesday", Relation.ENTAILS, 2)
    form = ModeForm().for_queries(2).answered(EvidenceAnswer.NO).with_passage(late).with_passage(early)
    assert (form.evidence, form.spans) == (EvidenceAnswer.YES, (early, late))
    assert form.with_passage(other).spans == (early, other)  # The same words with another relation.
    assert form.with_passage(passage("He turned 104"), instead_of=early).spans == (passage("He turned 104"), late)
    assert form.without_passage(late).spans == (early,)
    assert form.without_passage(late).without_passage(early).evidence is None
    assert form.answered(EvidenceAnswer.UNSURE).spans == ()


def test_without_a_query_there_is_no_evidence() -> None:
    form = ModeForm().for_queries(0)
    assert form.missing == ()
    assert form.derived(COUNTED).mode is FailureMode.NONE


# -- how it is kept ------------------------------------------------------------------------------------------


def test_a_form_is_read_back_as_it_was_written() -> None:
    form = ModeForm(
        (QueryAnswer(QueryLabel.INDIRECT, QueryLabel.UNRELATED, "Close: 喜び"), QueryAnswer()),
        EvidenceAnswer.YES,
        (passage(), replace(passage("turned 104"), published="2026", dated_by=DateOrigin.TEXT)),
        has_opened=True,
        override=OverrideCode.BORDER,
        override_text="It asks for “news”.",
    )
    assert ModeForm.from_text(form.text) == form
    assert ModeForm.from_text("") == ModeForm()
    assert ModeForm.from_text(ModeForm().text) == ModeForm()


def test_a_file_written_by_hand_may_name_just_the_classes() -> None:
    form = ModeForm.from_text('{"evidence": "no", "queries": ["explicit", "unsure"]}')
    assert form.labels == (QueryLabel.EXPLICIT, QueryLabel.UNSURE)
    assert form.text == '{"evidence":"no","queries":[{"label":"explicit"},{"label":"unsure"}]}'


def test_a_form_is_told_in_words() -> None:
    form = replace(
        form_of("explicit", None, evidence="yes", spans=(passage(search=2),)),
        override=OverrideCode.BORDER,
        override_text="Close.",
    )
    assert form.words.split("\n") == [
        "Queries: 1 explicit, 2 –",
        "Evidence: yes",
        "“died on Wednesday” (query 2, states)",
        "Not what follows: a query stands between two classes. Close.",
    ]
    assert ModeForm().words == ""


@pytest.mark.parametrize(
    "text",
    [
        "no JSON",
        "[]",
        '"explicit"',
        '{"queries": ["direct"]}',
        '{"queries": 3}',
        '{"evidence": "maybe"}',
        '{"mode": "explicit"}',
        '{"spans": [{"search": "1", "start": 0, "stop": 3, "quote": "x", "relation": "states"}]}',
        '{"spans": [{"search": 1, "start": true, "stop": 3, "quote": "x", "relation": "states"}]}',
        '{"spans": [{"search": 1}]}',
        '{"override": {"code": "whim"}}',
        "[" * 100_000,
    ],
)
def test_parts_in_another_form_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        ModeForm.from_text(text)


# -- passages ------------------------------------------------------------------------------------------------


def test_a_passage_knows_its_result_and_date_and_has_no_space_at_its_ends() -> None:
    start = RECEIVED.index("The pioneer") - 1
    span = make_span(1, RECEIVED, start, RECEIVED.index(" on Wednesday") + 1)
    assert (span.quote, span.result, span.published) == ("The pioneer died", 2, "2026-02-06")
    assert span.dated_by is DateOrigin.METADATA
    assert RECEIVED[span.start : span.stop] == span.quote  # Characters, also after an emoji.


def test_a_passage_of_nothing_or_of_two_results_can_not_be_marked() -> None:
    with pytest.raises(InputError, match="no word"):
        make_span(1, "a .. b", 2, 4)
    with pytest.raises(InputError, match="not at this place"):
        make_span(1, "a   b", 1, 4)
    with pytest.raises(InputError, match="two results"):
        make_span(1, RECEIVED, RECEIVED.index("turned"), RECEIVED.index("memoriam"))


def test_a_passage_outside_the_results_of_a_text_without_any_has_number_none() -> None:
    span = make_span(2, "The office is vacant since May.", 0, 31)
    assert (span.search, span.result, span.published, span.dated_by) == (2, 0, "", DateOrigin.UNKNOWN)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"search": 2}, "no query 2"),
        ({"search": 0}, "no query 0"),
        ({"start": 0}, "not at this place"),
        ({"start": -5}, "not at this place"),
        ({"stop": 10**9}, "not at this place"),
        ({"quote": "lived on Wednesday"}, "not at this place"),
        ({"result": 1}, "not stand in result 1"),
        ({"published": "2026-02-07"}, "not the one of its result"),
        ({"dated_by": DateOrigin.UNKNOWN}, "from nowhere"),
        ({"dated_by": DateOrigin.TEXT, "published": "last week"}, "is no date"),
    ],
)
def test_a_passage_that_the_model_did_not_receive_like_this_is_refused(change: dict[str, object], words: str) -> None:
    span = replace(passage(), **change)  # type: ignore[arg-type]
    for label in ("reasoning", "unsure", "broken"):
        with pytest.raises(InputError, match=words):
            check(label, form_of("unrelated", evidence="yes", spans=(span,)), RECEIVED)


def test_a_passage_counts_once_and_only_with_yes() -> None:
    with pytest.raises(InputError, match="twice"):
        check("reasoning", form_of("unrelated", evidence="yes", spans=(passage(), passage())), RECEIVED)
    with pytest.raises(InputError, match="not that there is evidence"):
        check("none", form_of("unrelated", evidence="no", spans=(passage(),)), RECEIVED)


# -- what can be given ---------------------------------------------------------------------------------------


def test_the_derived_mode_can_be_given() -> None:
    check("reasoning", form_of("explicit", evidence="yes", spans=(passage(),)), RECEIVED)
    check("explicit", form_of("explicit"), RECEIVED)
    check("none", form_of("unrelated", "unrelated"), RECEIVED, "No results.")
    check("none", form_of())


@pytest.mark.parametrize("label", ["reasoning", "indirect", "none"])
def test_another_mode_needs_a_code_and_words(label: str) -> None:
    form = form_of("explicit")
    with pytest.raises(InputError, match="“Explicit” follows"):
        check(label, form, RECEIVED)
    with pytest.raises(InputError, match="without a reason"):
        check(label, replace(form, override=OverrideCode.RULE, override_text="  "), RECEIVED)
    check(label, replace(form, override=OverrideCode.RULE, override_text="It asks about a namesake."), RECEIVED)


def test_where_nothing_follows_a_mode_needs_a_reason_too_and_unsure_none() -> None:
    form = form_of("unsure")
    with pytest.raises(InputError, match="No mode follows"):
        check("none", form, RECEIVED)
    check("none", replace(form, override=OverrideCode.UNDECIDED, override_text="Either way."), RECEIVED)
    check("unsure", form, RECEIVED)


def test_the_derived_mode_is_not_overridden() -> None:
    form = replace(form_of("explicit"), override=OverrideCode.OTHER, override_text="No.")
    with pytest.raises(InputError, match="nothing to override"):
        check("explicit", form, RECEIVED)


def test_a_mode_needs_the_whole_form_but_unsure_and_broken_do_not() -> None:
    for form in (form_of(None), form_of("explicit", evidence=None), form_of(), form_of("explicit", "explicit")):
        with pytest.raises(InputError):
            check("explicit", form, RECEIVED)
    check("broken", form_of(None, evidence=None), RECEIVED)
    check("unsure", ModeForm(), RECEIVED)


def test_a_packet_that_asks_for_labels_only_takes_no_form() -> None:
    kind = study_kind("failure_mode")
    kind.check_answers("explicit", "", item(RECEIVED), ())
    with pytest.raises(InputError):
        check("explicit", form_of("explicit"), RECEIVED, counted=())
    study_kind("judge_verdict").check_answers("correct", "", item(), ())
    with pytest.raises(InputError):
        study_kind("judge_verdict").check_answers("correct", "{}", item(), ())
