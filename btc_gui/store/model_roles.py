"""Which models have which role in a project: generators, judges, classifiers, evaluated models."""

from __future__ import annotations

from btc_gui.domain.model_family import Role
from btc_gui.store.database import Database

_NAMES = {
    Role.GENERATOR: "SELECT DISTINCT model FROM model_call WHERE role = 'generator' ORDER BY model",
    Role.JUDGE: "SELECT DISTINCT judge FROM verdict WHERE is_current = 1 ORDER BY judge",
    Role.CLASSIFIER: (
        "SELECT DISTINCT classifier FROM classification WHERE is_current = 1 AND by_construction = 0 ORDER BY 1"
    ),
    Role.EVALUATED: (
        "SELECT DISTINCT model FROM configuration WHERE id IN (SELECT configuration_id FROM run_item) ORDER BY model"
    ),
}


def models_by_role(database: Database) -> dict[Role, list[str]]:
    """The names of the models in each role, in alphabetical order."""
    read = database.read()
    return {role: [row[0] for row in read.execute(sql)] for role, sql in _NAMES.items()}
