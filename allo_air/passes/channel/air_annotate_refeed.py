"""air-annotate-refeed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air import dialects
from allo_air.core.diagnostics import error_at
from allo_air.core.loops import FOR, Loop
from allo_air.core.pass_ import Pass
from allo_air.core.walking import is_defined_in, walk_post_order
from allo_air.dialects.air import L3
from allo_air.dialects.air_values import dep_count
from allo_air.dialects.operands import memref_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.memory import is_in, space
from allo_air.passes._ir.tokens import deps_of, distinct, with_deps

REFEED = "air.refeed_count"


@dataclass(frozen=True)
class AirAnnotateRefeed(Pass):
    """Replaces a loop that only sends one buffer repeatedly by a count on the transfer.

    The loop is an scf.for or affine.for with a known trip count, around one put from L1 or L2 that is equal in each iteration.
    The count
    becomes `air.refeed_count`: on the `memref.alloc` of an L2 buffer, whose descriptor is drained that often each time it is
    filled, and on the put of an L1 buffer. Counts of nested loops multiply; those of consecutive loops that send one L2 buffer
    add up. Other loops stay: they send new data each time. The pass has to run first, since later passes would fold the loop
    into a dimension of a descriptor.
    Errors: an L2 buffer whose allocation cannot be found.

    Before:

        %b = memref.alloc() : memref<64xi32, 1>
        scf.for %i = %c0 to %c4 step %c1 {
          air.channel.put @c[] (%b[] [] []) : (memref<64xi32, 1>)
        }

    After:

        %b = memref.alloc() {air.refeed_count = 4 : i64} : memref<64xi32, 1>
        air.channel.put @c[] (%b[] [] []) : (memref<64xi32, 1>)
    """

    name = "air-annotate-refeed"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        counts: dict[Any, int] = {}
        for loop in [o for o in walk_post_order(op) if o.name in FOR]:
            trips = Loop(loop).trips()
            put_op = None if trips is None or trips < 2 else _repeated(loop)
            if put_op is not None:
                counts[_take_out(loop, put_op)] = (trips or 1) * counts.pop(put_op, 1)
        carried: dict[Any, int] = {}
        for put_op, count in counts.items():
            carrier = _carrier(put_op)
            carried[carrier] = carried.get(carrier, 0) + count
        i64 = ir.IntegerType.get_signless(64, op.context)
        for carrier, count in carried.items():
            carrier.attributes[REFEED] = ir.IntegerAttr.get(i64, count)


def _repeated(loop: ir.Operation) -> Any:
    """The single put in `loop`, if it is the same in each iteration; else None."""
    view = Loop(loop)
    body = view.body
    if len(body) != 1 or body[0].name != "air.channel.put" or is_in(memref_of(body[0]).type, L3):
        return None
    [put_op] = body
    if any(is_defined_in(v, loop) for v in list(put_op.operands)[dep_count(put_op) :]):
        return None
    if any(is_defined_in(dep, loop) and dep not in view.iter_args for dep in deps_of(put_op)):
        return None
    return put_op if all(value in list(put_op.results) for value in view.yielded) else None


def _take_out(loop: AnyOp, put_op: AnyOp) -> Any:
    """Replaces `loop` by `put_op`; returns the operation that replaces it."""
    view = Loop(loop)
    started = dict(zip(view.iter_args, view.inits, strict=True))
    deps = distinct([*(started.get(d, d) for d in deps_of(put_op)), *(view.inits if put_op.results else [])])
    put_op.move_before(loop)
    moved = with_deps(put_op, deps) if deps != deps_of(put_op) else put_op
    for result in loop.results:
        result.replace_all_uses_with(moved.results[0])
    loop.erase()
    return moved


def _carrier(put_op: AnyOp) -> Any:
    """The operation from which `air-to-aie` reads the count of `put_op`."""
    memref = memref_of(put_op)
    if space(memref.type) != 1:
        return put_op
    root = root_of(memref)
    if not isinstance(root, ir.OpResult) or root.owner.name != "memref.alloc":
        raise error_at(put_op, "repeatedly sends an L2 buffer that no memref.alloc in the segment allocates; allocate it there")
    return root.owner.operation
