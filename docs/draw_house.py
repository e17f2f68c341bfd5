"""Draws the plan of the house into house.md: folders and rooms, with an arrow from each to what its files import.

    python docs/draw_house.py

Arrows that others imply are left out, and places with the same arrows share a box.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import grimp

PAGE = Path(__file__).with_name("house.md")
OPEN, CLOSE = "```mermaid\n", "```\n"
WITH_ROOMS = ("passes", "program")
PER_LINE = 4


def drawing() -> str:
    """The plan as a Mermaid flow chart."""
    graph = grimp.build_graph("allo_air", exclude_type_checking_imports=True, cache_dir=None)
    lines = ["flowchart TD"]
    for folder in WITH_ROOMS:
        lines += [f"  subgraph {folder}", *boxes(arrows(graph, f"allo_air.{folder}"), f"{folder}_"), "  end"]
    return OPEN + "\n".join([*lines, *boxes(arrows(graph, "allo_air"))]) + "\n" + CLOSE


def arrows(graph: grimp.ImportGraph, folder: str) -> dict[str, set[str]]:
    """What each place in a folder imports there, without what that imports in turn; imports make no circles."""
    direct: dict[str, set[str]] = {}
    for child in sorted(graph.find_children(folder)):
        files = (child, *graph.find_descendants(child))
        imported = {m.removeprefix(f"{folder}.") for file in files for m in graph.find_modules_directly_imported_by(file)}
        direct[name(child)] = {m.split(".")[0] for m in imported}
    direct = {child: {c for c in found if c in direct and c != child} for child, found in direct.items()}
    behind = {child: set().union(*(reached(direct, c) for c in found)) for child, found in direct.items()}
    return {child: found - behind[child] for child, found in direct.items()}


def name(module: str) -> str:
    """The last part of a module's name."""
    return module.rsplit(".", 1)[1]


def reached(direct: dict[str, set[str]], child: str) -> set[str]:
    """All that a place imports, in however many steps."""
    found: set[str] = set()
    left = [*direct[child]]
    while left:
        if (at := left.pop()) not in found:
            found.add(at)
            left += direct[at]
    return found


def boxes(arrows: dict[str, set[str]], prefix: str = "") -> Iterator[str]:
    """A box for the places with the same arrows, then the arrows; what has none is left out. `prefix` makes names unique."""
    alike: dict[tuple[frozenset[str], frozenset[str]], list[str]] = defaultdict(list)
    for child, to in arrows.items():
        alike[frozenset(to), frozenset(c for c, found in arrows.items() if child in found)].append(child)
    groups = [group for ends, group in alike.items() if any(ends)]
    first = {child: group[0] for group in groups for child in group}
    for group in groups:
        if prefix or group[0] not in WITH_ROOMS:
            text = "<br>".join(", ".join(group[i : i + PER_LINE]) for i in range(0, len(group), PER_LINE))
            yield f'  {prefix}{group[0]}["{text}"]'
    for group in groups:
        for target in sorted({first[child] for child in arrows[group[0]]}):
            yield f"  {prefix}{group[0]} --> {prefix}{target}"


if __name__ == "__main__":
    before, after = PAGE.read_text().split(OPEN)
    PAGE.write_text(before + drawing() + after.split(CLOSE, 1)[1])
