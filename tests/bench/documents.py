"""How long it takes to index a folder of small documents, and to search it.

    python -m tests.bench.documents [--documents 10000] [--queries 400]

Words are made up and as unequal as in a language (Zipf); queries are drawn like the texts, so that they hold its
commonest words.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from pathlib import Path

WORDS = 20_000


def _write(folder: Path, count: int, draw: random.Random, words: list[str], weights: list[float]) -> None:
    for number in range(count):
        text = draw.choices(words, weights, k=250)
        paragraphs = (" ".join(text[at : at + 40]) + "." for at in range(6, 250, 40))
        place = folder / f"{number % 100:02}"
        place.mkdir(exist_ok=True)
        (place / f"2026-0{draw.randint(1, 9)}-11 {number}.md").write_text(
            f"# {' '.join(text[:6])}\n\n" + "\n\n".join(paragraphs), encoding="utf-8"
        )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=400)
    wanted = parser.parse_args()
    draw = random.Random(4)
    words = ["".join(draw.choices("abcdefghiklmnoprstuvw", k=draw.randint(3, 9))) for _ in range(WORDS)]
    weights = [1 / rank for rank in range(1, WORDS + 1)]
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["XDG_STATE_HOME"] = f"{scratch}/state"
        from btc_gui.evals.search.documents import index_documents
        from btc_gui.store.local_documents import DocumentIndex

        folder = Path(scratch) / "documents"
        folder.mkdir()
        _write(folder, wanted.documents, draw, words, weights)
        report = index_documents(folder)
        began = time.perf_counter()
        index_documents(folder)
        again = time.perf_counter() - began
        size = report.path.stat().st_size / 1e6
        print(f"{report.documents:,} documents, {report.passages:,} passages: {report.seconds:.1f} s, {size:.0f} MB")
        print(f"looking again whether anything changed: {again:.2f} s")
        taken = []
        with DocumentIndex(report.path) as index:
            for _ in range(wanted.queries):
                query = " ".join(draw.choices(words, weights, k=draw.randint(3, 10)))
                began = time.perf_counter()
                index.search(query, 10)
                taken.append(1_000 * (time.perf_counter() - began))
    taken.sort()
    middle, late = taken[len(taken) // 2], taken[int(len(taken) * 0.95)]
    print(f"{len(taken)} queries: median {middle:.1f} ms, 95th percentile {late:.1f} ms, slowest {taken[-1]:.1f} ms")


if __name__ == "__main__":
    main()
