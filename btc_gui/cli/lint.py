"""The command `lint`: what is wrong with probes, of a file or of a project, and what is let pass."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from btc_gui.cli.common import DONE, DONE_IN_PART, categories, echo_json, json_option, open_project, text_progress
from btc_gui.domain.lint import Finding, Severity
from btc_gui.domain.lint.rules import RULES
from btc_gui.domain.probe import ProbeId
from btc_gui.errors import InputError
from btc_gui.jobs.lint_file import FileLint, finding_as_json, lint_file
from btc_gui.settings import load_settings
from btc_gui.store.database import Database
from btc_gui.store.lint import LintStore
from btc_gui.store.lint_check import the_linter
from btc_gui.store.probes import ProbeQuery, ProbeStore

_LISTED = 20


@click.command("lint")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("-p", "--project", type=click.Path(path_type=Path), help="Lint the probes of a project instead.")
@click.option("--events", type=click.Path(path_type=Path), help="The events that the file's rows name.")
@click.option("--category", default="", help="The category of rows that name none.")
@click.option("--rule", "rules", multiple=True, type=click.Choice(list(RULES)), help="Only findings of these rules.")
@click.option("--waive", "waived", metavar="PROBE", default="", help="Let --rule pass on this probe, with a --reason.")
@click.option("--withdraw", "withdrawn", metavar="PROBE", default="", help="Take back the waiver of --rule.")
@click.option("--reason", default="", help="Why the rule may be broken here.")
@json_option
@click.pass_context
def lint_command(
    context: click.Context,
    file: Path | None,
    project: Path | None,
    events: Path | None,
    category: str,
    rules: tuple[str, ...],
    waived: str,
    withdrawn: str,
    reason: str,
    as_json: bool,
) -> None:
    """Say what is wrong with probes, by rules that say why: those of FILE, or of the project given with -p.

    FILE (CSV, JSON lines or a JSON array) needs no project. Its rows hold the request's text and the facts of its
    event (entity, category, and if known aliases, date, position), or name an event of the file --events. A release's
    pairs.jsonl, or its folder, will do too.
    Exit codes: 0 no error and no warning, 1 there are some, or rows that could not be read, 2 wrong use or refused.
    """
    if (file is None) == (project is None):
        raise InputError("Say what to lint.", "Name a file, or a project with -p, not both.")
    if file is not None:
        if waived or withdrawn:
            raise InputError("Only a project keeps waivers.", "Name it with -p.")
        if category and category not in categories():
            raise InputError(f"There is no category “{category}”.", f"Categories: {', '.join(sorted(categories()))}.")
        found = lint_file(
            file, the_linter(), categories(), text_progress("lint"), events=events, default_category=category
        )
        context.exit(_show_file(_only(found, rules), as_json))
    assert project is not None
    with open_project(project) as database:
        if waived or withdrawn:
            _change_waiver(database, rules, waived, withdrawn, reason)
            return
        context.exit(_show_project(database, project, rules, as_json))


def _only(found: FileLint, rules: Sequence[str]) -> FileLint:
    if not rules:
        return found
    probes = tuple(
        type(each)(each.line, each.key, each.entity, each.text, tuple(f for f in each.findings if f.rule in rules))
        for each in found.probes
    )
    counts = {rule: count for rule, count in found.counts.items() if rule in rules}
    return FileLint(found.file, found.read, probes, found.rejected, found.version, counts)


def _show_file(found: FileLint, as_json: bool) -> int:
    code = DONE if found.is_clean else DONE_IN_PART
    if as_json:
        echo_json(found.as_json())
        return code
    for probe in found.probes:
        if probe.findings:
            _print_probe(f"line {probe.line}: {probe.key or probe.entity}", probe.text, probe.findings)
    for rejection in found.rejected[:_LISTED]:
        click.echo(f"line {rejection.line}: not read: {rejection.reason}")
    if len(found.rejected) > _LISTED:
        click.echo(f"… {len(found.rejected) - _LISTED:,} more rows were not read; --json lists all.")
    _print_counts(len(found.probes), found.counts)
    return code


def _show_project(database: Database, project: Path, rules: Sequence[str], as_json: bool) -> int:
    store, probes = LintStore(database), ProbeStore(database)
    store.refresh(progress=text_progress("lint"))
    ids = probes.ids(ProbeQuery(lint=tuple(rules) or (*Severity, "waived")))
    everything = store.findings(ids)
    wanted = set(rules or RULES)
    found = {i: tuple(f for f in everything.get(i, ()) if f.rule in wanted) for i in ids}
    counts = {rule: count for rule, count in store.counts().items() if rule in wanted}
    rows = probes.fetch(ids)
    is_clean = not any(
        f.severity is not Severity.NOTE and not f.is_waived for findings in found.values() for f in findings
    )
    code = DONE if is_clean else DONE_IN_PART
    total = len(probes.ids())
    if as_json:
        echo_json(
            {
                "project": str(project),
                "read": total,
                "rules": the_linter().version,
                "counts": counts,
                "probes": [
                    {"probe": rows[i].key, "findings": [finding_as_json(f) for f in found[i]]} for i in ids if found[i]
                ],
            }
        )
        return code
    for probe_id in ids:
        if found[probe_id]:
            _print_probe(rows[probe_id].key, rows[probe_id].text, found[probe_id])
    _print_counts(total, counts)
    return code


def _print_probe(name: str, text: str, findings: Sequence[Finding]) -> None:
    click.echo(f"{name}: {' '.join(text.split())[:90]}")
    for finding in findings:
        excerpt = f" “{finding.excerpt[:60]}”" if finding.is_about_part else ""
        waiver = f" Waived by {finding.waiver.author}: {finding.waiver.reason}" if finding.waiver else ""
        click.echo(f"  {finding.severity:<8} {finding.rule:<12}{excerpt} {finding.why}{waiver}")


def _print_counts(total: int, counts: object) -> None:
    assert isinstance(counts, dict)
    by_rule = ", ".join(f"{rule} {count:,}" for rule, count in counts.items())
    click.echo(f"{total:,} probes: {by_rule or 'nothing found'}", err=True)


def _change_waiver(database: Database, rules: Sequence[str], waived: str, withdrawn: str, reason: str) -> None:
    if len(rules) != 1 or (waived and withdrawn):
        raise InputError("A waiver is of one rule on one probe.", "Say --waive PROBE --rule RULE --reason “…”.")
    probe_id = _find(database, waived or withdrawn)
    author = load_settings().reviewer
    store = LintStore(database)
    store.refresh([probe_id])
    if waived:
        store.waive(probe_id, rules[0], reason, author)
        click.echo(f"{waived}: “{rules[0]}” is let pass on its present wording.")
    else:
        store.withdraw_waiver(probe_id, rules[0], author)
        click.echo(f"{withdrawn}: “{rules[0]}” counts again.")


def _find(database: Database, key: str) -> ProbeId:
    found = ProbeStore(database).keys().get(key)
    if found is None:
        raise InputError(f"There is no probe “{key}” in this project.", "“btc-gui probes” lists them.")
    return found[0]
