"""Recompute accuracies, intervals and drops from an export's answers: python recompute_accuracy.py answers.csv"""

import csv
import sys
from collections import defaultdict

answers, z = defaultdict(lambda: defaultdict(list)), 1.959963984540054
with open(sys.argv[1], encoding="utf-8-sig", newline="") as file:
    for row in sorted(csv.DictReader(file), key=lambda row: row["probe"], reverse=True):
        if row["counted"] == "yes" and row["outcome"] in ("correct", "incorrect"):
            answers[row["category"], row["configuration"]][row["kind"]] += [(row["event"], row["outcome"] == "correct")]
for name, kinds in sorted(answers.items()):
    for kind, own in kinds.items():
        k, n = sum(right for _, right in own), len(own)
        middle, half = (k + z * z / 2) / (n + z * z), z * (k * (n - k) / n + z * z / 4) ** 0.5 / (n + z * z)
        print(*name, kind, f"{k}/{n} = {k / n:.6f} [{abs(middle - half):.6f}, {middle + half:.6f}]", sep=" | ")
    direct, indirect = dict(kinds["direct"]), dict(kinds["indirect"])  # Of several probes of an event the first.
    pairs = [direct[event] - indirect[event] for event in direct.keys() & indirect.keys()]
    print(*name, f"drop {sum(pairs) / (len(pairs) or 1):.6f} over {len(pairs)} events", sep=" | ")
