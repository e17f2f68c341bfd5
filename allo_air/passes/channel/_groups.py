"""Which operations that leave a hierarchy have to share one nest of loops outside of it, and which must wait for which."""

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
    """`externals` of one hierarchy, in the order of the text, those in one list that share a nest.

    A nest runs its operations in program order. Ends of different channels have a nest each, so that none holds up the other,
    unless both touch the same buffer, one of them writes it, and a loop takes turns between them: two loops beside each other
    would let the reader of iteration k + 1 run ahead of the writer of iteration k. With `share`, ends on two arguments of a
    function, of which one is written, share a nest, too: they are then issued by turns, as the cores need them.
    """
    groups: list[list[ExternalOp]] = []
    for external in externals:
        tied = [g for g in groups if any(_tied(earlier, external, share=share) for earlier in g)]
        merged = [s for g in tied for s in g] + [external]
        groups = [g for g in groups if g not in tied] + [merged]
    order = {id(s): n for n, s in enumerate(externals)}
    return sorted((sorted(g, key=lambda s: order[id(s)]) for g in groups), key=lambda g: order[id(g[0])])


def waits_for(later: list[ExternalOp], earlier: list[ExternalOp]) -> bool:
    """Whether nest `later` must wait for all of nest `earlier`.

    A write after a read needs no token if both ends inside stay and are ordered by tokens or by a core's single thread:
    data leave the hierarchy after the data that were read entered it.
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
    """Whether two transfers, of channels of their own, move constant parts of one buffer that share no element."""
    one, other = _part(a.op), _part(b.op)
    if one is None or other is None or a.op.opview.chan_name == b.op.opview.chan_name:
        return False
    (root, mine, indices), (other_root, rest, _) = one, other
    return root == other_root and not mine.meets(rest, indices)


def _part(op: AnyOp) -> tuple[ir.Value, Footprint, IndexValues] | None:
    """The buffer of a put or get, and the part that it moves each time; None if the part is not constant."""
    if op.name not in ("air.channel.put", "air.channel.get"):
        return None
    view, side, indices = op.opview, "src" if op.name == "air.channel.put" else "dst", IndexValues()
    memref, lists = getattr(view, side), [getattr(view, f"{side}_{part}") for part in ("offsets", "sizes", "strides")]
    result = footprint_of(memref, lists, indices)
    return None if result is None or result.first.terms else (root_of(memref), result, indices)


def _tied(a: ExternalOp, b: ExternalOp, *, share: bool) -> bool:
    if not (conflict(a.touches, b.touches) or (share and of_arguments(a.touches, b.touches))):
        return False
    if a.op.name in _WHOLE or b.op.name in _WHOLE:
        return True  # the buffer itself moves: it is only known in the nest that allocates it
    loop = shared_loop(a.path, b.path)
    if loop is None:
        return False
    return not ((a.source or b.source) and _inside_one_herd(a, b))


def _inside_one_herd(a: ExternalOp, b: ExternalOp) -> bool:
    """Whether both are in one herd. Cores that share data which is put once then cannot write to it without a race."""
    common = [x for x, y in zip(a.path, b.path, strict=False) if x == y]
    return any(op.name == "air.herd" for op in common)
