"""What a project knows of a study's answers and an annotator must not: names, ids, times, reasons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.study import StudyId
from btc_gui.store.database import Database

#: So much of a rationale is looked for; shorter ones are sentences like others.
_RATIONALE = 60


@dataclass(frozen=True, slots=True)
class HiddenFacts:
    """Texts by what they are. `telling` ones say something wherever they stand, `common` ones are words like others,
    `numbers` say something only beside their name, `moments` are times."""

    telling: Mapping[str, tuple[str, ...]]
    common: Mapping[str, tuple[str, ...]]
    numbers: Mapping[str, tuple[int, ...]]
    moments: Mapping[str, tuple[str, ...]]


def hidden_facts(database: Database, study_id: StudyId) -> HiddenFacts:
    """All that is hidden about the drawn answers of a study."""
    read = database.read()
    rows = read.execute(
        "SELECT answer.id, answer.uuid, answer.finished_at, answer.stored_at, run_item.run_id, run.name AS run, "
        "configuration.id AS configuration_id, configuration.identity, configuration.model, configuration.harness, "
        "configuration.effort FROM study_item JOIN answer ON answer.id = study_item.answer_id "
        "JOIN run_item ON run_item.id = answer.run_item_id JOIN run ON run.id = run_item.run_id "
        "JOIN configuration ON configuration.id = run_item.configuration_id WHERE study_item.study_id = ?",
        (study_id,),
    ).fetchall()
    verdicts = read.execute(
        "SELECT verdict.rationale, verdict.at, verdict.judge FROM verdict JOIN study_item "
        "ON study_item.answer_id = verdict.answer_id WHERE study_item.study_id = ?",
        (study_id,),
    ).fetchall()
    classified = read.execute(
        "SELECT classification.rationale, classification.classifier FROM classification JOIN study_item "
        "ON study_item.answer_id = classification.answer_id WHERE study_item.study_id = ? AND by_construction = 0",
        (study_id,),
    ).fetchall()
    masked = read.execute("SELECT original FROM masked WHERE study_id = ?", (study_id,)).fetchall()
    titles = {Configuration(row["model"], Harness(row["harness"]), Effort(row["effort"])).title for row in rows}
    return HiddenFacts(
        telling={
            "model": _distinct(row["model"] for row in rows),
            "configuration": tuple(sorted(titles)),
            "configuration hash": _distinct(row["identity"] for row in rows),
            "answer uuid": _distinct(row["uuid"] for row in rows),
            "rationale": _distinct(row["rationale"][:_RATIONALE] for row in (*verdicts, *classified)),
            "judge": _distinct(row["judge"] for row in verdicts),
            "classifier": _distinct(row["classifier"] for row in classified),
        },
        common={
            "harness": _distinct(row["harness"] for row in rows),
            "effort": _distinct(row["effort"] for row in rows),
            "run": _distinct(row["run"] for row in rows),
            "masked passage": _distinct(row["original"] for row in masked),
            "time of an answer": _distinct(row["finished_at"] for row in rows),
            "time of a verdict": _distinct(row["at"] for row in verdicts),
        },
        numbers={
            "answer id": tuple(sorted({row["id"] for row in rows})),
            "run id": tuple(sorted({row["run_id"] for row in rows})),
            "configuration id": tuple(sorted({row["configuration_id"] for row in rows})),
        },
        moments={
            "time of an answer": _distinct(time for row in rows for time in (row["finished_at"], row["stored_at"])),
            "time of a verdict": _distinct(row["at"] for row in verdicts),
        },
    )


def _distinct(texts: Iterable[object]) -> tuple[str, ...]:
    return tuple(sorted({str(text) for text in texts if text}))
