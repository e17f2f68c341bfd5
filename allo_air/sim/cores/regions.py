"""The time model's figures for a region of a core's code."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.device import Coordinate


@dataclass(frozen=True)
class Region:
    """A loop nest, or the straight-line code between two synchronizations; all figures are for one execution.

    `macs` are multiply-accumulates, `loads` and `stores` memory instructions, `vector_cycles` issue cycles of the vector
    unit, `cycles` the time. `bound` is the limit of the innermost loops: a unit (load, store, vector, move, scalar), `bank`
    for conflicts in a memory bank, or `latency`. `other` are the cycles of the other way of scheduling: by the compiler if
    `cycles` are for code scheduled by hand, or the reverse.
    """

    op: str
    macs: int
    loads: int
    stores: int
    vector_cycles: int
    cycles: int
    bound: str
    other: int = 0
    tile: Coordinate = (0, 0)
    file: str = ""
    line: int = 0
    column: int = 0
