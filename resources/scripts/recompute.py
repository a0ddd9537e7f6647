"""Recompute a study's main figures from its labels: python recompute.py labels_NAME.csv"""

import csv
import sys
from collections import Counter
from pathlib import Path

with Path(sys.argv[1]).open(encoding="utf-8-sig", newline="") as file:
    rows = list(csv.DictReader(file))
machine = next(iter(rows[0]))  # The first column: judge or classifier.
used = [row for row in rows if row["human"] not in ("", "unsure", "broken")]
cells = Counter((row[machine], row["human"]) for row in used)
agreed, n = sum(count for (one, other), count in cells.items() if one == other), len(used)
size, labels = {row["stratum"]: int(row["frame_size"]) for row in rows}, Counter(row["stratum"] for row in used)
hits = Counter(row["stratum"] for row in used if row[machine] == row["human"])
weighted = sum(size[name] * hits[name] / labels[name] for name in labels) / sum(size[name] for name in labels)
by_machine, by_human = Counter(row[machine] for row in used), Counter(row["human"] for row in used)
chance = sum(by_machine[name] * by_human[name] for name in by_machine) / n**2
kappa = "undefined" if chance == 1 else f"{(agreed / n - chance) / (1 - chance):.6f}"
print("\n".join(f"{machine} {one}, human {other}: {count}" for (one, other), count in sorted(cells.items())))
print(f"agreement {agreed}/{n} = {agreed / n:.6f}\nweighted by the frame {weighted:.6f}\nkappa of the sample {kappa}")
