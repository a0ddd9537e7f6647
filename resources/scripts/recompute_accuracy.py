"""Recompute accuracies and drops from an export's answers: python recompute_accuracy.py answers.csv"""

import csv
import sys
from collections import defaultdict
from math import comb, sqrt
from pathlib import Path

with Path(sys.argv[1]).open(encoding="utf-8-sig", newline="") as file:
    rows = [row for row in csv.DictReader(file) if row["counted"] == "yes"]
cells, events, z = defaultdict(list), defaultdict(dict), 1.959963984540054
for row in sorted((row for row in rows if row["outcome"] in ("correct", "incorrect")), key=lambda row: row["probe"]):
    cells[row["category"], row["configuration"], row["kind"]].append(right := row["outcome"] == "correct")
    events[row["category"], row["configuration"], row["event"]].setdefault(row["kind"], right)
for name, labels in sorted(cells.items()):
    k, n = sum(labels), len(labels)
    centre, half = k / n + z * z / (2 * n), z * sqrt(k * (n - k) / n**3 + z * z / (4 * n * n))  # Wilson.
    low, high = (max(0, min(1, end / (1 + z * z / n))) for end in (centre - half, centre + half))
    print(" | ".join((*name, f"{k}/{n} = {k / n:.6f} [{low:.6f}, {high:.6f}]")))
for name in sorted({key[:2] for key, each in events.items() if len(each) == 2}):
    pairs = [each for key, each in events.items() if key[:2] == name and len(each) == 2]
    b, c = (sum(each["direct"] - each["indirect"] == sign for each in pairs) for sign in (1, -1))
    point, tail = comb(b + c, b) / 2 ** (b + c), sum(comb(b + c, i) for i in range(min(b, c) + 1)) / 2 ** (b + c)
    p = 1 if b + c == 0 else 1 - point / 2 if b == c else 2 * tail - point  # McNemar, mid-p.
    shown = f"{p:.6f}" if p >= 1e-4 else f"{p:.6g}"
    print(" | ".join((*name, f"drop {(b - c) / len(pairs):.6f} over {len(pairs)} events, p {shown}")))
