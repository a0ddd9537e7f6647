"""Results written as the text that the model reads, and found again in it."""

from __future__ import annotations

from btc_gui.domain.received import read_results, received_text, result_at, write_results
from btc_gui.domain.trajectory import SearchResult, Step, StepKind

RESULTS = (
    SearchResult("A quarterback dies", "https://example.org/1", "2026-05-12", ("He died.", "[9] a footnote")),
    SearchResult("Undated 😀 page", "https://example.org/2", "", ("Born in 1943.\n\nMore.",)),
    SearchResult("", "https://example.org/3", "2025-10"),
)


def test_each_result_is_found_again_with_its_date_and_its_whole_text() -> None:
    text = write_results(RESULTS)
    found = read_results(text)
    assert [(result.number, result.published) for result in found] == [(1, "2026-05-12"), (2, ""), (3, "2025-10")]
    assert "He died" in text[found[0].start : found[0].stop]
    assert text[found[1].start :].startswith("[2] Undated")
    assert (found[0].start, found[-1].stop) == (0, len(text))


def test_a_date_that_is_marked_as_unknown_is_none() -> None:
    found = read_results(write_results(RESULTS, marks_undated=True))
    assert [result.published for result in found] == ["2026-05-12", "", "2025-10"]


def test_a_character_belongs_to_the_result_it_stands_in() -> None:
    text = write_results(RESULTS)
    results = read_results(text)
    place = result_at(results, text.index("Born"))
    assert place is not None
    assert place.number == 2
    assert result_at(read_results("No results."), 3) is None


def test_a_text_of_another_form_has_no_results() -> None:
    assert read_results("No results.") == ()
    assert read_results("[1] a title without an address\nand text") == ()
    assert read_results("x" * 1_000_000) == ()


def test_what_the_model_received_is_its_own_record_of_it_where_there_is_one() -> None:
    step = Step(1, StepKind.QUERY, "q", RESULTS[:1], output="as it was")
    assert received_text(step) == "as it was"
    assert received_text(Step(1, StepKind.QUERY, "q", RESULTS[:1])) == write_results(RESULTS[:1])
    assert received_text(Step(1, StepKind.QUERY, "q", error="The service is down.")) == "The service is down."
