"""The channels that each core of a herd uses."""

from __future__ import annotations

from itertools import product
from typing import Any

from allo_air.core.constants import constant_of
from allo_air.core.control_flow import Walker
from allo_air.core.loops import Loop
from allo_air.core.names import channel_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.parallel import CONDITIONS


def channels_by_core(herd: ir.Operation, end: str) -> dict[tuple[int, ...], set[str]]:
    """The names of the channels that each core of `herd`, keyed by its ids, uses in operations called `end`.

    If a condition does not depend on the ids alone, both branches count. A herd with a size that is not constant counts as one
    core.
    """
    view: Any = herd.opview
    sizes = [constant_of(v) or 1 for v in view.sizes]
    channels: dict[tuple[int, ...], set[str]] = {}
    for ids in product(*map(range, sizes)):
        walk = _Uses(dict(zip((*view.ids, *view.size_args), (*ids, *sizes), strict=True)), end)
        walk.run(view.block)
        channels[ids] = walk.channels
    return channels


class _Uses(Walker):
    """Collects channel names. The body of a loop is visited once."""

    CONTROL = {**Walker.CONTROL, **dict.fromkeys(CONDITIONS, "branch")}

    def __init__(self, constants: dict[ir.Value, int], end: str) -> None:
        super().__init__(constants)
        self.end, self.channels = end, set[str]()

    def operation(self, op: AnyOp) -> None:
        if op.name == self.end:
            self.channels.add(channel_of(op))
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
