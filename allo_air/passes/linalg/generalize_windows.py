"""generalize-windows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.cloning import clone_body
from allo_air.core.pass_ import Pass
from allo_air.core.walking import defining_op, walk_named
from allo_air.dialects.host_buffers import CASTS
from allo_air.mlir import AnyOp, arith, ir, linalg, tensor
from allo_air.passes._analysis.structured import indexing_maps, is_structured
from allo_air.passes._analysis.zeros import is_filled_with_zeros
from allo_air.passes._ir.generic import composed_map, maps_attr
from allo_air.passes._ir.named import generalize_named
from allo_air.passes._ir.tensors import all_parallel, empty, filled, zero_of
from allo_air.passes.linalg._pads_after_reshapes import pad_after_reshapes
from allo_air.passes.linalg._patches import Product, as_product

MEMO = "linalg.memoized_indexing_maps"
"""The attribute in which MLIR stores the maps of a named operation; it is wrong after the rewrite to linalg.generic."""


@dataclass(frozen=True)
class GeneralizeWindows(Pass):
    """Rewrites convolutions and poolings as linalg.generic, in forms that later passes share.

    A convolution starts at zero, and its initial value is added to the result. A window of one pixel becomes a matrix
    multiplication, without loops over the window. If windows do not overlap, the convolution becomes a matrix product whose
    rows are the windows. The operand that only gives the shape of a pooling's window is replaced by an empty tensor.

    Before:

        %c = linalg.conv_2d_nchw_fchw ins(%x, %w) outs(%bias)

    After:

        %zero = linalg.fill ins(%cst) outs(%empty)
        %s = linalg.generic {...(n, c, y + u, x + v), (f, c, u, v), (n, f, y, x)} ins(%x, %w) outs(%zero) { product, sum }
        %c = linalg.generic {...} ins(%s, %bias) outs(%empty) { sum }
    """

    name = "generalize-windows"

    def run(self, op: AnyOp, /) -> None:
        for function in walk_named(op, "func.func"):
            if not len(function.regions[0].blocks):
                continue
            named = [o.operation for o in function.regions[0].blocks[0].operations if _slides(o.operation)]
            generalize_named(function, named)
            pad_after_reshapes(function)
            generics = walk_named(function, "linalg.generic")
            for generic in generics:
                if MEMO in generic.attributes:
                    del generic.attributes[MEMO]
            for window in list(filter(_is_window, generics)):  # the rewrite erases elementwise operations behind
                _is_plain(window)


def _slides(op: ir.Operation) -> bool:
    return is_structured(op) and op.name != "linalg.generic" and linalg.isa_convolution_op(op) and len(op.results) == 1


def _is_window(generic: ir.Operation) -> bool:
    if len(generic.results) != 1 or not isinstance(generic.results[0].type, ir.RankedTensorType):
        return False
    return bool(linalg.isa_convolution_op(generic))


def _is_plain(generic: ir.Operation) -> None:
    [block] = generic.regions[0].blocks
    with ir.InsertionPoint(generic), generic.location:
        for number, value in enumerate(list(generic.operands)[:-1]):
            if isinstance(value.type, ir.RankedTensorType) and not list(block.arguments[number].uses):
                generic.operands[number] = empty(value.type)
        if _adds(generic):
            _start_from_zero(generic)
    if len(generic.operands) == 3 and (
        is_filled_with_zeros(generic.operands[2]) and (result := as_product(generic)) is not None
    ):
        _replace(generic, result)
    elif len(generic.operands) == 3:
        _drop_unit_window(generic)


def _replace(generic: ir.Operation, product: Product) -> None:
    """Replaces a convolution by a product, and elementwise operations that read it by such on the product's result."""
    last, value = generic, product.op.results[0]
    users = [u.owner.operation for u in generic.results[0].uses]
    if len(users) == 1:
        with ir.InsertionPoint(users[0]), users[0].location:
            after = product.followed_by(users[0], generic.results[0])
        if after is not None:
            last, value = users[0], after.results[0]
    with ir.InsertionPoint(last), last.location:
        result = product.arranged(value)
    last.results[0].replace_all_uses_with(result)
    if last != generic:
        last.erase()
    generic.erase()


def _adds(generic: ir.Operation) -> bool:
    """Whether the result is the initial value plus something."""
    [block] = generic.regions[0].blocks
    total = block.arguments[len(block.arguments) - 1]
    *_, last = [o.operation for o in block.operations]
    added = last.operands[0].owner
    return added.name in ("arith.addf", "arith.addi") and total in list(added.operands) and len(list(total.uses)) == 1


