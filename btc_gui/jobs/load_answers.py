"""Load answers of one's own agent from a file, each attached to the probe that it answers, once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from btc_gui.domain.answer_rows import ReadAnswer, read_answer
from btc_gui.domain.column_mapping import LoadSubject
from btc_gui.domain.configuration import Configuration, ConfigurationId
from btc_gui.domain.dates import now_utc
from btc_gui.domain.event_rows import Cells, Rejected
from btc_gui.domain.hashing import hash_of
from btc_gui.domain.load_preview import Preview
from btc_gui.domain.load_report import LoadReport
from btc_gui.domain.probe import RevisionId
from btc_gui.domain.probe_index import ProbeIndex, Wording
from btc_gui.domain.run import Purpose, RunId, RunRecipe
from btc_gui.domain.table_row import Row
from btc_gui.domain.trajectory import Trajectory
from btc_gui.jobs.load_rows import RowLoader, look, refuse_unclear_mapping, settle_mapping
from btc_gui.jobs.read_table import Table, open_table
from btc_gui.progress import Progress
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import available_models
from btc_gui.store.imports import ImportStore
from btc_gui.store.loads import Batch, LoadId, LoadStore

#: An answer with all of its steps may have this many characters. Longer ones come as logs.
LONGEST_ANSWER = 64_000_000


@dataclass(frozen=True, slots=True)
class _NewAnswer:
    """An answer on its way into the project: what was asked, by which configuration, how often before."""

    wording: Wording
    configuration: Configuration
    repetition: int
    trajectory: Trajectory


def preview_answers(
    path: Path, database: Database, *, mapping: Mapping[str, str] | None = None, default_model: str = "", run: str = ""
) -> Preview:
    """How a file of answers would be read; `mapping` changes what was guessed or remembered.

    Raises `InputError` for a file that can't be read at all.
    """
    with _open(path) as table:
        settled = settle_mapping(database, LoadSubject.ANSWERS, table, mapping)
        reader = _Reader(database, settled[0], default_model, run or run_name(database, table))

        def read(row: Row) -> dict[str, str]:
            answer = reader.answer(row)
            reader.new(answer)
            return _as_texts(answer)

        return look(table, LoadSubject.ANSWERS, settled, {"model": default_model}, read)


def load_answers(
    database: Database,
    path: Path,
    progress: Progress,
    *,
    mapping: Mapping[str, str] | None = None,
    author: str,
    default_model: str = "",
    run: str = "",
) -> LoadReport:
    """Load the answers of a file into a run of their own: the one called `run`, or like the file.

    An answer that is known (the same row in the same run) changes nothing. Answers without a repetition get the next
    numbers that are free. `mapping` (fact to column) changes what is guessed or was remembered for such columns;
    `default_model` is for rows that name none. Answers count as they come: when the load ends early, loading again
    goes on. Raises `InputError` (`NothingLoaded` when every row is rejected), `ProjectError` and `Cancelled`.
    """
    with _open(path, progress) as table:
        settled, _ = settle_mapping(database, LoadSubject.ANSWERS, table, mapping)
        refuse_unclear_mapping(LoadSubject.ANSWERS, table, settled, {"model": default_model})
        name = run or run_name(database, table)
        load_id = LoadStore(database).start(LoadSubject.ANSWERS, table.name, table.file.sha256, settled, progress)
        # Read after the load has begun: from here on no other window loads answers.
        reader = _Reader(database, settled, default_model, name)
        writer = _Writer(database, name, author)
        # A row may be as large as thousands of others: as few at once as there must be.

        def read(row: Row) -> _NewAnswer | None:
            return reader.new(reader.answer(row))

        loader = RowLoader(database, LoadSubject.ANSWERS, table, settled, read, writer.write, smallest=1)
        return loader.load(load_id, progress)


def run_name(database: Database, table: Table) -> str:
    """The run that a file's answers belong to unless somebody says otherwise: its name, or that of the same file."""
    earlier = LoadStore(database).file_with(LoadSubject.ANSWERS, table.file.sha256)
    return Path(earlier or table.name).stem


def _open(path: Path, progress: Progress | None = None) -> Table:
    return open_table(path, progress, longest=LONGEST_ANSWER, keeps_lists=True)


