"""Checks that the herds at the other ends of channels stay in step, so that no herd waits for data of a later iteration."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import Any

from allo_air.core.constants import constant_of
from allo_air.core.loops import Loop
from allo_air.core.names import channel_of
from allo_air.core.walking import enclosing, parents, walk_named
from allo_air.dialects.operands import lists_of, memref_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.buffers import CHANNEL_OPS
from allo_air.passes.memory._plan import Part


class FarEnds:
    """The transfers in herds at the other end of each channel end of a module."""

    def __init__(self, root: AnyOp) -> None:
        self._found: dict[tuple[str, str], list[ir.Operation]] = {}
        for op in walk_named(root, *CHANNEL_OPS):
            if any(p.name == "air.herd" for p in parents(op)):
                self._found.setdefault((channel_of(op), op.name), []).append(op)

    def of(self, transfer: AnyOp) -> list[Any]:
        """The transfers in herds that can be the other end of `transfer`."""
        far_end = CHANNEL_OPS[transfer.name == CHANNEL_OPS[0]]
        return self._found.get((channel_of(transfer), far_end), [])

    def keep_step(self, parts: Sequence[Part]) -> bool:
        """Whether the cores stay in step with `parts` of a fused loop. They do not if they may finish one channel before they
        use another.

        A chunk of the buffer is replaced only after all of it was read. Cores that read everything from one channel before
        they read from the next would wait forever. Therefore one loop must use all channels, in equal shares of the data of an
        iteration.
        """
        ends = [(part, far) for part in parts for far in self.of(part.nest.transfer)]
        distinct: list[ir.Operation] = []
        for _, far in ends:
            if far not in distinct:
                distinct.append(far)
        core_transfers = self._between_cores(distinct)
        if len(distinct) < 2 and not core_transfers:
            return True
        for loop in common_loops(distinct):
            if not all(loop in parents(op) for op in core_transfers):
                continue
            shares = {_share(part, far, loop) for part, far in ends}
            if len(shares) == 1 and all(share is not None and share.denominator == 1 for share in shares):
                return True
        return False

    def _between_cores(self, ops: Sequence[ir.Operation]) -> list[Any]:
        """The transfers between cores in the herds around `ops`. They may make a core wait for everything that another core
        does.
        """
        herds: list[ir.Operation] = []
        for herd in (enclosing(op, "air.herd") for op in ops):
            if herd not in herds:
                herds.append(herd)
        return [op for herd in herds for op in walk_named(herd, *CHANNEL_OPS) if self.of(op)]


def common_loops(ops: Sequence[ir.Operation]) -> list[ir.Operation]:
    """The loops that contain all of `ops`, innermost first."""
    ancestors = [[p for p in parents(op) if p.name == "scf.for"] for op in ops]
    return [loop for loop in ancestors[0] if all(loop in rest for rest in ancestors[1:])]


def _share(part: Part, far: ir.Operation, loop: ir.Operation) -> Fraction | None:
    """The number of iterations of `loop` that use up the data that one fused iteration moves for `part`."""
    moved = _elements(part.nest.transfer)
    moved_far = _elements(far)
    for outer in parents(far):
        if outer == loop:
            break
        if outer.name in ("scf.parallel", "scf.while", "affine.for"):
            return None
        if outer.name == "scf.for":
            trips = Loop(outer).trips()
            moved_far = None if moved_far is None or trips is None else moved_far * trips
    if not moved or not moved_far:
        return None
    return Fraction(moved * part.count * prod(loop.trips for loop in part.nest.loops[1:]), moved_far)


def _elements(transfer: ir.Operation) -> int | None:
    """The number of elements that a transfer moves."""
    _, sizes, _ = lists_of(transfer)
    if not sizes:
        kind = memref_of(transfer).type
        return prod(kind.shape) if kind.has_static_shape else None
    constants = [n for v in sizes if (n := constant_of(v)) is not None]
    return prod(constants) if len(constants) == len(sizes) else None
