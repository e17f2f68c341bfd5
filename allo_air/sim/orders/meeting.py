"""Packet flows without routes that could meet at an arbiter."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from allo_air.sim.routes import Route


def pairs_sharing_switch(flows: list[tuple[Route, int]]) -> list[tuple[Any, Any]]:
    """Pairs of `flows` (a route, and the link before its end) whose paths may share a switch and that have no common end."""
    results = []
    for first, second in combinations(flows, 2):
        if first[0].source == second[0].source or _ends(first[0]) & _ends(second[0]):
            continue
        a, b = _box(first[0]), _box(second[0])
        if a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]:
            results.append((first, second))
    return results


def _ends(route: Route) -> set[Any]:
    return {d.port for d in route.destinations}


def _box(route: Route) -> tuple[int, int, int, int]:
    places = [route.source[:2], *(d.port[:2] for d in route.destinations)]
    return (min(p[0] for p in places), min(p[1] for p in places), max(p[0] for p in places), max(p[1] for p in places))
