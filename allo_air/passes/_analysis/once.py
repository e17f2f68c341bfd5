"""Finds the part of an elementwise body that is invariant in a loop, so that it is computed once before the loop."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from allo_air.core.walking import is_result_of
from allo_air.mlir import AnyOp, ir

LEAST = 8
"""Smallest trip count of a pipelined loop; shorter loops take as long as this one."""

_DIVISION = "arith.divf"


def saved(
    body: Sequence[AnyOp], same: Collection[ir.Value], changes: Callable[[int], bool], cycles: Callable[[Any], float]
) -> float:
    """Cycles of the operations of `body` that are invariant in a loop.

    Arguments in `same` are invariant. `changes` says whether the loop changes the index of a dimension. A division by an
    invariant becomes a multiplication by its reciprocal, which saves half of its cycles.
    """
    read_once = set(same)
    cycles_saved = 0.0
    for op in body:
        if op.name == "linalg.index":
            read_once |= set() if changes(op.attributes["dim"].value) else {op.results[0]}
        elif op.name == "arith.constant":
            continue
        elif all(v in read_once or _is_constant(v) for v in op.operands):
            read_once.add(op.results[0])
            cycles_saved += cycles(op)
        elif op.name == _DIVISION and op.operands[1] in read_once:
            cycles_saved += cycles(op) / 2
    return cycles_saved


def _is_constant(value: ir.Value) -> bool:
    return is_result_of(value, "arith.constant")
