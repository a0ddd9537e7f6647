"""Results written as the text that the model reads, and found again in it."""

from __future__ import annotations

import pytest

from btc_gui.domain.received import (
    parts_of,
    read_results,
    received_text,
    result_at,
    sentence_at,
    write_results,
)
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


@pytest.mark.parametrize(
    ("text", "near", "sentence"),
    [
        ("He left. She died on Monday! Nobody knew.", "died", "She died on Monday!"),
        ("He left. She died on Monday! Nobody knew.", "He", "He left."),
        ("Title\nShe died\nMore", "died", "She died"),
        ("彼女は三月に亡くなった。ギャラリーは休み。", "ギャラリー", "ギャラリーは休み。"),
        ("توفيت في مارس. المعرض مغلق.", "المعرض", "المعرض مغلق."),
        ("No end 😀 here", "here", "No end 😀 here"),
        ("At 3.5 metres it fell.", "metres", "At 3.5 metres it fell."),
    ],
)
def test_the_sentence_at_a_place(text: str, near: str, sentence: str) -> None:
    start, stop = sentence_at(text, text.index(near))
    assert text[start:stop] == sentence


def test_a_megabyte_without_a_full_stop_is_no_sentence() -> None:
    start, stop = sentence_at("x" * 1_000_000, 500_000)
    assert start <= 500_000 < stop
    assert stop - start <= 4_000


def test_a_long_text_is_shown_in_parts_that_make_it_up() -> None:
    for text in ("", "short", "line\n" * 500, "x" * 2_500, "a\n" + "x" * 1_500):
        parts = parts_of(text, 1_000)
        assert "".join(text[start:stop] for start, stop in parts) == text
        assert all(stop - start <= 1_000 for start, stop in parts)
    assert parts_of("line\n" * 500, 1_000)[0] == (0, 1_000)
