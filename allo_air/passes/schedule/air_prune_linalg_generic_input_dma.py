"""air-prune-linalg-generic-input-dma."""

from dataclasses import dataclass
from typing import Any

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents, walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes._ir.tokens import deps_of, joined

_FREES = ("memref.dealloc", "air.execute_terminator")


@dataclass(frozen=True)
class AirPruneLinalgGenericInputDma(Pass):
    """Drops copies into buffers that the next `linalg.generic` does not read: its body uses nothing of that operand.

    A buffer that the generic writes whole may be read afterwards; one that is an input, and is not read, is read by nobody
    else. What waited for the copy waits for what the copy waited for.

    Before:

        air.dma_memcpy_nd (%b[] [] [], %m[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
        linalg.generic {...} ins(%a : memref<8xi32, 2>) outs(%b : memref<8xi32, 2>) {
        ^bb0(%in: i32, %out: i32):
          linalg.yield %in : i32
        }

    After:

        linalg.generic {...} ins(%a : memref<8xi32, 2>) outs(%b : memref<8xi32, 2>) { ... }
    """

    name = "air-prune-linalg-generic-input-dma"
    anchor = "func.func"
    works_on = ("air.*",)

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        for copy in walk_named(op, "air.dma_memcpy_nd"):
            if not list(copy.opview.dst_sizes) and _is_overwritten(copy):
                for result in copy.results:
                    result.replace_all_uses_with(joined(deps_of(copy), copy))
                copy.erase()


def _is_overwritten(copy: Any) -> bool:
    """Whether nothing reads what `copy` brings, as the next that uses the buffer is a generic that does not."""
    users = [use.owner.operation for use in copy.opview.dst.uses]
    others = {user for user in users if user != copy and user.name not in _FREES}
    if any(_at(user, copy.block) is None for user in others):
        return False
    order = [o.operation for o in copy.block.operations]
    here = order.index(copy)
    later = sorted((u for u in others if order.index(_at(u, copy.block)) > here), key=lambda u: order.index(_at(u, copy.block)))
    if not later or any(order.index(_at(u, copy.block)) == here for u in others):
        return False
    first = later[0]
    if first.name != "linalg.generic" or not _ignores(first, copy.opview.dst):
        return False
    return len(others) == 1 or _writes_whole(first, copy.opview.dst)


def _at(op: Any, block: Any) -> Any:
    """The operation of `block` that is or holds `op`; None where there is none, or a loop or branch is between."""
    for at in (op, *(p.operation for p in parents(op))):
        if at.block == block:
            return at
        if at != op and at.name != "air.execute":
            return None
    return None


def _ignores(generic: ir.Operation, memref: ir.Value) -> bool:
    """Whether the body of `generic` reads no element of `memref`."""
    arguments = generic.regions[0].blocks[0].arguments
    mine = [a for operand, a in zip(generic.operands, arguments, strict=True) if operand == memref]
    return not any(list(a.uses) for a in mine)


def _writes_whole(generic: Any, memref: ir.Value) -> bool:
    """Whether `generic` writes all elements of `memref`: its map of that output is a permutation of the loops."""
    inputs = generic.attributes["operandSegmentSizes"][0]
    at = list(generic.operands).index(memref)
    while at < inputs and memref in list(generic.operands)[at + 1 :]:
        at = list(generic.operands).index(memref, at + 1)
    return at >= inputs and bool(indexing_maps(generic)[at].is_projected_permutation)
