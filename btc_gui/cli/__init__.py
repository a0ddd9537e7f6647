"""All of the app's work without a window."""

from __future__ import annotations

import importlib

import click

from btc_gui import __version__

#: Each command, and the module and function that hold it: a command imports only what it needs.
COMMANDS = {
    "new": "project:new_command",
    "info": "project:info_command",
    "check": "project:check_command",
    "copy": "project:copy_command",
    "categories": "categories:categories_command",
    "collect": "collect:collect_command",
    "load": "load:load_command",
    "probes": "probes:probes_command",
    "review": "review:review_command",
    "generate": "generate:generate_command",
    "lint": "lint:lint_command",
    "filter": "filter:filter_command",
    "retention": "filter:retention_command",
    "pair": "filter:pair_command",
    "sample": "sample:sample_command",
    "pipeline": "pipeline:pipeline_command",
    "evaluate": "evaluate:evaluate_command",
    "try": "try_probe:try_command",
    "runs": "evaluate:runs_command",
    "documents": "documents:documents_command",
    "cluster": "shards:cluster_command",
    "judge": "judge:judge_command",
    "classify": "judge:classify_command",
    "judges": "judges:judges_command",
    "cases": "cases:cases_command",
    "recipe": "recipe:recipe_command",
    "models": "models:models_command",
    "prompts": "models:prompts_command",
    "release": "release:release_command",
    "study": "study:study_command",
    "label": "study.labelling:label_command",
    "agreement": "agreement:agreement_command",
    "compare": "compare:compare_command",
    "export": "export:export_command",
    "demo": "demo:demo_command",
}


class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = COMMANDS.get(cmd_name)
        if place is None:
            return None
        module, function = place.split(":")
        command = getattr(importlib.import_module(f"btc_gui.cli.{module}"), function)
        assert isinstance(command, click.Command)
        return command


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="Without a command the window opens: btc-gui [PROJECT]. A packet opens with: btc-gui packet FILE.",
)
@click.version_option(__version__, prog_name="btc-gui")
def main() -> None:
    """The BlindToChange workbench, without its window.

    Exit codes: 0 done; 1 done, but some rows or samples were rejected or failed; 2 wrong use or refused;
    130 stopped with Ctrl+C.
    """
