"""Checks whether instances of a launch, segment or herd write data that other instances access, in buffers of their own
memory level.
"""

from __future__ import annotations

from itertools import product
from math import prod

from allo_air.access.dims import overlap, row_major, volume
from allo_air.access.footprint import Footprint
from allo_air.access.linear import Linear
from allo_air.core.constants import constant_of
from allo_air.core.walking import parents
from allo_air.dialects.air import L1, L2, L3
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.effects import Access
from allo_air.passes._analysis.findings import Findings
from allo_air.passes._analysis.footprint import visited
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._analysis.memory import is_in
from allo_air.passes._analysis.private import access_lists, accesses_in

_LEVELS = {"air.launch": L3, "air.segment": L2, "air.herd": L1}
_MOST_PAIRS, _MOST_ELEMENTS = 1 << 10, 1 << 16
"""Largest number of distances between instances, and of elements of an access, that are compared; above them the result is
unknown.
"""


def check_instances(hierarchy: ir.Operation, findings: Findings, *, strict: bool) -> None:
    """Reports writes of instances of `hierarchy` to elements that other instances access. Undecided cases are errors with
    `strict`, otherwise warnings.
    """
    view = hierarchy.opview
    sizes = [constant_of(size) or 1 for size in view.sizes]
    if prod(sizes) == 1:
        return
    indices = IndexValues()
    done = list(accesses_in(hierarchy))
    for argument in dict.fromkeys(root_of(a) for a in view.args if is_in(a.type, _LEVELS[hierarchy.name])):
        own_accesses = [a for a in done if a.root == argument and a.kind != "free"]
        if all(a.kind == "read" for a in own_accesses) or _is_shrunk(argument):
            continue
        if hierarchy.name == "air.herd" and any(_is_told_apart(a.op, view.ids, indices) for a in own_accesses):
            continue
        results = [(a, _over_instance(a, hierarchy, indices)) for a in own_accesses]
        for write, touched in ((a, t) for a, t in results if a.kind != "read"):
            text = f"writes {argument.type}"
            verdict = _verdict(touched, [t for _, t in results], view.ids, sizes)
            kind = hierarchy.name.removeprefix("air.")
            if verdict and write.kind == "update":
                verdict = None  # the operation's effect on the buffer is unknown
            if verdict:
                findings.error(write.op, f"{text} where another instance of the {kind} touches it; give each a part of its own")
            elif verdict is None:
                report = findings.error if strict else findings.warning
                report(write.op, f"{text}, and it cannot be decided whether another instance of the {kind} touches that part")


def _is_told_apart(op: AnyOp, ids: list[ir.Value], indices: IndexValues) -> bool:
    """Whether a channel's index, or a number that is passed to a call, depends on `ids`. The buffer is then taken to be
    private to each core.
    """
    if op.name in ("air.channel.put", "air.channel.get"):
        operands = list(op.opview.indices)
    elif op.name == "func.call":
        operands = [v for v in op.operands if isinstance(v.type, ir.IndexType | ir.IntegerType)]
    else:
        return False
    return any(id_ in dict(indices.value(v).terms) for v in operands for id_ in ids)


def _is_shrunk(root: ir.Value) -> bool:
    owner = getattr(root.owner, "attributes", {})
    return any(name in owner and bool(owner[name].value) for name in ("air.shrinkage", "shrinkage"))


def _over_instance(access: Access, hierarchy: AnyOp, indices: IndexValues) -> Footprint | None:
    """The elements that `access` touches in one instance of `hierarchy`, in terms of its ids and of outer values."""
    footprint = _element(access, indices) or visited(access.memref, access_lists(access), indices)
    for outer in parents(access.op):
        if outer == hierarchy or footprint is None:
            return footprint
        for region in outer.regions:
            for block in region.blocks:
                footprint = footprint and footprint.over(block, indices)
    return footprint


def _element(access: Access, indices: IndexValues) -> Footprint | None:
    """The element that a load or store touches; None for other accesses and for accesses of views."""
    if access.op.name not in ("memref.load", "memref.store") or isinstance(access.memref, ir.OpResult):
        return None
    places = list(access.op.operands)[-len(access.memref.type.shape) :] if len(access.memref.type.shape) else []
    first = Linear(0)
    for place, stride in zip(places, row_major(tuple(access.memref.type.shape)), strict=True):
        first += indices.value(place).scaled(stride)
    return Footprint(first, ())


def _verdict(write: Footprint | None, footprints: list[Footprint | None], ids: list[ir.Value], sizes: list[int]) -> bool | None:
    """Whether two different instances access the same element; None if that is unknown."""
    if write is None or None in footprints or prod(2 * size - 1 for size in sizes) > _MOST_PAIRS:
        return None
    factors = [dict(write.first.terms).get(id_, 0) for id_ in ids]
    unknown = False
    for footprint in (o for o in footprints if o is not None):
        if footprint.first.terms != write.first.terms:
            unknown = True
            continue
        for step in product(*(range(1 - size, size) for size in sizes)):
            if not any(step):
                continue
            moved = write.first.constant + sum(f * s for f, s in zip(factors, step, strict=True))
            near, far = Footprint(Linear(moved), write.steps), Footprint(Linear(footprint.first.constant), footprint.steps)
            met = _share(near, far)
            if met:
                return True
            unknown = unknown or met is None
    return None if unknown else False


def _share(a: Footprint, b: Footprint) -> bool | None:
    (low, high), (least, most) = a.span, b.span
    if high < least or most < low:
        return False
    if any(volume(f.steps) > _MOST_ELEMENTS for f in (a, b)):
        return None
    return overlap(a.steps, a.first.constant, b.steps, b.first.constant)
