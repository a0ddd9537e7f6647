"""Builders for tests of the review: filter answers that settle who retains a probe."""

from __future__ import annotations

from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.probe import ProbeId
from btc_gui.domain.run import Purpose
from btc_gui.domain.verdict import Label
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore
from tests.case_builders import add_answers, make_trajectory


def retain(database: Database, probe_id: ProbeId, model: str = "Larkspur-2", *, is_retained: bool = True) -> None:
    """Three no-search answers of a model to a probe, all of which recommend the entity, or none."""
    probe = ProbeStore(database).get(probe_id)
    configuration = Configuration(model, Harness.NONE, Effort.LOW)
    trajectories = [make_trajectory() for _ in range(3)]
    label = Label.INCORRECT if is_retained else Label.CORRECT
    for answer_id in add_answers(database, probe, trajectories, configuration, Purpose.FILTER)[1]:
        VerdictStore(database).add(
            NewVerdict(answer_id, "judge", None, label, names_entity=is_retained, rationale="So.")
        )
