"""Try one probe now: one answer of each chosen configuration, in a run that is no evaluation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from btc_gui.domain.configuration import Configuration
from btc_gui.domain.probe import ProbeId
from btc_gui.domain.run import RunId, RunRecipe
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import RunError
from btc_gui.evals.supervisor import Worker
from btc_gui.jobs.run_agents import keep_prompts
from btc_gui.jobs.run_evaluation import run_evaluation
from btc_gui.jobs.run_session import RunControl
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeStore
from btc_gui.store.trials import TrialStore


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of trying a probe: the run of trials, and the answers that came, in the configurations' order."""

    run_id: RunId
    answers: tuple[AnswerId, ...]


def try_probe(
    database: Database,
    probe_id: ProbeId,
    configurations: Sequence[Configuration],
    recipe: RunRecipe,
    replay_folder: Path | None,
    progress: Progress,
    *,
    author: str,
    control: RunControl | None = None,
    start_worker: Callable[[Path], Worker] = Worker,
) -> Trial:
    """Put a probe, as it says now and whatever its review says, to each of these configurations once.

    The answers are whole cases, which can be read, judged and classified. Raises `ProjectError` when there is no such
    probe, and `RunError` as `run_evaluation` does.
    """
    if not configurations:
        raise RunError("There is no configuration to try.", "Choose a model and an effort.")
    probe = ProbeStore(database).get(probe_id)
    keep_prompts(database, configurations)
    store = TrialStore(database)
    run_id, items = store.plan(recipe, configurations, (probe.id, probe.revision_id), author)
    run_evaluation(database, run_id, replay_folder, progress, control=control, start_worker=start_worker)
    return Trial(run_id, tuple(store.answers(items)))
