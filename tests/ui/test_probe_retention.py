"""Who retains a probe: said at the probe on both pages, and a filter of the list once there was a filter run."""

from __future__ import annotations

from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.probe import ProbeId
from btc_gui.domain.run import Purpose
from btc_gui.domain.verdict import Label
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.probes_page import ProbesPage
from btc_gui.ui.pages.review_page import ReviewPage
from tests.case_builders import add_answers, make_trajectory


def _filter(database: Database, probe_id: ProbeId, model: str, label: Label) -> None:
    probe = ProbeStore(database).get(probe_id)
    configuration = Configuration(model, Harness.NONE, Effort.LOW)
    trajectories = [make_trajectory() for _ in range(3)]
    for answer_id in add_answers(database, probe, trajectories, configuration, Purpose.FILTER)[1]:
        VerdictStore(database).add(
            NewVerdict(answer_id, "judge", None, label, names_entity=label is Label.INCORRECT, rationale="So.")
        )


def test_a_probe_says_who_retains_it_and_the_list_can_be_filtered_by_it(window: MainWindow, filled: Database) -> None:
    store = ProbeStore(filled)
    first, second = store.ids(ProbeQuery(order="event"))[:2]
    window.go("probes")
    page = window.current_page
    assert isinstance(page, ProbesPage)
    assert page.retained_by.isHidden()
    _filter(filled, first, "Larkspur-2", Label.INCORRECT)
    _filter(filled, first, "Quill-Mini", Label.CORRECT)
    _filter(filled, second, "Quill-Mini", Label.INCORRECT)
    page.activate()
    assert not page.retained_by.isHidden()
    page.view.select_id(first)
    assert page.detail.retention.text() == "Retained by Larkspur-2; not by Quill-Mini"
    page.retained_by.choose(["Quill-Mini"])
    page.retained_by.chosen.emit(("Quill-Mini",))
    assert page.table.ids == [second]

    window.go("review")
    review = window.current_page
    assert isinstance(review, ReviewPage)
    review.show_item(first)
    assert review.probe_card.retention.texts == ["Larkspur-2: retained", "Quill-Mini: not retained"]
