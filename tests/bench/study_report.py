"""The report of a study with many labels: to compute, to see again, to export.

    python -m tests.bench.study_report [--labels 10000] [--folder DIR]

Two annotators label every item of a judge study, so half as many items as labels; the second one sees a tenth of
them otherwise. Their labels are put in place directly: labelling is measured elsewhere.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import tempfile
import time
from pathlib import Path

from btc_gui.domain.configuration import Effort
from btc_gui.domain.packet import GivenLabel
from btc_gui.domain.studies.kind import Stratum
from btc_gui.domain.study import StudyId
from btc_gui.domain.verdict import Label
from btc_gui.exports.study import write_study
from btc_gui.jobs.study_report import StudyReports
from btc_gui.jobs.unblind_study import close_study, unblind_study
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.packets import PacketStore
from btc_gui.store.studies import StudyStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore
from tests.builders import add_event, add_probe
from tests.case_builders import add_answers, make_configuration, make_trajectory
from tests.study_builders import add_locked_study, issue, make_categories, make_design

_MODELS = 10


class Stopwatch:
    """Prints how long each part took: seconds, and of these the processor's."""

    def __init__(self) -> None:
        self._began, self._work = time.perf_counter(), time.process_time()

    def say(self, name: str) -> None:
        """The part that has just ended."""
        now, work = time.perf_counter(), time.process_time()
        print(f"{name:<34} {now - self._began:>8.2f} {work - self._work:>8.2f}", flush=True)
        self._began, self._work = time.perf_counter(), time.process_time()


def add_judged_answers(database: Database, items: int) -> None:
    """So many answers of ten models, about a tenth as many events; the judge accepts six in ten."""
    verdicts = VerdictStore(database)
    with database.write(durable=False):
        for number in range(0, items, _MODELS):
            event = add_event(database, entity=f"Person {number}")
            probe = add_probe(database, event, f"Whom to invite, number {number}?")
            for place in range(min(_MODELS, items - number)):
                model = make_configuration(f"Model {place}", Effort.LOW)
                (answer_id,) = add_answers(database, probe, [make_trajectory(f"Answer {number} {place}.")], model)[1]
                label = Label.CORRECT if _lot("judge", number + place) < 0.6 else Label.INCORRECT
                verdicts.add(NewVerdict(answer_id, "Umpire", None, label, names_entity=True, rationale="So it is."))


def _lot(*words: object) -> float:
    """A number from 0 to 1 that only the words decide."""
    return int(hashlib.sha256(repr(words).encode()).hexdigest()[:12], 16) / 16**12


def add_labels(database: Database, study_id: StudyId, folder: Path) -> int:
    """Labels of both annotators; gives how many."""
    items = StudyStore(database).items(study_id)
    machine = {item.item: item.machine_label for item in items}
    count = 0
    for annotator, slips in (("PK", 0.02), ("DG", 0.1)):
        issue(database, study_id, folder, annotator)
        packet = next(p for p in PacketStore(database).of_study(study_id) if p.annotator == annotator)
        labels = []
        for number, (item, label) in enumerate(machine.items(), start=1):
            if _lot(annotator, item) < slips:
                label = "incorrect" if label == "correct" else "correct"
            note = "A word on why." if number % 7 == 0 else ""
            at = f"2026-07-03T10:{number // 60 % 60:02}:{number % 60:02}Z"
            labels.append(GivenLabel(number, item, label, note=note, active_seconds=21.5, at=at))
        PacketStore(database).take(packet, labels, "bench")
        count += len(labels)
    return count


def main() -> None:
    """Build, measure, and throw away."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", type=int, default=10_000)
    parser.add_argument("--folder", type=Path, help="where to work (default: the temporary folder)")
    options = parser.parse_args()
    items = options.labels // 2
    with tempfile.TemporaryDirectory(dir=options.folder) as name, Database.create(Path(name) / "r.btc") as database:
        folder = Path(name)
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        print(f"{'':<34} {'seconds':>8} {'work':>8}")
        watch = Stopwatch()
        # More than are drawn: the judge does not accept exactly six in ten.
        add_judged_answers(database, items * 11 // 10)
        watch.say("(build the judged answers)")
        strata = (
            Stratum("accepted", items * 6 // 10, {"label": "correct"}),
            Stratum("rejected", items - items * 6 // 10, {"label": "incorrect"}),
        )
        design = make_design(strata=strata, annotators=("PK", "DG"), accept_shortfall=True)
        study_id = add_locked_study(database, design)
        watch.say("lock")
        count = add_labels(database, study_id, folder / "packets")
        watch.say(f"two packets, {count:,} labels in")
        close_study(database, study_id, "bench", abandon_reason="bench")
        watch.say("close")
        unblind_study(database, study_id, "bench")
        watch.say("unblind")
        reports = StudyReports(database)
        report = reports.report(study_id, Progress(), make_categories())
        watch.say("the report")
        reports.report(study_id, Progress(), make_categories())
        watch.say("the same again, nothing changed")
        files = write_study(report, folder / "out", "")
        watch.say(f"export, {len(files)} files, {sum(f.stat().st_size for f in files) / 1e6:.1f} MB")
        found = report.annotators[0].agreement
        print("\n".join(f"  {each.name}: {each.text}" for each in found.statistics[:2]))


if __name__ == "__main__":
    main()
