"""The documents' pictures, drawn from a fresh demo: `python -m tests.docs.pictures` (`make docs` does it too)."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

from tests.docs.markdown import ROOT

FOLDER = ROOT / "docs" / "images"
#: The pages that the documents show; others are drawn and not kept.
NAMES = ("events", "probes", "review", "runs", "cases", "validation", "results", "labelling")
#: Enough for flat colours, marks and the edges of letters; they keep a picture small.
_COLORS = 160


def draw(demo: Path | None = None) -> list[Path]:
    """Draw every picture from the demo's folder (made anew without one) into docs/images; gives their paths."""
    with tempfile.TemporaryDirectory() as folder:
        if demo is None:
            demo = Path(folder) / "demo"
            _run("demo", "--out", str(demo))
        drawn = Path(folder) / "drawn"
        _run("pictures", str(demo / "demo.btc"), str(drawn))
        # As long as the demo's last study is open, most results and its cases are kept back: a copy shows
        # them as they are after it.
        after = Path(folder) / "after.btc"
        _run("copy", str(demo / "demo.btc"), str(after))
        for words in (
            ("study", "packet", "Your turn", "--out", folder),
            ("study", "close", "Your turn", "--abandon", "not labelled"),
            ("study", "unblind", "Your turn"),
        ):
            _run(*words, "-p", str(after))
        _run("pictures", str(after), str(Path(folder) / "after"))
        for name in ("results", "cases"):
            (Path(folder) / "after" / f"{name}.png").replace(drawn / f"{name}.png")
        written = []
        for name in NAMES:
            picture = Image.open(drawn / f"{name}.png").convert("RGB")
            # By coverage: by frequency, the few pixels of a coloured mark would get their neighbour's colour.
            small = picture.quantize(_COLORS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
            small.save(FOLDER / f"{name}.png", optimize=True)
            written.append(FOLDER / f"{name}.png")
    return written


def _run(*words: str) -> None:
    # The settings of who draws are nobody's business, and would be seen.
    with tempfile.TemporaryDirectory() as home:
        places = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"), home)
        environment = {**os.environ, **places, "QT_QPA_PLATFORM": "offscreen"}
        subprocess.run([sys.executable, "-m", "btc_gui", *words], env=environment, check=True)


if __name__ == "__main__":
    for path in draw(Path(sys.argv[1]) if len(sys.argv) > 1 else None):
        print(path.relative_to(ROOT), f"{path.stat().st_size // 1024} KB")
