"""The command `judges`: who judged, which judge counts, and how far two of them agree."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from btc_gui.cli.common import categories, echo_json, json_option, open_project, project_option
from btc_gui.domain.report_lines import text_lines
from btc_gui.errors import InputError
from btc_gui.jobs.compare_judges import compare_judges
from btc_gui.jobs.stale_replies import StaleReplies, stale_verdicts
from btc_gui.store.database import Database
from btc_gui.store.judges import JudgeCounts, JudgeStore, PromptVersion


@click.command("judges")
@project_option
@click.option("--primary", metavar="JUDGE", help="From now on count this judge's verdicts alone (newest: the newest).")
@click.option(
    "--compare", nargs=2, metavar="JUDGE JUDGE", help="Put two judges' verdicts on the same answers side by side."
)
@json_option
def judges_command(project: Path, primary: str | None, compare: tuple[str, str] | None, as_json: bool) -> None:
    """List the judges of a project, choose the one that counts, or compare two of them.

    Without a choice the newest verdict on each answer counts, whoever gave it. Verdicts that were given for other
    facts or criteria than those of now are reported as stale; judging again replaces them, and keeps them as rows.
    """
    with open_project(project) as database:
        store = JudgeStore(database)
        if primary is not None:
            store.set_primary("" if primary == "newest" else primary)
        if compare is not None:
            _show_comparison(store, compare, as_json)
            return
        judges, versions = store.counts(), store.prompt_versions("judge")
        stale = {each.judge: stale_verdicts(database, each.judge, categories()) for each in judges}
        if as_json:
            echo_json(_as_json(store, judges, stale, versions, database))
        else:
            _print_judges(store, judges, stale, versions)


def _show_comparison(store: JudgeStore, compare: tuple[str, str], as_json: bool) -> None:
    left, right = compare
    known = [each.judge for each in store.counts()]
    for name in compare:
        if name not in known:
            raise InputError(f"No judge “{name}” has judged here.", f"Judges: {', '.join(known) or 'none'}.")
    if left == right:
        raise InputError("A judge agrees with itself.", "Name two different ones.")
    found = store.judged_twice(left, right)
    if not found:
        raise InputError(f"No answer has a verdict of both {left} and {right}.", "Let the other one judge them too.")
    reports = compare_judges(found, left, right)
    if as_json:
        echo_json(
            {
                "comparison": "judge against judge",
                "rows": left,
                "columns": right,
                "answers": len(found),
                "reports": {name: report.as_json() for name, report in reports.items()},
            }
        )
        return
    click.echo(f"Judge against judge: rows are {left}, columns {right}. Neither is the truth.")
    for name, report in reports.items():
        if name != "all" and len(reports) == 2:
            continue
        click.echo("")
        click.echo(name)
        for line in text_lines(report):
            click.echo(f"  {line}" if line else "")


def _as_json(
    store: JudgeStore,
    judges: list[JudgeCounts],
    stale: dict[str, StaleReplies],
    versions: list[PromptVersion],
    database: Database,
) -> dict[str, object]:
    return {
        "project": str(database.path),
        "primary": store.primary or None,
        "judges": [{**asdict(each), "stale": asdict(stale[each.judge])} for each in judges],
        "prompt_versions": [asdict(each) for each in versions],
    }


def _print_judges(
    store: JudgeStore, judges: list[JudgeCounts], stale: dict[str, StaleReplies], versions: list[PromptVersion]
) -> None:
    if not judges:
        click.echo("Nobody has judged here yet.")
        return
    for each in judges:
        mark = "  (primary)" if each.is_primary else ""
        click.echo(f"{each.judge}{mark}: {each.current:,} verdicts, {each.first_at[:10]} to {each.last_at[:10]}")
        click.echo(
            f"    {each.correct:,} correct, {each.incorrect:,} incorrect, {each.unscored:,} unscored; "
            f"{each.counting:,} count in results; {each.replaced:,} earlier ones replaced"
        )
        old = stale[each.judge]
        if old.total:
            click.echo(
                f"    stale: {old.criteria:,} by other criteria, {old.facts:,} for other facts than now (judge again)"
            )
    if not store.primary and len(judges) > 1:
        click.echo("The newest verdict on each answer counts. Choose one judge with --primary JUDGE.")
    click.echo("Prompts of judges, by first use:")
    for version in versions:
        click.echo(
            f"    {version.hash[:12]}  {version.first_at[:10]} to {version.last_at[:10]}  {version.calls:,} calls  "
            f"{', '.join(version.models)}"
        )
