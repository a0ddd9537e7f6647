"""A study's files: the same study gives the same bytes, nothing in a text runs, and the figures can be recomputed."""

from __future__ import annotations

import csv
import json
import re
import runpy
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from btc_gui import paths
from btc_gui.domain.study_report import StudyReport
from btc_gui.errors import StudyError
from btc_gui.exports.latex import tex
from btc_gui.exports.study import SCRIPT, write_study
from btc_gui.exports.study_labels import cells_too_long, write_labels_csv
from btc_gui.jobs.conclude_study import note_report
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.study_report import study_report
from btc_gui.jobs.unblind_study import close_study, unblind_study
from btc_gui.progress import Progress
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.database import Database
from btc_gui.store.studies import StudyStore
from tests.study_builders import RATIONALE, add_judged, add_locked_study, issue, make_design

NOTE = 'said "yes",\n<script>alert(1)</script>\u202e שלום \x07 =1+1 & left'
PICTURED = ("csv", "json", "tex", "svg", "png", "pdf")


@dataclass(frozen=True)
class Exported:
    database: Database
    report: StudyReport
    folder: Path
    files: list[Path]

    def text(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Exported]:
    """One study for all tests here: drawing its pictures takes a while."""
    folder = tmp_path_factory.mktemp("study")
    with Database.create(folder / "p.btc") as database:
        report = make_report(database, folder)
        yield Exported(database, report, folder / "one", write_study(report, folder / "one", "Illustrative."))


def make_report(database: Database, folder: Path) -> StudyReport:
    """PK labels everything, all correct but the first, unsure of the last; DG never came."""
    add_judged(database)
    study_id = add_locked_study(database, make_design(annotators=("PK", "DG")))
    packet = issue(database, study_id, folder)
    with LabellingSession(packet) as session:
        for number in range(session.total):
            assert session.current is not None
            label = "incorrect" if number == 0 else "unsure" if number == session.total - 1 else "correct"
            session.label(session.current.item, label, reason=NOTE if label == "unsure" else "", note=NOTE)
    return_packet(database, packet, "tests", Progress())
    close_study(database, study_id, "tests", abandon_reason="DG never came.")
    unblind_study(database, study_id, "tests")
    return study_report(database, study_id, Progress())


class _Tags(HTMLParser):
    """Collects what a page is made of; an unclosed tag is seen in `open`."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_same_study_gives_the_same_bytes(exported: Exported, tmp_path: Path) -> None:
    """Also after the export was noted in the log: only the copy of the log is longer then."""
    database, report, files = exported.database, exported.report, exported.files
    assert note_report(database, report.study.id, files, "tests")
    again = write_study(study_report(database, report.study.id, Progress()), tmp_path / "two", "Illustrative.")
    assert not note_report(database, report.study.id, again, "tests")
    one, two = ({file.name: file.read_bytes() for file in group} for group in (files, again))
    assert two.pop("log_Test_study.jsonl").startswith(one.pop("log_Test_study.jsonl"))
    assert one == two
    assert {name for name in one if name.startswith("matrix_")} == {
        f"matrix_Test_study_{who}.{kind}" for who in ("PK", "DG", "PK_and_DG") for kind in PICTURED
    }
    found = json.loads(one["report_Test_study.json"])
    assert (found["mode"], found["annotators"][1]["missing"]) == ("blind", 8)
    assert found["frame_shares"] == {"correct": 0.625, "incorrect": 0.375}
    with (exported.folder / "labels_Test_study_PK.csv").open(newline="", encoding="utf-8") as file:
        assert {row["note"] for row in csv.DictReader(file)} == {NOTE}
    log = [json.loads(line) for line in one["labels_Test_study.jsonl"].decode().split("\n")[:-1]]
    assert [(row["annotator"], row["layer"], row["role"]) for row in log] == [("PK", "blind", "sample")] * 8
    assert {row["note"] for row in log} == {NOTE}


def test_the_page_runs_and_loads_nothing(exported: Exported) -> None:
    page = exported.text("report_Test_study.html")
    tags = _Tags()
    tags.feed(page)
    assert tags.open == []
    assert not tags.tags & {"script", "img", "link", "iframe", "object", "form", "input", "base"}
    assert not {name for name in tags.attributes if name.startswith("on") or name in ("src", "srcdoc", "action")}
    assert set(re.findall(r'href="(.)', page)) == {"#"}
    assert "url(" not in page
    assert "\x07" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<h1" in page
    assert "8 of 8 items labelled" in page
    # The disagreements are listed with the words of both.
    assert RATIONALE in page
    for words in ("stratified sample, not population", "in the benchmark (π₁ = .62)", "Clopper–Pearson", "Exposure"):
        assert words in page


def test_the_shipped_script_gives_the_report_s_figures(
    exported: Exported, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", [SCRIPT, str(exported.folder / "labels_Test_study_PK.csv")])
    runpy.run_path(str(exported.folder / SCRIPT), run_name="__main__")
    sample, frame = re.findall(r"agreement (\S+), kappa (\S+),", capsys.readouterr().out)
    assert sample == _figures(exported.report, "observed_agreement", "kappa")
    assert frame == _figures(exported.report, "population_agreement", "population_kappa")


def _figures(report: StudyReport, *keys: str) -> tuple[str, ...]:
    found = [report.primary.agreement.find(key) for key in keys]
    return tuple(f"{each.value:.6f}" for each in found if each is not None and each.value is not None)


def test_the_shipped_script_is_ten_lines_and_right_about_a_table_by_hand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A judge accepts 90 of 100 answers; of 10 labels each, 9 and 8 agree: 0.9·0.9 + 0.1·0.8 = 0.89 of the benchmark.

    The human's share correct is 0.9·0.9 + 0.1·0.2 = 0.83, chance agreement 0.9·0.83 + 0.1·0.17 = 0.764.
    """
    script = paths.resources() / "scripts" / SCRIPT
    body = script.read_text(encoding="utf-8").partition("import Counter\n")[2]
    assert len([line for line in body.split("\n") if line.strip()]) == 10
    rows = [("correct", "correct", 9), ("correct", "incorrect", 1), ("incorrect", "incorrect", 8)]
    rows += [("incorrect", "correct", 2), ("correct", "unsure", 1), ("incorrect", "", 3), ("incorrect", "broken", 1)]
    lines = [
        f"{judge},{human},{judge},{90 if judge == 'correct' else 10}" for judge, human, n in rows for _ in range(n)
    ]
    table = tmp_path / "labels.csv"
    table.write_text("\n".join(["judge,human,stratum,frame_size", *lines]), encoding="utf-8-sig")
    monkeypatch.setattr("sys.argv", [SCRIPT, str(table)])
    runpy.run_path(str(script), run_name="__main__")
    printed = capsys.readouterr().out
    assert "sample: agreement 0.850000, kappa 0.700000" in printed
    assert f"frame: agreement 0.890000, kappa {(0.89 - 0.764) / (1 - 0.764):.6f}" in printed
    assert "  correct, incorrect: 9\n" in printed


