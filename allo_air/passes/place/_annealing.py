"""Places cores by simulated annealing: cores that exchange data are close to each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import exp
from random import Random
from typing import TYPE_CHECKING, Any

from allo_air.device import Coordinate
from allo_air.passes.place._cores import CoreGrid, candidates, cascades
from allo_air.passes.place._wires import INTO, OUT

if TYPE_CHECKING:
    from allo_air.mlir import ir

_ROUNDS, _START, _END = 4000, 8.0, 0.05
_WRONG = 100
"""Cost of a broken rule, in steps between tiles."""


def anneal(grid: CoreGrid, first: Mapping[ir.Value, Coordinate], seed: int) -> dict[Any, Coordinate]:
    """Places for the tiles that have those of `first`, with shorter connections; the best ones seen."""
    random, places = Random(seed), dict(first)
    movable = [t for t in places if None in (grid.nodes[t].op.col, grid.nodes[t].op.row)]
    allowed = {t: candidates(grid, grid.nodes[t].op) for t in movable}
    fixed = {t: p for t, p in grid.places.items() if t not in places}
    if not movable:
        return places
    cost = _cost(grid, fixed | places)
    best, least = dict(places), cost
    for step in range(_ROUNDS):
        heat = _START * (_END / _START) ** (step / _ROUNDS)
        tile = random.choice(movable)
        to = random.choice(allowed[tile])
        occupant = next((t for t, p in places.items() if p == to), None)
        if (
            to == places[tile]
            or to in fixed.values()
            or (occupant is not None and places[tile] not in allowed.get(occupant, ()))
        ):
            continue
        trial = places | {tile: to} | ({occupant: places[tile]} if occupant is not None else {})
        result = _cost(grid, fixed | trial)
        if result <= cost or random.random() < exp((cost - result) / heat):
            places, cost = trial, result
            if cost < least:
                best, least = dict(places), cost
    return best


def _cost(grid: CoreGrid, places: Mapping[ir.Value, Coordinate]) -> float:
    """The total length of all connections between placed tiles, plus the broken rules of the cores."""
    wires = {id(w): w for t in places if t in grid.nodes for w in grid.nodes[t].wires}
    length = 0
    for wire in wires.values():
        end_places = [places[v] for v in wire.ends if v in places]
        columns, rows = [p[0] for p in end_places], [p[1] for p in end_places]
        length += max(columns) - min(columns) + max(rows) - min(rows)
        if any(v not in places for v in wire.ends):
            length += min(rows)  # the other ends are below the cores, and can be in the best column
    return length + _WRONG * count_violations(grid, places)


def count_violations(grid: CoreGrid, places: Mapping[ir.Value, Coordinate]) -> int:
    """The number of broken rules for cores with places."""
    sees, room = grid.device.sees_memory, grid.device.tiles["core"].channels
    cores = [(t, p) for t, p in places.items() if t in grid.nodes and grid.device.kind(*p) == "core"]
    violations = sum(s in places and d in places and not cascades(places[s], places[d]) for s, d in grid.cascades)
    for core, owners in grid.reached.items():
        violations += sum(core in places and o in places and not sees(places[core], places[o]) for o in owners)
    if grid.per_column >= 0:
        columns = Counter(p[0] for _, p in cores)
        violations += sum(max(0, n - grid.per_column) for n in columns.values())
    for tile, core_place in cores:
        node = grid.nodes[tile]
        for d in (INTO, OUT):
            if node.peers[d]:
                missing = sum(p in places and not grid.shares(core_place, places[p]) for p in node.peers[d])
                violations += max(0, len(node.channels[d]) + missing - room[d])
    return violations
