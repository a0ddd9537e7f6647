"""Commands about who is asked and how: models, prompts."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from pathlib import Path

import click

from btc_gui.cli.common import echo_json, json_option, open_project, project_option
from btc_gui.domain.configuration import EFFORTS
from btc_gui.domain.evaluated_model import EvaluatedModel
from btc_gui.domain.hashing import sha256
from btc_gui.domain.models_file import own_models_path, read_models_text
from btc_gui.errors import InputError
from btc_gui.store.evaluated_models import available_models, role_models, set_project_models
from btc_gui.store.prompts import PromptStore, prompt_names
from btc_gui.store.whole_text import whole_text


@click.command("models")
@click.option("-p", "--project", type=click.Path(path_type=Path), help="The models of this project.")
@click.option("--use", "own", type=click.Path(path_type=Path), help="First give the project (-p) this models file.")
@json_option
def models_command(project: Path | None, own: Path | None, as_json: bool) -> None:
    """List the models that can be evaluated, and check the files that describe them."""
    if project is None:
        if own is not None:
            raise InputError("Say which project is to have these models (-p).")
        models, roles = available_models(), role_models()
    else:
        with open_project(project) as database:
            if own is not None:
                set_project_models(database, read_models_text(own).text)
            models, roles = available_models(database), role_models(database)
    if as_json:
        told = {"models": [_as_json(model) for model in models], "roles": {name: asdict(roles[name]) for name in roles}}
        echo_json({"own_file": str(own_models_path()), **told})
        return
    for model in models:
        click.echo(f"{model.name}  ({model.engine_name})")
        cutoff = f"{model.cutoff} ({model.cutoff_source or 'no source'})" if model.cutoff else "none reported"
        click.echo(f"    cutoff {cutoff}, told as {model.told_cutoff}; harnesses {', '.join(model.harnesses)}")
        efforts = "; ".join(f"{effort}: {model.effort(effort).text}" for effort in EFFORTS)
        click.echo(f"    {efforts}; {_price(model)}; {_key(model)}")
    for name, role in roles.items():
        click.echo(f"{name}: {role.model}{f' ({role.effort})' if role.effort else ''}")
    click.echo(f"Your own file: {own_models_path()}{'' if own_models_path().exists() else ' (not there yet)'}")


@click.group("prompts")
def prompts_command() -> None:
    """The prompts of a project: the app's own unless it has others."""


@prompts_command.command("list")
@project_option
@json_option
def list_prompts(project: Path, as_json: bool) -> None:
    """List the prompts with their hashes, and whether the project has its own."""
    with open_project(project) as database:
        store = PromptStore(database)
        rows = [
            {"name": name, "sha256": sha256(store.text(name)), "own": store.is_own(name)} for name in prompt_names()
        ]
    if as_json:
        echo_json({"prompts": rows})
        return
    for row in rows:
        click.echo(f"{row['name']:<26}  {str(row['sha256'])[:12]}  {'of this project' if row['own'] else 'of the app'}")


@prompts_command.command("show")
@click.argument("name", type=click.Choice(prompt_names()))
@project_option
def show_prompt(name: str, project: Path) -> None:
    """Print the text of a prompt."""
    with open_project(project) as database:
        click.echo(PromptStore(database).text(name))


@prompts_command.command("set")
@click.argument("name", type=click.Choice(prompt_names()))
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@project_option
def set_prompt(name: str, file: Path, project: Path) -> None:
    """Use the text of FILE (- for standard input) from now on. Runs that are planned keep the text they have."""
    text = sys.stdin.read() if str(file) == "-" else _read(file)
    with open_project(project) as database:
        digest = PromptStore(database).set(name, text)
    click.echo(f"{name} is now {digest[:12]}.")


@prompts_command.command("reset")
@click.argument("name", type=click.Choice(prompt_names()))
@project_option
def reset_prompt(name: str, project: Path) -> None:
    """Use the app's own text again."""
    with open_project(project) as database:
        PromptStore(database).reset(name)
    click.echo(f"{name} is the app's own again.")


def _read(file: Path) -> str:
    try:
        return whole_text(file)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The prompt {file} can't be read: {error}.") from error


def _price(model: EvaluatedModel) -> str:
    price = model.price
    if price is None:
        return "price not known"
    return (
        f"${price.input:g} in, ${price.output:g} out per million tokens ({price.source or 'no source'}, {price.date})"
    )


def _key(model: EvaluatedModel) -> str:
    if not model.key_variables:
        return "no key needed"
    return "key set" if model.has_key(os.environ) else f"no key ({' or '.join(model.key_variables)})"


def _as_json(model: EvaluatedModel) -> dict[str, object]:
    return {
        **model.as_json(),
        "engine_name": model.engine_name,
        "told_cutoff": model.told_cutoff,
        "harnesses": list(model.harnesses),
        "key_variables": list(model.key_variables),
        "has_key": model.has_key(os.environ),
    }
