"""Models, cutoffs and effort values are told as they were used."""

from __future__ import annotations

from dataclasses import asdict

from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.evaluated_model import EffortSetting, EvaluatedModel
from btc_gui.domain.hashing import canonical_json
from btc_gui.domain.model_tables import cutoff_rows, effort_rows, stage_rows
from btc_gui.domain.role_model import RoleModel

RAN = EffortSetting(reasoning_tokens=2_000)
MODEL = EvaluatedModel(
    "Model A", "anthropic", "model-a", cutoff="2026-01", cutoff_source="its page", efforts={Effort.LOW: RAN}
)
CONFIGURATIONS = [
    Configuration("Model A", Harness.SHARED, Effort.HIGH, settings={"cutoff": "2026-01-31"}),
    Configuration("Model A", Harness.NATIVE, Effort.LOW, settings={"effort": canonical_json(asdict(RAN))}),
    Configuration("other", Harness.SHARED, Effort.LOW, settings={"cutoff": "2025-12-31"}),
]


def test_models_by_stage() -> None:
    rows = stage_rows(CONFIGURATIONS, {"judge": RoleModel("judge", model="J", effort="low")}, {"judge-1": 12, "old": 0})
    assert [(row.stage, row.model, row.efforts, row.harnesses) for row in rows] == [
        ("Judge", "J", ("low",), ()),
        ("Judge", "judge-1", (), ()),
        ("Evaluate", "Model A", ("low", "high"), ("native", "shared")),
        ("Evaluate", "other", ("low",), ("shared",)),
    ]


def test_cutoffs_as_reported_and_as_told() -> None:
    rows = cutoff_rows(CONFIGURATIONS, [MODEL])
    assert [(row.model, row.reported, row.source, row.told) for row in rows] == [
        ("Model A", "2026-01", "its page", ("2026-01-31",)),
        ("other", "", "", ("2025-12-31",)),
    ]


def test_effort_values_are_those_that_ran_else_those_of_the_file() -> None:
    rows = effort_rows(CONFIGURATIONS, [MODEL])
    assert [(row.model, row.provider, row.effort, row.value) for row in rows] == [
        ("Model A", "anthropic", "low", "2,000 thinking tokens"),
        ("Model A", "anthropic", "high", "high"),
        ("other", "", "low", ""),
    ]
