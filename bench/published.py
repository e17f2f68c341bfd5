"""Cycles and rates by the simulator beside published measurements, with the ratio of both.

    python bench/published.py [--slow] [--only WORD] [--kind calibration|informed|prediction|limit|context] [--write FILE]

Rows marked `calibration` are those that constants of the model were taken from: they show that the mechanism is wired up, not
that the model is right. For `informed` rows no constant was fitted, but the model's mechanisms were chosen with them in view;
`prediction` rows were used for nothing. `limit` rows are no measurements but what the architecture allows a workload at best,
which the model must not exceed. `context` rows are measured under conditions that the source does not state. `--slow` adds
whole arrays, five to ten minutes. `--write` puts two tables into a document: errors by class between `<!-- families -->` and
`<!-- /families -->`, the order of the rows of each sweep and of methods between `<!-- rankings -->` and `<!-- /rankings -->`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import geometric_mean, median
from typing import get_args

import numpy as np
from published_rows import gemm, golden, limits, loops, memory, rates, registry, shim, streams
from published_rows.row import Kind, Row

KINDS: tuple[str, ...] = get_args(Kind)

ROWS: tuple[Row, ...] = (
    *golden.ROWS,
    *rates.ROWS,
    *limits.ROWS,
    *streams.ROWS,
    *shim.ROWS,
    *memory.ROWS,
    *registry.ROWS,
    *loops.ROWS,
    *gemm.ROWS,
)


def table(rows: Iterable[Row]) -> Iterator[tuple[Row, float, float]]:
    """Each row with the predicted figure and its ratio to the published one."""
    for row in rows:
        predicted = row.measure()
        yield row, predicted, predicted / row.published


def summary(found: list[tuple[Row, float, float]]) -> Iterator[str]:
    """A line per class of rows, calibration apart, and one per kind: how far predictions are from what was published."""
    yield f"{'class':30} {'rows':>4} {'median':>7} {'mean':>7} {'worst':>7}   error of the model's figure"
    for group in dict.fromkeys(row.group for row, *_ in found):
        for kinds, name in ((("calibration",), "calibration"), (("informed", "prediction"), "not fitted")):
            errors = [ratio - 1 for row, _, ratio in found if row.group == group and row.kind in kinds]
            if errors:
                middle, mean, worst = median(map(abs, errors)), sum(errors) / len(errors), max(errors, key=abs)
                yield f"{group + ', ' + name:30} {len(errors):4} {middle:7.1%} {mean:+7.1%} {worst:+7.1%}"
    for kind in KINDS:
        off = [max(ratio, 1 / ratio) for row, _, ratio in found if row.kind == kind]
        if off:
            within = sum(o <= 1.15 for o in off)
            mean, worst = geometric_mean(off) - 1, max(off) - 1
            yield f"{kind}: {within} of {len(off)} within 15 %, mean {mean:.1%}, worst {worst:.1%} off"


def families(found: list[tuple[Row, float, float]]) -> str:
    """A table in Markdown: a line per class of rows."""
    lines = ["| family | rows | median error | mean | worst |", "|---|---|---|---|---|"]
    for group in dict.fromkeys(row.group for row, *_ in found):
        errors = [ratio - 1 for row, _, ratio in found if row.group == group]
        middle, mean, worst = median(map(abs, errors)), sum(errors) / len(errors), max(errors, key=abs)
        lines.append(f"| {group.removeprefix('registry: ')} | {len(errors)} | {middle:.0%} | {mean:+.0%} | {worst:+.0%} |")
    return "\n".join(lines)


def rankings(found: list[tuple[Row, float, float]]) -> str:
    """A table in Markdown: whether the model orders the rows of each sweep as measured, and names the fastest methods."""
    lines = ["| sweep | rows | measured, from least to most | rank correlation |", "|---|---|---|---|"]
    for sweep in dict.fromkeys(sweep for row, *_ in found for sweep in row.sweeps):
        pairs = [(row.published, predicted) for row, predicted, _ in found if sweep in row.sweeps]
        if len(pairs) > 2:
            measured, model = zip(*pairs, strict=True)
            span = max(measured) / min(measured) - 1
            lines.append(f"| {sweep} | {len(pairs)} | +{span:.0%} | {rank_correlation(measured, model):.2f} |")
    problems: dict[str, list[tuple[float, float]]] = {}
    for row, predicted, _ in found:
        if row.problem:
            problems.setdefault(row.problem, []).append((row.published, predicted))
    several = {name: rows for name, rows in problems.items() if len(rows) > 1}
    right = [name for name, rows in several.items() if min(rows)[1] == min(model for _, model in rows)]
    if several:
        wrong = ", ".join(name for name in several if name not in right)
        lines += ["", f"Of {len(several)} products with several methods the model names the fastest of {len(right)}"]
        lines[-1] += f", not of {wrong}." if wrong else "."
    return "\n".join(lines)


def rank_correlation(a: Sequence[float], b: Sequence[float]) -> float:
    """Spearman's coefficient; equal values share the mean of their ranks. Not a number where one side is all equal."""
    ranks = [[(sum(y < x for y in side) + sum(y <= x for y in side)) / 2 for x in side] for side in (a, b)]
    return float(np.corrcoef(*ranks)[0, 1])


def write(file: Path, mark: str, table: str) -> None:
    """Puts `table` between the marks in `file`."""
    begin, end = f"<!-- {mark} -->\n", f"<!-- /{mark} -->"
    before, _, rest = file.read_text().partition(begin)
    file.write_text(f"{before}{begin}{table}\n{end}{rest.partition(end)[2]}")


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slow", action="store_true", help="whole arrays too")
    parser.add_argument("--only", default="", help="rows whose group, name or source contains this")
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--write", type=Path, metavar="FILE", help="a document that gets the errors by class")
    options = parser.parse_args()
    rows = [
        row
        for row in ROWS
        if (options.slow or not row.slow)
        and options.only.lower() in f"{row.group} {row.name} {row.source}".lower()
        and options.kind in (None, row.kind)
    ]
    print(f"{'':11} {'':68} {'published':>9} {'model':>9} {'ratio':>6}  unit")
    found = []
    for row, predicted, ratio in table(rows):
        found.append((row, predicted, ratio))
        print(
            f"{row.kind:11} {row.group + ': ' + row.name:68} {row.published:9.4g} {predicted:9.4g} {ratio:6.2f}  {row.unit}",
            flush=True,
        )
    print("\n".join((*summary(found), "", rankings(found))))
    if options.write:
        write(options.write, "families", families(found))
        write(options.write, "rankings", rankings(found))


if __name__ == "__main__":
    main()
