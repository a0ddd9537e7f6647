"""The warnings where generator, judge, classifier and evaluated models of a project are kin."""

from __future__ import annotations

from collections.abc import Sequence

from btc_gui.domain.model_family import Role, SameFamily, same_families
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import available_models
from btc_gui.store.model_roles import models_by_role


def kin(database: Database, *, role: Role | None = None, names: Sequence[str] = ()) -> list[SameFamily]:
    """The families with several roles in a project; `names` are about to take on `role` too.

    With a role only the families that `names` belong to. Raises `SettingsError` when a models file is wrong.
    """
    roles = models_by_role(database)
    if role is not None:
        roles[role] = [*roles[role], *names]
    found = same_families(roles, available_models(database))
    if role is None:
        return found
    return [each for each in found if set(each.members.get(role, ())) & set(names)]
