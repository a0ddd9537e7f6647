"""Text from outside, planted everywhere, through every kind of file that is written: nothing of it runs or loads."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from itertools import zip_longest
from pathlib import Path

import pytest

from btc_gui.domain.outside_text import UNPRINTABLE
from btc_gui.domain.review import Action
from btc_gui.domain.trajectory import AnswerId
from btc_gui.domain.verdict import Label
from btc_gui.exports.comparison import write_comparison_csv, write_comparison_page
from btc_gui.exports.files import safe_name
from btc_gui.jobs.issue_packet import issue_packet
from btc_gui.jobs.lock_study import lock_study
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.unblind_study import close_study, unblind_study
from btc_gui.progress import Progress
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.answers import AnswerStore
from btc_gui.store.counting_verdict import PRIMARY_JUDGE
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeStore
from btc_gui.store.projects import ProjectStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.store.studies import StudyStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore
from tests.case_builders import add_answers, make_configuration, make_trajectory
from tests.cli.test_project import run
from tests.planted import PLANTED, plant
from tests.study_builders import make_categories, make_design

_NUMBER = re.compile(r"[-+]?[\d.]+(e[-+]?\d+)?")
_RUNS = {"script", "img", "image", "iframe", "object", "embed", "link", "base", "form", "foreignObject"}
_LOADS = ("src", "href", "action", "data", "poster")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Everything that a planted project writes, by the kind of file. Its own name tries something, too."""
    folder = tmp_path_factory.mktemp("planted")
    out = folder / "out"
    project = folder / "=1+1<img src=x>\u202egpj.btc"
    with Database.create(project) as database:
        answers = plant(database)
        cases = [f"btc:{answer}" for answer in answers]
        sides = _answer_again(database, answers[0])
        _write_steps(database, answers[0], out)
        _publish(database, folder)
    on = ("-p", str(project), "--out")
    with pytest.MonkeyPatch.context() as patch:
        # The other kinds of picture take seconds, and have no words that anything would run.
        patch.setattr("btc_gui.exports.study.PICTURES", ("svg",))
        assert run("export", "all", "--format", "svg", *on, str(out / "all")) == 0
        assert run("export", "matrix", *on, str(out / "matrix")) == 0
    assert run("export", "comparison", *sides, *on, str(out / "comparison")) == 0
    assert run("export", "cases", "--collection", PLANTED[:100], *on, str(out / "collection")) == 0
    assert run("export", "cases", *cases, *on, str(out / "cases")) == 0
    assert run("release", "new", PLANTED[:100], "-p", str(project)) == 0
    assert run("export", "release", PLANTED[:100], *on, str(out / "release")) == 0
    found: dict[str, list[Path]] = {}
    for path in out.rglob("*"):
        if path.is_file():
            found.setdefault(path.suffix, []).append(path)
    return found


def _answer_again(database: Database, answer: AnswerId) -> list[str]:
    """Another run of the same configuration over the same probe; both, as sides to compare."""
    row = AnswerStore(database).get(answer)
    assert row.probe_id is not None
    probe = ProbeStore(database).get(row.probe_id)
    run_id, (again,) = add_answers(database, probe, [make_trajectory(PLANTED)], make_configuration(PLANTED))
    VerdictStore(database).add(NewVerdict(again, PLANTED, None, Label.CORRECT, names_entity=True, rationale=PLANTED))
    return [f"run:{row.run_id}", f"run:{run_id}"]


def _write_steps(database: Database, answer: AnswerId, out: Path) -> None:
    steps = AnswerStore(database).trajectory(answer).steps
    pairs = list(zip_longest(steps, steps[1:]))
    write_comparison_csv(pairs, PLANTED, PLANTED, out / "steps.csv", PLANTED)
    write_comparison_page(pairs, PLANTED, PLANTED, out / "steps.md", PLANTED, [PLANTED], "note")


def _publish(database: Database, folder: Path) -> None:
    """A study of the planted answers, labelled and unblinded, and the probes accepted."""
    ProjectStore(database).set_value(PRIMARY_JUDGE, PLANTED)
    annotator = PLANTED[:90]
    study = StudyStore(database).create(PLANTED, make_design(1, 1, annotators=(annotator,)), PLANTED)
    lock_study(database, study, make_categories(), PLANTED, Progress())
    packet = issue_packet(database, study, annotator, folder, make_categories(), PLANTED, Progress())
    with LabellingSession(packet) as session:
        while session.current is not None:
            session.label(session.current.item, "correct", note=PLANTED)
    return_packet(database, packet, PLANTED, Progress())
    close_study(database, study, PLANTED)
    unblind_study(database, study, PLANTED)
    probes = ProbeStore(database)
    for number in probes.ids():
        probe = probes.get(number)
        ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, PLANTED)