def _start_from_zero(generic: ir.Operation) -> None:
    """Makes the convolution's sum start at zero, and adds the initial value afterwards."""
    number = len(generic.operands) - 1
    begin = generic.operands[number]
    if is_filled_with_zeros(begin):
        return
    kind = begin.type
    element = kind.element_type
    zero = arith.constant(element, zero_of(element))
    generic.operands[number] = filled(zero, kind)
    with ir.InsertionPoint.after(generic):
        begin, along, body_of = _broadcast_source(begin)
        identity = ir.AffineMapAttr.get(ir.AffineMap.get_identity(len(kind.shape)))
        maps = ir.ArrayAttr.get([identity, ir.AffineMapAttr.get(along), identity])
        parallel = all_parallel(len(kind.shape))
        out = empty(kind)
        op = linalg.GenericOp([kind], [generic.results[0], begin], [out], maps, parallel)
        body = op.regions[0].blocks.append(element, begin.type.element_type, element)
        with ir.InsertionPoint(body):
            add = arith.addf if isinstance(element, ir.FloatType) else arith.addi
            value: ir.Value = body.arguments[1]
            if body_of is not None:
                _, [value] = clone_body(body_of, {body_of.arguments[0]: value})
            linalg.YieldOp([add(body.arguments[0], value)])
        generic.results[0].replace_all_uses_except(op.results[0], op.operation)


def _broadcast_source(value: ir.Value) -> tuple[Any, ir.AffineMap, ir.Block | None]:
    """If `value` is a broadcast: its source, the map from the source's dimensions, and the function applied to each element, if
    any.

    Otherwise, `value` itself with the identity map.
    """
    identity = ir.AffineMap.get_identity(len(value.type.shape))
    owner = defining_op(value, "linalg.broadcast", "linalg.generic")
    if owner is None:
        return value, identity, None
    maps, [block] = indexing_maps(owner), owner.regions[0].blocks
    [last, *rest] = [o.operation for o in reversed(list(block.operations))]
    reads = [v for op in (last, *rest) for v in op.operands]
    if len(maps) != 2 or maps[1] != identity or block.arguments[1] in reads or any(o.name not in CASTS for o in rest):
        return value, identity, None
    return owner.operands[0], maps[0], block if rest else None


def _drop_unit_window(generic: ir.Operation) -> None:
    """Drops the loops over a window of one pixel; the weights lose these dimensions."""
    maps = indexing_maps(generic)
    weights = generic.operands[1]
    shape = list(weights.type.shape)
    result = linalg.infer_convolution_dimensions(generic)
    window = set(result.filter_loop) if result is not None else set()
    axes = {ir.AffineDimExpr(e).position: a for a, e in enumerate(maps[1].results) if isinstance(e, ir.AffineDimExpr)}
    if not window or any(d not in axes or shape[axes[d]] != 1 for d in window) or any(s != 1 for s in result.strides):
        return
    loops = maps[0].n_dims
    kept_loops = [d for d in range(loops) if d not in window]
    kept_axes = [axis for axis in range(len(shape)) if axis not in {axes[d] for d in window}]
    replaced = [
        ir.AffineConstantExpr.get(0) if d in window else ir.AffineDimExpr.get(kept_loops.index(d)) for d in range(loops)
    ]
    loop_map = ir.AffineMap.get(len(kept_loops), 0, replaced)
    new = [composed_map(m, loop_map) for m in maps]
    new[1] = ir.AffineMap.get(len(kept_loops), 0, [new[1].results[axis] for axis in kept_axes])
    with ir.InsertionPoint(generic), generic.location:
        kind = ir.RankedTensorType.get([shape[axis] for axis in kept_axes], weights.type.element_type)
        generic.operands[1] = tensor.collapse_shape(kind, weights, _groups(len(shape), kept_axes))
    generic.attributes["indexing_maps"] = maps_attr(new)
    kinds = list(generic.attributes["iterator_types"])
    generic.attributes["iterator_types"] = ir.ArrayAttr.get([kinds[d] for d in kept_loops])


def _groups(rank: int, kept_axes: list[int]) -> list[list[int]]:
    """Groups of dimensions for a collapse to `kept_axes` of `rank`: each with the dropped dimensions after it, the first one
    also with those before it.
    """
    groups: list[list[int]] = []
    for axis in range(rank):
        if axis in kept_axes and (not groups or axis != kept_axes[0]):
            groups.append([axis] if groups or axis == 0 else list(range(axis + 1)))
        elif groups:
            groups[-1].append(axis)
    return groups
