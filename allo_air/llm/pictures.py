"""A picture of an estimate: where a token's time goes, by the number of keys behind it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from allo_air.program.reports.plot import pyplot, write


def save(path: Path, title: str, passes: Mapping[int, Mapping[str, float]]) -> None:
    """Draws a bar for each number of keys, of a token's parts in microseconds, one above the other."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(7, 4.5))
    names, base = [f"{context:,}" for context in passes], [0.0] * len(passes)
    for part in next(iter(passes.values())):
        heights = [parts[part] / 1e3 for parts in passes.values()]
        axes.bar(names, heights, bottom=base, label=part, width=0.6)
        base = [b + h for b, h in zip(base, heights, strict=True)]
    for name, height in zip(names, base, strict=True):
        axes.annotate(f"{height:.1f} ms", (name, height), ha="center", va="bottom", fontsize=8)
    axes.set_xlabel("tokens of context")
    axes.set_ylabel("predicted ms")
    axes.set_title(title, fontsize=9)
    axes.legend(fontsize=8)
    write(plt, figure, path)
