"""Draws an estimate: how the time of a token is spent, by the length of the context."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from allo_air.program.reports.plot import pyplot, write


def save(path: Path, title: str, passes: Mapping[int, Mapping[str, float]]) -> None:
    """Draws a stacked bar for each context: the parts of a token's time in microseconds."""
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
