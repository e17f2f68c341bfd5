"""split-reductions."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from allo_air.arch.limits import core_room
from allo_air.core.pass_ import Pass
from allo_air.core.schedule import schedule
from allo_air.core.walking import walk_named
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.structured import indexing_maps, loop_extents, reductions, spans
from allo_air.passes._ir.device_option import device_option

MARK = "allo.split"
PARTS = 64
"""Rows at least, where there is a choice: a few for each core."""


@dataclass(frozen=True)
class SplitReductions(Pass):
    """Splits reductions of which one row does not fit into L1 twice: parts are reduced by many cores, then their results.

    Run it before `partition-kernels`, which makes two kernels of the two steps. Contractions, and reductions of several results
    (as argmax), stay as they are. Where no number of parts divides the row it stays, too.

    Before:

        %s = linalg.generic {iterator_types = ["reduction"]} ins(%a : tensor<1048576xf32>) outs(%zero : tensor<f32>)

    After:

        %b = tensor.expand_shape %a [[0, 1]] : tensor<1048576xf32> into tensor<256x4096xf32>
        %p = linalg.generic {iterator_types = ["parallel", "reduction"]} ins(%b) outs(%zeros : tensor<256xf32>)
        %s = linalg.generic {iterator_types = ["reduction"]} ins(%p : tensor<256xf32>) outs(%zero : tensor<f32>)
    """

    name = "split-reductions"

    device: str = "npu1"

    def run(self, op: AnyOp, /) -> None:
        room = core_room(device_option(self.name, self.device)) // 2
        for function in walk_named(op, "func.func"):
            waiting = list(walk_named(function, "linalg.generic"))
            while waiting:
                generic = waiting.pop()
                if (parts := _parts(generic, room)) > 1:
                    waiting += _split(function, generic, parts)


def _parts(op: ir.Operation, room: int) -> int:
    """How many parts the row of a reduction is cut into; 1 where it stays."""
    reduces = reductions(op)
    if sum(reduces) != 1 or len(op.results) != 1 or _is_contraction(op):
        return 1
    if not all(isinstance(v.type, ir.RankedTensorType) for v in op.operands[: len(op.operands) - 1]):
        return 1
    extents = loop_extents(op)
    loop = reduces.index(True)

    def row(length: int) -> int:
        sizes = [length if i == loop else 1 for i in range(len(extents))]
        maps = zip(op.operands, indexing_maps(op), strict=True)
        return sum(prod(spans(m, sizes)) * (element_bits(v.type) or 64) // 8 for v, m in maps)

    extent = extents[loop]
    if row(extent) <= room:
        return 1
    fitting = [p for p in range(2, extent) if extent % p == 0 and row(extent // p) <= room]
    rows = prod(e for e, r in zip(extents, reduces, strict=True) if not r)
    busy = [p for p in fitting if p * rows >= PARTS]
    return next(iter(busy or fitting[-1:]), 1)


def _is_contraction(op: ir.Operation) -> bool:
    from allo_air.mlir import linalg

    return bool(linalg.isa_contraction_op(op))


def _split(function: ir.Operation, generic: ir.Operation, parts: int) -> list[ir.Operation]:
    """Splits `generic`; gives what it became, to be looked at again."""
    known = walk_named(function, "linalg.generic")
    generic.attributes[MARK] = ir.UnitAttr.get()
    schedule("split-reduction", parts=parts).run(function)
    made = [g for g in walk_named(function, "linalg.generic") if g not in known]
    for op in made:
        if MARK in op.attributes:
            del op.attributes[MARK]
    return made
