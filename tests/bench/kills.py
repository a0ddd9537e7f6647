"""Kill -9 at seeded random moments of all work that writes: a project, a packet, exports.

    python -m tests.bench.kills [--kills 30] [--seed s] [--only loading,running] [--json FILE]

Real processes and real files. After each kill the project (or packet) is opened and compared with what its process
had been told is saved; see `tests/kill_*scenes.py` for what each scene promises. Labelling is a person's work in the
real window, key by key (`tests/scripted_annotator.py`), once on verdicts and once on the forms of failure modes.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from tests import kill_asking_scenes, kill_engine_scenes, kill_file_scenes, kill_scenes
from tests.kill_engine_scenes import Running
from tests.killing import Findings, kill_again_and_again

_MODULES = (kill_scenes, kill_engine_scenes, kill_asking_scenes, kill_file_scenes)
_SCENES = tuple(scene for module in _MODULES for scene in module.SCENES)
_LABELLING = {"labelling": False, "labelling forms": True}


def _label(folder: Path, kills: int, seed: str, *, has_forms: bool) -> Findings:
    """A packet labelled in a window whose process is killed so many times, and then to its end."""
    from tests.bench.labelling import write_forms_packet, write_long_packet
    from tests.scripted_annotator import Annotator, Habits, Kill, label_with_kills
    from tests.scripted_form import FormAnnotator

    packet = folder / "packet.btcp"
    (write_forms_packet if has_forms else write_long_packet)(packet, 4 * kills)
    hand = random.Random(f"{seed} labelling")

    def moments() -> Iterator[Kill]:
        for _ in range(kills):
            yield Kill(keystrokes=hand.randint(1, 25)) if hand.random() < 0.2 else Kill(hand.randint(1, 5))

    annotator = FormAnnotator if has_forms else Annotator
    found = label_with_kills(packet, moments(), Habits(seed=seed), annotator=annotator, patience=600)
    return Findings(found.sessions - 1, found.acknowledged + found.typed + found.due, found.problems)


def _kill(name: str, folder: Path, kills: int, seed: str) -> Findings:
    if name in _LABELLING:
        return _label(folder, kills, seed, has_forms=_LABELLING[name])
    scene = next(scene for scene in _SCENES if scene.name == name)()
    found = kill_again_and_again(scene, folder, kills, seed, lambda words: print(f"  {words}", file=sys.stderr))
    if isinstance(scene, Running) and (left := scene.left(folder)):
        found.problems.append(f"{left} probes have no answer at the end")
    return found


def main() -> None:
    """Kill, and tell what was lost; exit code 1 when something was."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [*(scene.name for scene in _SCENES), *_LABELLING]
    parser.add_argument("--kills", type=int, default=30, help="of each kind")
    parser.add_argument("--seed", default="s")
    parser.add_argument("--only", default=",".join(names), help="these kinds, joined by commas")
    parser.add_argument("--folder", type=Path, help="where the projects are written (default: the temporary folder)")
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    options = parser.parse_args()
    figures = []
    for name in options.only.split(","):
        began = time.monotonic()
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            found = _kill(name, Path(folder), options.kills, options.seed)
        figures.append({"kind": name, "kills": found.kills, "told": found.told, "problems": found.problems})
        print(
            f"{name:<16} {found.kills:>3} kills, {found.told:>6,} things told to be saved, "
            f"{len(found.problems)} lost, doubled or damaged, {time.monotonic() - began:.0f} s",
            flush=True,
        )
        for problem in found.problems[:10]:
            print(f"  {problem}")
    if options.json is not None:
        options.json.write_text(json.dumps(figures, indent=2), encoding="utf-8")
    raise SystemExit(any(each["problems"] for each in figures))


if __name__ == "__main__":
    main()
