"""merge-devices."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents, walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.names import Names
from allo_air.passes.partition._block import join, stands_beside, width


@dataclass(frozen=True)
class MergeDevices(Pass):
    """Merges devices that run one after another in a program of kernels into one device if they fit on the array side by side.

    A device takes the columns from its first to its last tile. Of the devices that fit together, those between which the
    program switches most often are merged first, since each switch loads a configuration. A device stays unchanged if its
    sequences use tile or register numbers, or if it has packet flows or traces. Runs keep the order of the calls.

    Before (on npu1, four columns):

        aie.device(npu1) @a_0 { %t = aie.tile(0, 2) ... aie.runtime_sequence @a(...) { ... } }
        aie.device(npu1) @b_0 { %t = aie.tile(0, 2) ... aie.runtime_sequence @b(...) { ... } }
        func.func @f(...) {
          call @a(%x, %t)
          call @b(%t, %y)

    After:

        aie.device(npu1) @shared_0 {
          %t = aie.tile(0, 2) ... aie.runtime_sequence @a(...) { ... }
          %u = aie.tile(1, 2) ... aie.runtime_sequence @b(...) { ... }
        }
    """

    name = "merge-devices"
    anchor = "builtin.module"
    works_on = ("aie.*",)

    def run(self, op: AnyOp, /) -> None:
        device_of = {s.attributes["sym_name"].value: _holder(s) for s in walk_named(op, "aie.runtime_sequence")}
        changes: Counter[frozenset[Any]] = Counter()
        for function in walk_named(op, "func.func"):
            called = [c.attributes["callee"].value for c in walk_named(function, "func.call")]
            runs = [device_of[name] for name in called if name in device_of]
            changes.update(frozenset(pair) for pair in pairwise(runs) if pair[0] != pair[1])
        names = Names(op)
        devices = list(dict.fromkeys(device_of.values()))
        widths = {d: width(d.opview) for d in devices}
        for group in _groups(devices, changes, widths):
            if len(group) > 1:
                join([d.opview for d in group], names.fresh("shared"))


def _holder(sequence: ir.Operation) -> ir.Operation:
    return next(p for p in parents(sequence) if p.name == "aie.device")


def _groups(devices: list[Any], changes: Counter[frozenset[Any]], widths: dict[Any, int | None]) -> list[list[Any]]:
    """`devices` in groups that become one each, in program order."""
    first = {d: n for n, d in enumerate(dict.fromkeys(d for pair in changes for d in sorted(pair, key=devices.index)))}
    groups = [[d] for d in sorted(devices, key=lambda d: first.get(d, len(devices)))]
    while True:
        worth = Counter[tuple[int, int]]()
        place = {d: n for n, group in enumerate(groups) for d in group}
        for pair, times in changes.items():
            one, other = sorted(place[d] for d in pair)
            if one != other:
                worth[one, other] += times
        for one, other in sorted(worth, key=lambda pair: (-worth[pair], pair)):
            if stands_beside([(d.opview, widths[d]) for d in (*groups[one], *groups[other])]):
                groups[one] += groups.pop(other)
                break
        else:
            return groups
