"""Copies the operands of a loop's body to a closer memory: copied in at the view, and copied back at the end of its block."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.walking import parents
from allo_air.dialects.memrefs import memory_space
from allo_air.mlir import ir, memref
from allo_air.passes._analysis.alias import VIEWS, root_of
from allo_air.passes._analysis.effects import Access, accesses
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes.bind._covers import covers

_DYNAMIC = ir.ShapedType.get_dynamic_size


def promote_in_cores(core: ir.Operation, space: ir.IntegerAttr) -> None:
    """Copies to `space` the data that operations in loop `core` access in external memory."""
    results = [a for a in accesses(core) if memory_space(a.memref.type) == 0 and a.kind != "free"]
    touched = {a.memref for a in results}
    homes = {value: next((v for v in reversed(_chain(value)) if v in touched), value) for value in touched}
    _check_apart(core, results, homes)
    for home in dict.fromkeys(homes[a.memref] for a in results):
        core_accesses = [a for a in results if homes[a.memref] == home]
        _promote(home, core, core_accesses, space, overwrites)


def promote_to_l2(launch: ir.Operation, cores: list[ir.Operation], space: ir.IntegerAttr) -> None:
    """Copies to `space` the views created in `launch` around `cores`, loops, that copies in these use."""
    results = [(core, a) for core in cores for a in accesses(core) if memory_space(a.memref.type) == 0 and a.kind != "free"]
    homes = [(a, home) for core, a in results if (home := _captured(a.memref, launch, core)) is not None]
    for home in dict.fromkeys(home for _, home in homes):
        _promote(home, launch, [a for a, buffer in homes if buffer == home], space, covers)


def _captured(value: ir.Value, launch: ir.Operation, core: ir.Operation) -> Any:
    """The view on the path to `value` that is created in `launch`, outside of `core`; None if there is none."""
    for view in (value, *_chain(value)):
        if isinstance(view, ir.OpResult) and view.owner.name in VIEWS:
            ancestors = list(parents(view.owner))
            if core not in ancestors:
                return view if launch in ancestors else None
    return None


def _chain(value: ir.Value) -> list[Any]:
    """The views that lead to `value`, the closest first."""
    results = []
    while isinstance(value, ir.OpResult) and value.owner.name in VIEWS:
        value = value.owner.operands[0]
        results.append(value)
    return results


def _are_disjoint(first: ir.Value, second: ir.Value) -> bool:
    """Whether two views of a buffer are disjoint boxes of it."""
    views = [v.owner.opview for v in (first, second) if isinstance(v, ir.OpResult) and v.owner.name == "memref.subview"]
    if len(views) < 2 or views[0].source != views[1].source:
        return False
    unknown = ir.ShapedType.get_dynamic_size()
    sides = [list(zip(v.static_offsets, v.static_sizes, v.static_strides, strict=True)) for v in views]
    for (a, m, s), (b, n, t) in zip(*sides, strict=True):
        if unknown not in (a, b, m, n, s, t) and (a + (m - 1) * s < b or b + (n - 1) * t < a):
            return True
    return False


def _check_apart(core: ir.Operation, items: list[Access], homes: dict[ir.Value, ir.Value]) -> None:
    for access in items:
        for later in items:
            if (
                later.kind == "read"
                or homes[access.memref] == homes[later.memref]
                or root_of(access.memref) != root_of(later.memref)
                or _are_disjoint(homes[access.memref], homes[later.memref])
            ):
                continue
            raise error_at(
                access.op,
                f"works on a buffer that '{later.op.name}' writes through another view, so that neither can be copied to L1 by"
                " itself; use one view for both, or place the copies with memory spaces 1 (L2) and 2 (L1)",
            )


def _promote(
    home: ir.Value,
    loop: ir.Operation,
    core_accesses: list[Access],
    space: ir.IntegerAttr,
    is_whole: Callable[[list[Access], ir.Value, ir.Block], bool],
) -> None:
    kind = home.type
    if not isinstance(kind, ir.MemRefType) or not kind.has_static_shape:
        raise error_at(
            core_accesses[0].op, f"works on {kind}, and only buffers of static shape are copied to the cores; pad the tiles"
        )
    local = ir.MemRefType.get(kind.shape, kind.element_type, None, space)
    is_view = isinstance(home, ir.OpResult) and loop in list(parents(home.owner))
    block = home.owner.operation.block if is_view else loop.regions[0].blocks[0]
    ops = [o.operation for o in block.operations]
    start = ops[ops.index(home.owner.operation) + 1] if is_view else ops[0]
    uses = [u for u in home.uses if loop in list(parents(u.owner.operation))]
    location = core_accesses[0].op.location
    result = memref.alloc(local, [], [], loc=location, ip=ir.InsertionPoint(start))
    if not is_whole(core_accesses, home, block):
        _copy(home, result, ir.InsertionPoint(start), location)
    for use in uses:
        _use(use.owner.operation, use.operand_number, result)
    ip = ir.InsertionPoint(ops[-1])
    if any(a.kind != "read" for a in core_accesses):
        _copy(result, home, ip, location)
    memref.DeallocOp(result, loc=location, ip=ip)


def _copy(source: ir.Value, target: ir.Value, ip: ir.InsertionPoint, location: ir.Location) -> None:
    memref.CopyOp(source, target, loc=location, ip=ip)


def _use(user: ir.Operation, number: int, value: ir.Value) -> None:
    """Makes `user` take `value` as its operand `number`; a view of it gets the resulting layout."""
    user.operands[number] = value
    if user.name not in VIEWS or number:
        return
    kind, old = value.type, user.results[0].type
    if user.name != "memref.subview":
        raise error_at(user, "reinterprets a tile that must be copied; copy it explicitly with memory spaces 1 (L2) and 2 (L1)")
    view: Any = user.opview
    strides, start = kind.get_strides_and_offset()
    steps = [s * n for s, n in zip(strides, view.static_strides, strict=True)]
    sizes, shape = list(view.static_sizes), list(old.shape)
    part_strides = []
    for n, size in enumerate(sizes):
        if shape and size == shape[0] and len(sizes) - n >= len(shape):
            part_strides.append(steps[n])
            shape.pop(0)
    dynamic = _DYNAMIC()
    offsets = list(view.static_offsets)
    offset = ir.ShapedType.get_dynamic_stride_or_offset()
    if dynamic not in offsets and start != offset:
        offset = start + sum(o * s for o, s in zip(offsets, strides, strict=True))
    layout = ir.StridedLayoutAttr.get(offset, part_strides)
    user.results[0].set_type(ir.MemRefType.get(old.shape, old.element_type, layout, kind.memory_space))
    for use in list(user.results[0].uses):
        _use(use.owner.operation, use.operand_number, user.results[0])


def overwrites(core_accesses: list[Access], home: ir.Value, block: ir.Block) -> bool:
    """Whether the first access, in `block` itself, writes all of `home` and reads none of it."""
    op: Any = core_accesses[0].op.operation
    if core_accesses[0].kind == "read" or core_accesses[0].memref != home or op.block != block:
        return False
    if op.name in ("memref.copy", "linalg.fill", "linalg.copy"):
        return True
    if op.name == "vector.transfer_write":
        return list(op.operands[0].type.shape) == list(home.type.shape)
    numbers = [i for i, v in enumerate(op.operands) if v == home]
    if (
        not op.name.startswith("linalg.")
        or not len(op.regions)
        or len(numbers) != 1
        or len(list(op.regions[0].blocks[0].arguments[numbers[0]].uses))
    ):
        return False
    return bool(indexing_maps(op)[numbers[0]].is_projected_permutation)
