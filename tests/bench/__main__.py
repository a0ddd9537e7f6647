"""All benches on a synthetic project of full size and one of a tenth: one table, and JSON.

    python -m tests.bench [--folder build/bench] [--only cases,results] [--quick] [--rebuild]

This is `make bench`. The projects are built once, from a seed, and kept in the folder: building the large one takes
some minutes. Each bench runs in a process of its own, with its floor in the same process; those that read a project
run on both, and the column “growth” says how many times longer the larger one takes. A goal is met or not by the
clock; the column “work” is the processor time behind it, which a busy machine does not change as much.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from btc_gui.cli.demo_project import build_demo_project
from btc_gui.jobs.index_cases import index_cases
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from tests.bench.measure import Measure, load, state_of_machine, table
from tests.bench.synthetic import build

_ROOT = Path(__file__).resolve().parents[2]
_MOST_BYTES = 3e9


@dataclass(frozen=True, slots=True)
class Bench:
    """One module of this folder: whether it takes a project (and the demo), its arguments, and those of `--quick`."""

    name: str
    on_project: bool = True
    takes_demo: bool = False
    arguments: tuple[str, ...] = ()
    quick: tuple[str, ...] = ()


BENCHES = (
    Bench("start_up", takes_demo=True, quick=("--rounds", "3")),
    Bench("loads", on_project=False, quick=("--rounds", "1")),
    Bench("logs", on_project=False, arguments=("--samples", "200"), quick=("--samples", "40", "--rounds", "1")),
    Bench("review", quick=("--decisions", "125")),
    Bench("pages", quick=("--rounds", "2")),
    Bench("cases", quick=("--rounds", "6")),
    Bench("results", quick=("--rounds", "3")),
    Bench("frames", on_project=False, quick=("--seconds", "6", "--repetitions", "1")),
    Bench("throughput", on_project=False, quick=("--rounds", "1", "--scale", "0.05")),
)


def main() -> None:
    """Build what is missing, run, print, and write `bench.json`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=_ROOT / "build" / "bench")
    parser.add_argument("--only", default="", help="names of benches, with commas between them")
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument("--rebuild", action="store_true", help="build the projects anew")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    full, tenth, demo = projects(options.folder, rebuild=options.rebuild)
    wanted = [each for each in options.only.split(",") if each]
    unknown = set(wanted) - {bench.name for bench in BENCHES}
    if unknown:
        raise SystemExit(f"There is no bench {', '.join(sorted(unknown))}.")
    print(state_of_machine(), flush=True)
    size = Measure("project file", full.stat().st_size / 1e6, "MB", most=_MOST_BYTES / 1e6)
    large, small = [size], [Measure(size.name, tenth.stat().st_size / 1e6, "MB")]
    for bench in BENCHES:
        if wanted and bench.name not in wanted:
            continue
        print(f"{bench.name} …", flush=True)
        large += run(bench, full, demo, is_quick=options.quick)
        if bench.on_project:
            small += run(bench, tenth, demo, is_quick=options.quick)
    print(table(large, small))
    report = {
        "machine": {"python": platform.python_version(), "system": platform.platform(), "state": state_of_machine()},
        "full": [told(each) for each in large],
        "tenth": [told(each) for each in small],
    }
    (options.folder / "bench.json").write_text(json.dumps(report, indent=1, ensure_ascii=False), encoding="utf-8")
    missed = [each.name.strip() for each in large if each.is_met is False]
    print(f"\n{len(missed)} goals are missed: {', '.join(missed)}" if missed else "\nAll goals are met.")


def projects(folder: Path, *, rebuild: bool) -> tuple[Path, Path, Path]:
    """The full project, the tenth, and the demo: built where they are missing, and with all cases findable."""
    full, tenth, demo = (folder / f"{name}.btc" for name in ("full", "tenth", "demo"))
    for path, scale in ((full, 1.0), (tenth, 0.1)):
        if rebuild:
            path.unlink(missing_ok=True)
        if not path.exists():
            print(f"building {path.name} …", flush=True)
            partial = path.with_suffix(".partial")
            partial.unlink(missing_ok=True)
            build(partial, scale, say=lambda part: print(f"  {part}", flush=True)).close()
            partial.rename(path)
        with Database.open(path) as database:
            index_cases(database, Progress())
    if rebuild:
        demo.unlink(missing_ok=True)
    if not demo.exists():
        build_demo_project(demo, Progress())
    return full, tenth, demo


def run(bench: Bench, project: Path, demo: Path, *, is_quick: bool) -> list[Measure]:
    """What one bench measured; a bench that fails says so and gives nothing, so that the others are still told."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "measures.json"
        command = [sys.executable, "-m", f"tests.bench.{bench.name}"]
        command += [str(project)] if bench.on_project else []
        command += [str(demo)] if bench.takes_demo else []
        command += [*bench.arguments, *(bench.quick if is_quick else ()), "--json", str(out)]
        done = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
        if done.returncode or not out.exists():
            print(f"{bench.name} failed:\n{done.stderr[-2_000:]}", flush=True)
            return []
        return load(out)


def told(measure: Measure) -> dict[str, object]:
    """A measure for JSON, with what follows from it."""
    return {**asdict(measure), "ratio": measure.ratio, "goal": measure.goal, "is_met": measure.is_met}


if __name__ == "__main__":
    main()
