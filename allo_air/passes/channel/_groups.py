"""Groups the operations that leave a hierarchy: which of them share one loop nest outside of it, and which nest waits for
which.
"""

from __future__ import annotations

from allo_air.access.footprint import Footprint
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.footprint import footprint_of
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes.channel._order import conflict, of_arguments
from allo_air.passes.channel._places import shared_loop
from allo_air.passes.channel._split import ExternalOp

_WHOLE = ("memref.alloc", "memref.dealloc", "air.execute")


def grouped(externals: list[ExternalOp], *, share: bool) -> list[list[ExternalOp]]:
    """The groups of `externals` (of one hierarchy) that share a loop nest, in program order.

    A nest executes its operations in program order. Ends of different channels have separate nests, so that they do not wait
    for each other. They share a nest if both access one buffer that one of them writes, and a loop contains both: in two
    separate loops, the reader of iteration k + 1 could run before the writer of iteration k. With `share`, ends on two function
    arguments also share a nest if one of them is written; the host then issues them in the order in which the cores need them.
    """
    groups: list[list[ExternalOp]] = []
    for external in externals:
        tied = [g for g in groups if any(_must_share_nest(earlier, external, share=share) for earlier in g)]
        merged = [s for g in tied for s in g] + [external]
        groups = [g for g in groups if g not in tied] + [merged]
    order = {id(s): n for n, s in enumerate(externals)}
    return sorted((sorted(g, key=lambda s: order[id(s)]) for g in groups), key=lambda g: order[id(g[0])])


def waits_for(later: list[ExternalOp], earlier: list[ExternalOp]) -> bool:
    """Whether nest `later` must wait for all of nest `earlier`.

    A write after a read needs no token if the inner ends of both channels stay and are ordered, by tokens or because one core
    executes both: the written data leaves the hierarchy after the read data has entered it.
    """
    for a in earlier:
        for b in later:
            if not conflict(a.touches, b.touches) or _are_disjoint(a, b):
                continue
            ordered = (a.is_async and b.is_async) or _inside_one_herd(a, b)
            if a.is_anchored and b.is_anchored and ordered and not any(t.writes for t in a.touches):
                continue
            return True
    return False


def _are_disjoint(a: ExternalOp, b: ExternalOp) -> bool:
    """Whether two transfers on different channels access constant, disjoint parts of one buffer."""
    first, second = _constant_part(a.op), _constant_part(b.op)
    if first is None or second is None or a.op.opview.chan_name == b.op.opview.chan_name:
        return False
    (root, footprint, indices), (other_root, rest, _) = first, second
    return root == other_root and not footprint.meets(rest, indices)


def _constant_part(op: AnyOp) -> tuple[ir.Value, Footprint, IndexValues] | None:
    """The buffer of a put or get, and the part of it that every execution moves; None if that part is not constant."""
    if op.name not in ("air.channel.put", "air.channel.get"):
        return None
    view, side, indices = op.opview, "src" if op.name == "air.channel.put" else "dst", IndexValues()
    memref, lists = getattr(view, side), [getattr(view, f"{side}_{part}") for part in ("offsets", "sizes", "strides")]
    result = footprint_of(memref, lists, indices)
    return None if result is None or result.first.terms else (root_of(memref), result, indices)


def _must_share_nest(a: ExternalOp, b: ExternalOp, *, share: bool) -> bool:
    if not (conflict(a.touches, b.touches) or (share and of_arguments(a.touches, b.touches))):
        return False
    if a.op.name in _WHOLE or b.op.name in _WHOLE:
        return True  # the allocation moves, and only its nest can use the buffer
    loop = shared_loop(a.path, b.path)
    if loop is None:
        return False
    return not ((a.source or b.source) and _inside_one_herd(a, b))


def _inside_one_herd(a: ExternalOp, b: ExternalOp) -> bool:
    """Whether both are in one herd. If one put serves several cores, they cannot write to its buffer without a race."""
    common = [x for x, y in zip(a.path, b.path, strict=False) if x == y]
    return any(op.name == "air.herd" for op in common)
