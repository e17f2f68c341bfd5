"""The time model's figures for a region of a core's code."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.device import Coordinate


@dataclass(frozen=True)
class Region:
    """A loop nest, or the straight code between two synchronizations: figures of one execution.

    `macs` are multiply-accumulates, `loads` and `stores` memory instructions, `vector_cycles` issue cycles of the vector
    unit, `cycles` the time of one execution; `bound` is the unit that limits the innermost loops (load, store, vector,
    move, scalar), `bank` where accesses meet in one memory bank, or `latency`. `other` are the cycles of code scheduled the
    other way: by the compiler where `cycles` are those of code scheduled by hand, or the reverse.
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
