"""The channels that each core of a herd uses."""

from __future__ import annotations

from itertools import product
from typing import Any

from allo_air.core.constants import constant_of
from allo_air.core.control_flow import Walker
from allo_air.core.loops import Loop
from allo_air.core.names import channel_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.channel_ends import GET, PUT
from allo_air.passes._analysis.parallel import CONDITIONS


def channels_by_core(herd: ir.Operation) -> dict[tuple[int, ...], dict[str, set[str]]]:
    """The names of the channels that each core of `herd`, keyed by its ids, puts into and gets from, by operation.

    If a condition does not depend on the ids alone, both branches count. A herd with a size that is not constant counts as one
    core.
    """
    view: Any = herd.opview
    sizes = [constant_of(v) or 1 for v in view.sizes]
    channels: dict[tuple[int, ...], dict[str, set[str]]] = {}
    for ids in product(*map(range, sizes)):
        walk = _Uses(dict(zip((*view.ids, *view.size_args), (*ids, *sizes), strict=True)))
        walk.run(view.block)
        channels[ids] = walk.channels
    return channels


class _Uses(Walker):
    """Collects channel names. The body of a loop is visited once."""

    CONTROL = {**Walker.CONTROL, **dict.fromkeys(CONDITIONS, "branch")}

    def __init__(self, constants: dict[ir.Value, int]) -> None:
        super().__init__(constants)
        self.channels: dict[str, set[str]] = {GET: set(), PUT: set()}

    def operation(self, op: AnyOp) -> None:
        if op.name in self.channels:
            self.channels[op.name].add(channel_of(op))
        self._inside(op)

    def loop(self, op: AnyOp) -> None:
        block = Loop(op).block
        self.assign(block.arguments, [None] * len(block.arguments))
        self.run(block)

    def undecided(self, op: AnyOp, why: str) -> None:
        self._inside(op)

    def _inside(self, op: AnyOp) -> None:
        for region in op.regions:
            for block in region.blocks:
                self.run(block)
