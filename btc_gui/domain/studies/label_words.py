"""A label and the parts of its form in words, as whoever reads a case sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from btc_gui.domain.mode_form import ModeForm
from btc_gui.domain.packet import GivenLabel
from btc_gui.domain.studies import study_kind

_SURE = {1: "low confidence", 2: "medium confidence", 3: "high confidence"}


def label_text(kind: str, value: str) -> str:
    """The words for a label of a kind of study: as matrices name the class, or as the choice is called."""
    known = study_kind(kind)
    choice = next((choice.text for choice in known.choices if choice.value == value), value)
    return known.classes.get(value, choice)


def rationale_text(kind: str, given: GivenLabel) -> str:
    """Why somebody gave a label: reason, note, confidence and the parts of the form, a line each."""
    lines = [given.reason, given.note, _SURE.get(given.confidence or 0, "")]
    words = _PARTS.get(kind)
    if words is not None and given.answers:
        lines += words(given.answers)
    return "\n".join(line.strip() for line in lines if line.strip())


def _mode_lines(answers: str) -> Iterator[str]:
    form = ModeForm.from_text(answers)
    labels = [f"{number} {label or 'not labelled'}" for number, label in enumerate(form.labels, start=1)]
    yield f"Queries: {', '.join(labels)}" if labels else ""
    yield f"Evidence: {form.evidence}" if form.evidence else ""
    for span in form.spans:
        place = f"query {span.search}" + (f", result {span.result}" if span.result else "")
        dated = f", {span.published}" if span.published else ""
        yield f"“{span.quote}” {span.relation} the change ({place}{dated})"
    if form.override is not None:
        yield f"Overridden: {form.override.text}: {form.override_text}"


#: How the parts of a kind's form read; a kind without parts has none.
_PARTS: dict[str, Callable[[str], Iterator[str]]] = {"failure_mode": _mode_lines}