class _Markup(HTMLParser):
    """What in a page would run or load."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.faults += _faults_of(tag, {name: value or "" for name, value in attributes})


def _faults_of(tag: str, attributes: dict[str, str]) -> list[str]:
    """The faults of an element; places in the same file and pictures within it are none."""
    loads = [attributes[name] for name in _LOADS if not attributes.get(name, "#").startswith(("#", "data:image/"))]
    runs = [name for name in attributes if name.startswith("on")]
    return [f"{tag} {each}" for each in (*loads, *runs)] + ([tag] if tag in _RUNS and not loads else [])


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8").replace("\r\n", "\n")


def test_every_kind_of_file_is_written_and_says_the_planted_text(written: dict[str, list[Path]]) -> None:
    assert {".csv", ".json", ".jsonl", ".md", ".html", ".tex", ".svg"} <= set(written)
    for kind in (".csv", ".json", ".jsonl", ".md", ".html", ".tex"):
        assert any("HYPERLINK" in _text(path) for path in written[kind]), kind
    for path in (*written[".json"], *written[".jsonl"]):
        for line in _text(path).splitlines() if path.suffix == ".jsonl" else [_text(path)]:
            json.loads(line)


def test_no_page_markdown_or_picture_runs_or_loads_anything(written: dict[str, list[Path]]) -> None:
    faults: list[str] = []
    for path in written[".html"]:
        faults += [f"{path.name}: {fault}" for fault in _Markup(_text(path)).faults]
    markdown_it = pytest.importorskip("markdown_it")
    for path in written[".md"]:
        page = markdown_it.MarkdownIt("commonmark", {"html": True}).enable("table").render(_text(path))
        faults += [f"{path.name}: {fault}" for fault in _Markup(page).faults]
    for path in written[".svg"]:
        for element in ElementTree.fromstring(_text(path)).iter():
            attributes = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
            faults += [f"{path.name}: {fault}" for fault in _faults_of(element.tag.rpartition("}")[2], attributes)]
    assert faults == []


def test_nothing_turns_a_page_around(written: dict[str, list[Path]]) -> None:
    for path in (each for kind in (".html", ".md", ".tex", ".svg") for each in written[kind]):
        assert not UNPRINTABLE.search(_text(path)), path.name


def test_no_cell_of_a_table_is_a_formula(written: dict[str, list[Path]]) -> None:
    cells = [cell for path in written[".csv"] for row in csv.reader(_text(path).splitlines(True)) for cell in row]
    assert sum("HYPERLINK" in cell for cell in cells) > 10
    assert [cell for cell in cells if cell[:1] in tuple("=+-@\t\r") and not _NUMBER.fullmatch(cell)] == []


def test_names_of_files_are_names(written: dict[str, list[Path]]) -> None:
    paths = [path for kind in written.values() for path in kind]
    assert any("HYPERLINK" in path.name for path in paths)
    for path in paths:
        assert re.fullmatch(r"[^\s<>:\"/\\|?*\x00-\x1f\u200b-\u206f]{1,255}", path.name), path.name
    assert safe_name("--help") == "help"
    assert safe_name("-.-") == "export"


@pytest.mark.skipif(shutil.which("lualatex") is None, reason="needs a TeX")
def test_latex_sets_it_as_text(written: dict[str, list[Path]], tmp_path: Path) -> None:
    """All tables and cards in one paper: it can be set, and TeX opens no file that a text names."""
    inputs = []
    for number, path in enumerate(each for each in written[".tex"] if each.name != "figures.tex"):
        shutil.copy(path, tmp_path / f"part{number}.tex")
        inputs.append(rf"\input{{part{number}}}\clearpage")
    packages = r"\usepackage{booktabs,graphicx,fontspec}"
    paper = [r"\documentclass{article}", packages, r"\begin{document}", *inputs, r"\end{document}"]
    (tmp_path / "paper.tex").write_text("\n".join(paper), encoding="utf-8")
    words = ["lualatex", "-interaction=nonstopmode", "-halt-on-error", "-recorder", "-no-shell-escape", "paper.tex"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "passwd" not in (tmp_path / "paper.fls").read_text(encoding="utf-8")
    assert (tmp_path / "paper.pdf").stat().st_size > 10_000
