"""Commands that ask a language model about answers: judge, classify."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from btc_gui.cli.common import (
    DONE,
    DONE_IN_PART,
    cancelled_by_ctrl_c,
    categories,
    echo_json,
    find_run,
    json_option,
    open_project,
    project_option,
    text_progress,
)
from btc_gui.cli.language_models import NamedModel, price_of, read_price
from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.model_family import Role, SameFamily
from btc_gui.domain.number_words import counted
from btc_gui.domain.run import RunId
from btc_gui.errors import InputError
from btc_gui.jobs.ask_model import FailedItem
from btc_gui.jobs.ask_plan import LONGEST_REQUEST, Again, Forecast
from btc_gui.jobs.classify import ClassifyOutcome, classify, forecast_classifying
from btc_gui.jobs.judge import JudgeOutcome, forecast_judging, judge
from btc_gui.jobs.same_family import kin
from btc_gui.jobs.spending import Spending
from btc_gui.progress import Cancelled
from btc_gui.remote.model_choice import EFFORTS, ModelChoice, ModelKind
from btc_gui.store.database import Database

Command = TypeVar("Command", bound=Callable[..., Any])
_Outcome = TypeVar("_Outcome", JudgeOutcome, ClassifyOutcome)

#: How many failed items are named in a terminal; the machine-readable report has all.
_NAMED = 10


@dataclass(frozen=True)
class _Asked:
    """The options of both commands, as given."""

    project: Path
    run: str
    replay: Path | None
    gemini: str
    openai: str
    base_url: str | None
    effort: str | None
    name: str
    limit: int | None
    again: str
    at_once: int
    price: str
    max_cost: float | None
    max_context: int
    dry_run: bool
    yes: bool
    as_json: bool

    @classmethod
    def of(cls, options: dict[str, object]) -> _Asked:
        """The options as click hands them over."""
        return cls(**cast("dict[str, Any]", options))

    def choice(self, database: Database, role: Role) -> ModelChoice:
        """The model to ask: the one that is named, else the one that models.toml gives the role.

        Raises `InputError` when several are named.
        """
        if sum(map(bool, (self.replay, self.gemini, self.openai))) > 1:
            raise InputError("Several models are named.", "Name one of them: --replay, --gemini or --openai.")
        if self.replay:
            return ModelChoice(ModelKind.RECORDED, self.name, self.replay)
        if self.name:
            raise InputError("--name is for --replay: a model has its own name.")
        if not (self.gemini or self.openai):
            return NamedModel(role.value, "", self.base_url or "", self.effort or "").choice(database)
        kind = ModelKind.GEMINI if self.gemini else ModelKind.OPENAI
        return ModelChoice(kind, self.gemini or self.openai, None, self.base_url or "", self.effort or "")

    @property
    def names_a_model(self) -> bool:
        """Whether an option says who is asked; else models.toml does."""
        return bool(self.replay or self.gemini or self.openai)

    def token_price(self, database: Database, choice: ModelChoice) -> TokenPrice | None:
        """What its tokens cost: as given, else as models.toml says; None when that is not known. Replays are free.

        Raises `InputError` for a price that can't be read, or a spending limit without one.
        """
        return price_of(database, choice, read_price(self.price) if self.price else None, self.max_cost)

    def run_id(self, database: Database) -> RunId | None:
        """The run that was named, or None for all. Raises `InputError` when there is no such run."""
        return find_run(database, self.run) if self.run else None


def _asking_options(command: Command) -> Command:
    options: list[Callable[[Command], Command]] = [
        project_option,
        click.option("--run", default="", help="Only the answers of this run (number or name)."),
        click.option(
            "--replay",
            type=click.Path(path_type=Path),
            help="Recorded replies: one JSON object a line with subject and reply.",
        ),
        click.option("--gemini", default="", metavar="MODEL", help="Ask Gemini (key: GEMINI_API_KEY)."),
        click.option("--openai", default="", metavar="MODEL", help="Ask OpenAI or a server like it (OPENAI_API_KEY)."),
        click.option("--base-url", metavar="URL", help="With --openai or --gemini: another server's address."),
        click.option("--effort", type=click.Choice(EFFORTS), help="Reasoning effort of the model."),
        click.option("--name", default="", help="With --replay: the name under which the replies are kept."),
        click.option("--limit", type=click.IntRange(min=1), help="At most so many answers."),
        click.option(
            "--again",
            type=click.Choice([each.value for each in Again]),
            default=Again.NOTHING.value,
            show_default=True,
            help="What to ask anew although it was asked before.",
        ),
        click.option("--at-once", type=click.IntRange(1, 64), default=8, show_default=True, help="Requests at a time."),
        click.option(
            "--price",
            default="",
            metavar="IN,OUT",
            help="Dollars for a million tokens in and out (default: as models.toml says).",
        ),
        click.option(
            "--max-cost",
            type=click.FloatRange(min=0, min_open=True),
            metavar="DOLLARS",
            help="Stop before more than this is spent by this command.",
        ),
        click.option(
            "--max-context",
            type=click.IntRange(min=1_000),
            default=LONGEST_REQUEST,
            show_default=True,
            metavar="TOKENS",
            help="Longer requests are not sent, nor cut: the answer stays unscored.",
        ),
        click.option("--dry-run", is_flag=True, help="Only say what would be asked."),
        click.option("--yes", is_flag=True, help="Pay the model of models.toml unasked; needed without a terminal."),
        json_option,
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.command("judge")
@_asking_options
@click.pass_context
def judge_command(context: click.Context, /, **options: object) -> None:
    """Label the answers that ended as answered: consistent with the change or not.

    Unless a model is named, the judge of models.toml is asked. Earlier verdicts stay in the project. What failed stays
    open: the same command tries it again.
    """
    _ask(context, _Asked.of(options), Role.JUDGE, forecast_judging, judge, _judge_text)


@click.command("classify")
@_asking_options
@click.pass_context
def classify_command(context: click.Context, /, **options: object) -> None:
    """Say why indirect answers of the shared harness failed: evidence, query classes, failure mode.

    Unless a model is named, the classifier of models.toml is asked. A failure without any query gets its mode by
    construction. What failed stays open: the same command tries it again.
    """
    _ask(context, _Asked.of(options), Role.CLASSIFIER, forecast_classifying, classify, _classify_text)


def _ask(
    context: click.Context,
    asked: _Asked,
    role: Role,
    foresee: Callable[..., Forecast],
    work: Callable[..., _Outcome],
    text_of: Callable[[_Outcome], str],
) -> None:
    with open_project(asked.project) as database:
        choice = asked.choice(database, role)
        price = asked.token_price(database, choice)
        kinship = kin(database, role=role, names=[choice.name])
        wanted: dict[str, object] = {
            "run_id": asked.run_id(database),
            "limit": asked.limit,
            "again": Again(asked.again),
            "longest": asked.max_context,
        }
        if asked.dry_run:
            found = foresee(database, choice.name, categories(), price=price, **wanted)
            _print_forecast(found, choice, kinship, as_json=asked.as_json)
            return
        print_kinship(kinship)
        progress = text_progress(str(role))
        with choice.open(price) as model, _stopping(context), cancelled_by_ctrl_c(progress):
            if choice.is_paid and not asked.names_a_model:
                found = foresee(database, choice.name, categories(), price=price, **wanted)
                _tell_who_is_paid(found, choice, is_agreed=asked.yes)
            spending = Spending(asked.max_cost, price)
            outcome = work(database, model, categories(), progress, at_once=asked.at_once, spending=spending, **wanted)
    if asked.as_json:
        echo_json({**outcome.as_json(), "warnings": [each.text for each in kinship]})
    else:
        click.echo(text_of(outcome))
        if outcome.why_unscored:
            click.echo(f"  unscored, most often: {outcome.why_unscored}", err=True)
        _print_failures(outcome.failures)
        _print_left(outcome, asked)
    context.exit(DONE_IN_PART if outcome.failures or outcome.unscored or outcome.left else DONE)


@contextmanager
def _stopping(context: click.Context) -> Iterator[None]:
    try:
        yield
    except Cancelled:
        click.echo("Stopped. What was answered is kept; the same command goes on.", err=True)
        context.exit(DONE_IN_PART)


def print_kinship(found: Sequence[SameFamily]) -> None:
    """Say on standard error which families have several roles."""
    for each in found:
        click.echo(f"note: {each.text}", err=True)


def somebody_is_there() -> bool:
    """Whether a person sits at the terminal, and can be asked."""
    return sys.stdin.isatty()


def _tell_who_is_paid(found: Forecast, choice: ModelChoice, *, is_agreed: bool) -> None:
    """Nobody named this model: say who it is and what it will come to, and ask where somebody can answer.

    Raises `InputError` where nobody can: what a script pays for was named by somebody.
    """
    click.echo(_forecast_text(found, choice), err=True)
    if not found.calls or is_agreed:
        return
    if not somebody_is_there():
        raise InputError(
            f"Nobody said that {choice.name} is to be paid, and there is no terminal to ask at.",
            "Add --yes to ask the model that models.toml names, or name one (--gemini, --openai, --replay).",
        )
    click.confirm(f"Ask {choice.name}, as models.toml says?", abort=True, err=True)


def _print_forecast(found: Forecast, choice: ModelChoice, kinship: Sequence[SameFamily], *, as_json: bool) -> None:
    if as_json:
        echo_json({**found.as_json(), "warnings": [each.text for each in kinship]})
        return
    print_kinship(kinship)
    click.echo(_forecast_text(found, choice))


def _forecast_text(found: Forecast, choice: ModelChoice) -> str:
    basis = "as measured here" if found.is_measured else "a guess"
    unknown = "nothing to pay" if not choice.is_paid else "the price is not known"
    cost = unknown if found.cost is None else f"about {found.cost:,.2f} dollars"
    too_long = f", {found.too_long:,} are too long to be sent" if found.too_long else ""
    return (
        f"{choice.name} would be asked {counted(found.calls, 'time')} for {counted(found.answers, 'answer')} "
        f"(about {found.input_tokens:,} tokens to read, {found.output_tokens:,} to write ({basis}), {cost}); "
        f"{found.cached:,} have a stored reply, {found.skipped:,} need nothing{too_long}."
    )


def _print_left(outcome: JudgeOutcome | ClassifyOutcome, asked: _Asked) -> None:
    if outcome.left:
        click.echo(
            f"Stopped before more than {asked.max_cost:,.2f} dollars were spent: {outcome.left:,} answers are left; "
            "the same command goes on.",
            err=True,
        )


def _judge_text(outcome: JudgeOutcome) -> str:
    return (
        f"{outcome.judged:,} judged, {outcome.unscored:,} unscored (their replies can't be read), "
        f"{outcome.failed:,} failed, {outcome.skipped:,} had a verdict. {_calls_text(outcome)}"
    )


def _classify_text(outcome: ClassifyOutcome) -> str:
    return (
        f"{outcome.classified:,} classified, {outcome.by_construction:,} without queries (by construction), "
        f"{outcome.unscored:,} unscored (their replies can't be used), {outcome.failed:,} failed, "
        f"{outcome.skipped:,} had a mode. {_calls_text(outcome)}"
    )


def _calls_text(outcome: JudgeOutcome | ClassifyOutcome) -> str:
    cost = "" if outcome.cost is None else f", {outcome.cost:.2f} dollars"
    return f"{outcome.calls:,} calls, {outcome.cached:,} replies used again{cost}."


def _print_failures(failures: tuple[FailedItem, ...]) -> None:
    for item in failures[:_NAMED]:
        click.echo(f"  failed: {item.subject}: {item.reason}", err=True)
    if len(failures) > _NAMED:
        click.echo(f"  … and {len(failures) - _NAMED:,} more", err=True)
