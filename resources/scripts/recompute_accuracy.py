"""Recompute accuracies, intervals and drops from an export's answers: python recompute_accuracy.py answers.csv"""

import csv
import io
import sys
from collections import defaultdict
from pathlib import Path

if len(sys.argv) != 2:
    sys.exit(__doc__)
rights, z, table = defaultdict(list), 1.959963984540054, io.StringIO(Path(sys.argv[1]).read_text("utf-8-sig"))
rows = [row for row in csv.DictReader(table) if row["counted"] == "yes" and row["outcome"] in ("correct", "incorrect")]
for row in sorted(rows, key=lambda row: row["probe"], reverse=True):  # Of several probes of an event the first pairs.
    rights[row["category"], row["configuration"], row["kind"]] += [(row["event"], row["outcome"] == "correct")]
for (*name, kind), own in sorted(rights.items()):
    k, n, indirect = sum(right for _, right in own), len(own), dict(rights[*name, "indirect"])
    middle, half = (k + z * z / 2) / (n + z * z), z * (k * (n - k) / n + z * z / 4) ** 0.5 / (n + z * z)
    drops = [right - indirect[event] for event, right in dict(own).items() if kind == "direct" and event in indirect]
    drop = f"drop {sum(drops) / len(drops):.6f} over {len(drops)} events" if drops else ""
    print(*name, kind, f"{k}/{n} = {k / n:.6f} [{abs(middle - half):.6f}, {middle + half:.6f}]", drop, sep=" | ")