def test_every_statistic_is_a_row_with_its_words(exported: Exported) -> None:
    with (exported.folder / "statistics_Test_study.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert all(row["statistic"] and (row["estimate"] or row["reason"]) for row in rows)
    (kappa,) = [row for row in rows if row["key"] == "kappa" and row["about"] == "PK, blind"]
    assert kappa["scope"] == "stratified sample, not population"
    table = exported.text("statistics_Test_study.tex")
    assert table.count(r"\\") == len([row for row in rows if row["section"] == "PK, blind (primary)"]) + 1
    matrix = exported.text("matrix_Test_study_PK.tex")
    assert r"\toprule" in matrix
    assert "Left out: 1 unsure." in matrix


def test_tables_for_spreadsheets_run_nothing_and_show_every_script(exported: Exported, tmp_path: Path) -> None:
    """X8, X9, X10, X11: formulas escaped on request, a byte-order mark, quoted line breaks; long texts are counted."""
    each = exported.report.primary
    risky = replace(each, cases=tuple(replace(case, note="=1+1\n死 🙂") for case in each.cases))
    path = write_labels_csv(exported.report, risky, tmp_path / "labels.csv", for_spreadsheets=True)
    assert path.read_bytes().startswith(b"\xef\xbb\xbfjudge,human,")
    with path.open(newline="", encoding="utf-8-sig") as file:
        assert {row["note"] for row in csv.DictReader(file)} == {"'=1+1\n死 🙂"}
    assert cells_too_long(exported.report) == 0
    long = replace(each, cases=(replace(each.cases[0], note="x" * 32_768), *each.cases[1:]))
    assert cells_too_long(replace(exported.report, annotators=(long,))) == 1


def test_latex_takes_outside_text_as_text() -> None:
    assert tex(r"50% \input{x} a_b & $1 #~^") == (
        r"50\% \textbackslash{}input\{x\} a\_b \& \$1 \#\textasciitilde{}\textasciicircum{}"
    )
    # Behind the end of a row these would be an option of it.
    assert (tex("[9cm] x"), tex("*x")) == ("{}[9cm] x", "{}*x")
    assert tex("a\x00b\u202ec\n\nd") == "abc d"


def test_an_export_before_unblinding_is_not_noted(database: Database) -> None:
    add_judged(database)
    study_id = add_locked_study(database)
    with pytest.raises(StudyError, match="locked"):
        note_report(database, study_id, [], "tests")
    assert StudyStore(database).log(study_id)[-1].step == "lock"
