"""The command that tries one probe: try."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from btc_gui import paths
from btc_gui.cli.agent_options import Agents, agent_options
from btc_gui.cli.common import (
    DONE,
    DONE_IN_PART,
    cancelled_by_ctrl_c,
    echo_json,
    json_option,
    open_project,
    project_option,
    text_progress,
)
from btc_gui.cli.search_options import search_options
from btc_gui.domain.case_reference import CaseReference
from btc_gui.domain.number_words import counted
from btc_gui.domain.probe import Probe, ProbeId
from btc_gui.domain.run import AnswerRow, RunRecipe
from btc_gui.domain.search_settings import SearchSettings
from btc_gui.domain.trajectory import Ending
from btc_gui.errors import InputError
from btc_gui.jobs.try_probe import try_probe
from btc_gui.settings import load_settings
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeStore


@click.command("try")
@click.argument("probe", metavar="PROBE")
@project_option
@agent_options(default=paths.resources() / "demo")
@search_options
@json_option
@click.pass_context
def try_command(
    context: click.Context, probe: str, project: Path, agents: Agents, search: SearchSettings, as_json: bool
) -> None:
    """Put one PROBE (its key or number) to agents now, whatever its review says, and print what they answer.

    The answers are kept as cases in a run called “Trials of …”, which results and studies leave out.
    """
    if not agents.models:
        raise InputError("No model is named.", "Say who is to answer: --model NAME, and --effort low or high.")
    with open_project(project) as database:
        wanted = _probe(database, probe)
        configurations = agents.configurations(database, search)
        recipe = RunRecipe(current_date=date.today().isoformat(), at_once=agents.at_once)
        progress = text_progress("try")
        with cancelled_by_ctrl_c(progress):
            trial = try_probe(
                database, wanted.id, configurations, recipe, agents.folder, progress, author=load_settings().reviewer
            )
        store = AnswerStore(database)
        found = store.fetch(trial.answers)
        rows = [found[number] for number in trial.answers]
    if as_json:
        echo_json({"probe": wanted.key, "run": trial.run_id, "answers": [_as_json(row) for row in rows]})
    else:
        for row in rows:
            reference = CaseReference(row.id)
            click.echo(
                f"{reference}  {row.configuration.title}  {row.ending.text}, {counted(row.queries, 'query', 'queries')}"
            )
            click.echo(f"  {row.answer or row.ending_reason}")
    is_whole = len(rows) == len(configurations) and all(row.ending is not Ending.FAILED for row in rows)
    context.exit(DONE if is_whole else DONE_IN_PART)


def _probe(database: Database, wanted: str) -> Probe:
    """The probe of this key or number. Raises `InputError` when there is none."""
    store = ProbeStore(database)
    number = next((probe_id for probe_id, (key, _) in store.names().items() if key == wanted), None)
    if number is None and wanted.isdecimal() and len(wanted) < 16:
        number = ProbeId(int(wanted))
    found = store.fetch([number]).get(number) if number is not None else None
    if found is None:
        raise InputError(f"There is no probe “{wanted[:60]}” in this project.", "“btc-gui probes” lists them.")
    return found


def _as_json(row: AnswerRow) -> dict[str, object]:
    return {
        "case": str(CaseReference(row.id)),
        "configuration": row.configuration.title,
        "ending": row.ending.value,
        "reason": row.ending_reason,
        "answer": row.answer,
        "queries": row.queries,
        "cost": row.cost,
    }
