"""What people said of an answer, in studies whose key is open."""

from __future__ import annotations

from dataclasses import dataclass

from btc_gui.domain.packet import GivenLabel, Layer, PacketId, standing
from btc_gui.domain.study import StudyState
from btc_gui.domain.study_draw import ItemRole
from btc_gui.domain.trajectory import AnswerId
from btc_gui.store.database import Database
from btc_gui.store.packets import PacketStore

_UNBLINDED = ", ".join(f"'{state}'" for state in StudyState if state.is_unblinded)


@dataclass(frozen=True, slots=True)
class CaseLabel:
    """One label of an answer that was not withdrawn. `is_first`: it is the annotator's first one of this item, which
    is analysed; a later one is a change. `is_repeat`: of the item that came back unmarked."""

    study: str
    kind: str
    annotator: str
    layer: Layer
    given: GivenLabel
    is_first: bool
    is_repeat: bool


def case_labels(database: Database, answer_id: AnswerId) -> list[CaseLabel]:
    """The labels of an answer, by study, packet and time. Those of a study that is not unblinded stay hidden."""
    rows = database.read().execute(
        "SELECT study.name, study.kind, packet.id, packet.annotator, packet.layer, study_item.item, study_item.role "
        "FROM study_item JOIN study ON study.id = study_item.study_id JOIN packet ON packet.study_id = study.id "
        f"WHERE study_item.answer_id = ? AND study.state IN ({_UNBLINDED}) "
        "ORDER BY study.id, packet.rowid, study_item.role DESC",
        (answer_id,),
    )
    packets = PacketStore(database)
    found: list[CaseLabel] = []
    for row in rows.fetchall():
        given = [each for each in standing(packets.labels(PacketId(row["id"]))) if each.item == row["item"]]
        found += [
            CaseLabel(
                study=row["name"],
                kind=row["kind"],
                annotator=row["annotator"],
                layer=Layer(row["layer"]),
                given=each,
                is_first=number == 0,
                is_repeat=row["role"] == ItemRole.REPEAT,
            )
            for number, each in enumerate(given)
        ]
    return found
