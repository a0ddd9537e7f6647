"""Recompute accuracies, intervals and drops from an export's answers: python recompute_accuracy.py answers.csv"""

import csv
import sys
from collections import defaultdict
from math import sqrt

answers, z = defaultdict(list), 1.959963984540054
with open(sys.argv[1], encoding="utf-8-sig", newline="") as file:
    for row in sorted(csv.DictReader(file), key=lambda row: row["probe"]):
        if row["counted"] == "yes" and row["outcome"] in ("correct", "incorrect"):
            key = row["category"], row["configuration"], row["kind"]
            answers[key].append((row["event"], row["outcome"] == "correct"))
for (category, configuration, kind), own in sorted(answers.items()):
    k, n = sum(right for _, right in own), len(own)
    low, high = ((k + z * z / 2 + side * z * sqrt(k * (n - k) / n + z * z / 4)) / (n + z * z) for side in (-1, 1))
    print(f"{category} | {configuration} | {kind} | {k}/{n} = {k / n:.6f} [{max(low, 0):.6f}, {min(high, 1):.6f}]")
    direct = dict(reversed(answers[category, configuration, "direct"]))  # Of several probes of an event the first.
    pairs = [direct[event] - right for event, right in dict(reversed(own)).items() if event in direct]
    if kind == "indirect" and pairs:
        counts = f"{pairs.count(1)} direct only, {pairs.count(-1)} indirect only"
        print(f"{category} | {configuration} | drop {sum(pairs) / len(pairs):.6f} over {len(pairs)} events: {counts}")