class _Reader:
    """Reads rows as answers, and knows which ones the run has."""

    def __init__(self, database: Database, mapping: Mapping[str, str], default_model: str, run: str) -> None:
        imports = ImportStore(database)
        self._mapping, self._default_model, self._run = mapping, default_model, run
        self._probes = ProbeIndex(imports.wordings())
        self._models = available_models(database)
        self._taken: dict[tuple[str, RevisionId], set[int]] = {}
        self._uuids: set[str] = set()
        for identity, revision_id, repetition, uuid in imports.answers_of_run(run):
            self._taken.setdefault((identity, revision_id), set()).add(repetition)
            self._uuids.add(uuid)
        self._alike: Counter[str] = Counter()

    def answer(self, row: Row) -> ReadAnswer:
        """The answer in a row. Raises `Rejected`."""
        return read_answer(Cells(row.values, self._mapping), self._default_model)

    def new(self, answer: ReadAnswer) -> _NewAnswer | None:
        """An answer with its probe and repetition, or None when the run has it. Raises `Rejected`."""
        wording = self._probes.find(answer.reference, answer.text)
        identity, trajectory = answer.configuration.identity, answer.trajectory
        content = hash_of(
            {
                **asdict(trajectory),
                "run": self._run,
                "configuration": identity,
                "wording": [wording.key, wording.text_hash],
            }
        )
        # Without a number, the same answer twice in one file is two answers, wherever in the file they stand.
        self._alike[content] += not answer.repetition
        uuid = hash_of([content, answer.repetition, self._alike[content]])
        if uuid in self._uuids:
            return None
        taken = self._taken.setdefault((identity, wording.revision_id), set())
        if answer.repetition in taken:
            raise Rejected(
                f"another answer is there: “{self._run[:60]}” has repetition {answer.repetition} of this configuration "
                f"to “{wording.key[:60]}”; number this one otherwise, or name another run"
            )
        repetition = answer.repetition or len(taken) + 1
        while repetition in taken:
            repetition += 1
        taken.add(repetition)
        self._uuids.add(uuid)
        trajectory = self._with_cost(answer.configuration.model, replace(trajectory, uuid=uuid))
        return _NewAnswer(wording, answer.configuration, repetition, trajectory)

    def _with_cost(self, name: str, trajectory: Trajectory) -> Trajectory:
        """What the tokens cost at the model's price, where the file does not say it."""
        model = next((each for each in self._models if each.name == name), None)
        if trajectory.cost is not None or model is None or not trajectory.usage.total:
            return trajectory
        return replace(trajectory, cost=model.cost_of(trajectory.usage, 0))


class _Writer:
    """Stores answers in their run, which is planned with the first of them."""

    def __init__(self, database: Database, run: str, author: str) -> None:
        self._imports, self._answers = ImportStore(database), AnswerStore(database)
        self._run, self._author = run, author
        self._run_id: RunId | None = None
        self._configurations: dict[str, ConfigurationId] = {}

    def write(self, _connection: Batch, batch: Sequence[_NewAnswer], _load: LoadId) -> None:
        """Store some answers, within the load's transaction."""
        for new in batch:
            identity, wording = new.configuration.identity, new.wording
            if self._run_id is None:
                day = (new.trajectory.finished_at or new.trajectory.started_at or now_utc())[:10]
                recipe = RunRecipe(current_date=day, purpose=Purpose.IMPORT)
                self._run_id = self._imports.run_of_answers(self._run, recipe, self._author)
            if identity not in self._configurations:
                self._configurations[identity] = self._imports.configuration(new.configuration)
            item = self._imports.item_of_revision(
                self._run_id, self._configurations[identity], wording.probe_id, wording.revision_id, new.repetition
            )
            # Nobody makes the answer of an agent from elsewhere again: a cancelled one counts as well.
            self._answers.add(item, new.trajectory, cancelled_counts=True)


def _as_texts(answer: ReadAnswer) -> dict[str, str]:
    """What would be taken of a row, as shown."""
    trajectory = answer.trajectory
    texts = {
        "probe": answer.reference,
        "text": answer.text,
        "model": answer.configuration.title,
        "ending": trajectory.ending.text,
        "reason": trajectory.ending_reason,
        "answer": trajectory.answer,
        "steps": f"{len(trajectory.steps):,}",
        "queries": " · ".join(step.text for step in trajectory.queries),
        "search": answer.configuration.search,
        "as_of": answer.configuration.as_of,
    }
    return {fact: text for fact, text in texts.items() if text}
