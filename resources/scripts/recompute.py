"""Recompute a study's main figures from its labels: python recompute.py labels_STUDY_ANNOTATOR.csv"""

import csv
import sys
from collections import Counter

with open(sys.argv[1] if sys.argv[1:] else sys.exit(__doc__), encoding="utf-8-sig", newline="") as file:
    rows = [row for row in csv.DictReader(file) if row["human"] not in ("", "unsure", "broken")]
labels = Counter(row["stratum"] for row in rows)
for name, weigh in ("sample", lambda row: 1), ("frame", lambda row: int(row["frame_size"]) / labels[row["stratum"]]):
    cells = sum((Counter({tuple(row.values())[:2]: weigh(row)}) for row in rows), Counter())
    agreed = sum(cells[pair] for pair in cells if pair[0] == pair[1]) / cells.total()
    chance = sum(cells[a] * cells[b] for a in cells for b in cells if a[0] == b[1]) / cells.total() ** 2
    kappa = f"{(agreed - chance) / (1 - chance):.6f}" if chance < 1 else "undefined"
    print(f"{name}: agreement {agreed:.6f}, kappa {kappa}, and of each cell (judge or classifier, human) the items:")
    print("\n".join(f"  {one}, {other}: {items:.6g}" for (one, other), items in sorted(cells.items())))
