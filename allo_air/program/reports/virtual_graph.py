"""Draws the virtual graph of a region, with graphviz's dot if it is installed: nodes in layers, streams as arrows."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from allo_air.frontend.virtual import VirtualGraph
from allo_air.program.reports.plot import pyplot

_LABELS = 64
"""Graphs with more streams than this have no stream names in the picture."""


def dot(graph: VirtualGraph) -> str:
    """The graph in graphviz's language."""
    owner = graph.owners()
    lines = [f'  "{name}" [shape=box];' for name in graph.nodes]
    for edge in graph.edges:
        a, b = owner[edge.source], owner[edge.target]
        if a != b:
            lines.append(f'  "{a}" -> "{b}" [label="{edge.stream}: {edge.label}"];')
    return "\n".join(["digraph virtual {", *lines, "}", ""])


def draw(graph: VirtualGraph, folder: Path, name: str) -> None:
    """Writes `name`.dot, .svg and .pdf into `folder`."""
    text = dot(graph)
    (folder / f"{name}.dot").write_text(text)
    binary = shutil.which("dot")
    for kind in ("svg", "pdf"):
        target = folder / f"{name}.{kind}"
        if binary is not None:
            subprocess.run([binary, f"-T{kind}", "-o", str(target)], input=text, text=True, check=True)
        else:
            _draw(graph, target)


def _draw(graph: VirtualGraph, target: Path) -> None:
    plt = pyplot()
    places = _positions(graph)
    columns = max(x for x, _ in places.values()) + 1
    rows = max(y for _, y in places.values()) + 1
    figure, axes = plt.subplots(figsize=(min(60.0, 2.2 * columns + 1), min(60.0, 1.2 * rows + 1)))
    owner = graph.owners()
    between = [(owner[e.source], owner[e.target], e) for e in graph.edges if owner[e.source] != owner[e.target]]
    for a, b, edge in between:
        arrow = {"arrowstyle": "->", "color": "0.4", "connectionstyle": "arc3,rad=0.08", "shrinkA": 14, "shrinkB": 14}
        axes.annotate("", xy=places[b], xytext=places[a], arrowprops=arrow)
        if len(between) <= _LABELS:
            (x, y), (u, v) = places[a], places[b]
            axes.text((x + u) / 2, (y + v) / 2, edge.stream, fontsize=6, color="0.3", ha="center")
    for name, (x, y) in places.items():
        box = {"boxstyle": "round", "facecolor": "white", "edgecolor": "black"}
        axes.text(x, y, _shortened(name), fontsize=7, ha="center", va="center", bbox=box)
    axes.set_xlim(-0.7, columns - 0.3)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.axis("off")
    figure.savefig(target, bbox_inches="tight")
    plt.close(figure)


def _shortened(name: str) -> str:
    """A node's name; for long chains, the first and the last part."""
    parts = name.split("-")
    return name if len(parts) < 4 else f"{parts[0]}\n- {len(parts) - 2} more -\n{parts[-1]}"


def _positions(graph: VirtualGraph) -> dict[str, Any]:
    """Column and row of each node. The row is the longest path to it; nodes of a cycle are next to its first node."""
    row: dict[str, int] = dict.fromkeys(graph.nodes, 0)
    following = graph.edges_between(graph.nodes.values())
    for _ in range(len(row)):
        moved = False
        for a, rest in following.items():
            for b in rest:
                if row[b] <= row[a] < len(row) - 1 and graph.cycle is None:
                    row[b], moved = row[a] + 1, True
        if not moved:
            break
    if graph.cycle is not None:
        width = max(1, round(len(row) ** 0.5))
        row = {name: number // width for number, name in enumerate(row)}
    counts: dict[int, int] = {}
    places = {}
    for name, box in row.items():
        places[name] = (counts.get(box, 0), box)
        counts[box] = counts.get(box, 0) + 1
    return places
