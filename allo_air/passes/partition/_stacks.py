"""Elementwise operations on a concatenation of equal parts have the dimensions of its parts, so that one kernel does both."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from allo_air.core.cloning import clone_body, replace
from allo_air.core.walking import defining_op, is_unused, is_used_once, walk_named
from allo_air.mlir import AnyOp, ir, tensor
from allo_air.passes._analysis.structured import reassociation
from allo_air.passes._ir.generic import Generic, extents, generic, generics
from allo_air.passes._ir.tensors import empty
from allo_air.passes.partition._roles import VIEWS
from allo_air.passes.partition._slices import reshape_first

Groups = list[list[int]]
Sizes = list[list[int]]


def sink_stacks(function: AnyOp) -> None:
    """Gives elementwise operations the dimensions of the concatenation that they read, and collapses their results instead. So
    do the elementwise operations that read these results, and those that compute other operands of any of them.

    Before: `%c = collapse_shape %parts [[0], [1, 2]]`, `%y = generic ins(%c, %x : tensor<8x64xf32>, tensor<8x64xf32>)`;
    after: `%e = expand_shape %x [[0], [1, 2]]`, `%y = generic ins(%parts, %e : tensor<8x2x32xf32>, tensor<8x2x32xf32>)`,
    `%c = collapse_shape %y [[0], [1, 2]]`.
    """
    for view in reversed(walk_named(function, *VIEWS)):
        if is_unused(view.results[0]):
            view.erase()
    for collapse in walk_named(function, "tensor.collapse_shape"):
        inner = defining_op(collapse.operands[0], "tensor.collapse_shape", "tensor.expand_shape")
        if inner is not None and is_used_once(inner.results[0]):
            _reshape_once(inner, collapse)
    sunk = list[AnyOp]()
    for generic_op in generics(function):
        for value, map_ in zip(generic_op.inputs, generic_op.maps, strict=False):
            stack = _stack(value, sunk)
            if stack is None or not map_.is_projected_permutation:
                continue
            producer, sizes = stack.operands[0].owner.operation, _split(generic_op, map_, stack)
            if _is_selection(generic_op.op) and _is_selection(producer):
                continue  # many parts are concatenated a few at a time
            if _is_movable(generic_op, sizes):
                sunk += [] if producer in sunk else [producer]
                sunk.append(_sink(generic_op, sizes, stack))
                break
    for op in sunk:
        sunk += [raised for v in op.operands if (raised := _raised(v)) is not None]


def _is_movable(generic_op: Generic, sizes: Sizes) -> bool:
    """Whether the loops of an operation can be split into `sizes`: it is elementwise, uses no index of a split loop, and reads
    each operand by a permutation of some loops.
    """
    indices = [int(index.attributes["dim"]) for index in walk_named(generic_op.op, "linalg.index")]
    is_plain = generic_op.is_elementwise and all(len(sizes[n]) == 1 for n in indices)
    return is_plain and all(m.is_projected_permutation for m in generic_op.maps)


def _split(generic_op: Generic, map_: ir.AffineMap, reshape: AnyOp) -> Sizes:
    """The sizes of the loops into which each loop is split if an operand, which is read by `map_`, has the dimensions that
    `reshape` collapses, or expands to.
    """
    sizes: Sizes = [[n] for n in extents(generic_op)]
    wide = (reshape.operands[0] if reshape.name == "tensor.collapse_shape" else reshape.results[0]).type.shape
    for expression, group in zip(map_.results, reassociation(reshape), strict=True):
        sizes[ir.AffineDimExpr(expression).position] = [wide[n] for n in group]
    return sizes


def _raised(value: ir.Value) -> AnyOp | None:
    """The operation that computes `value` in its dimensions, if this is an expanded result of an elementwise operation that
    nothing else reads; None otherwise. An expanded slice becomes a slice.
    """
    expand = defining_op(value, "tensor.expand_shape")
    if expand is None or not is_used_once(value):
        return None
    with ir.InsertionPoint(expand), expand.location:
        cut = reshape_first(expand)
    if cut is not None:
        replace(expand, [cut])
        return None
    producer = defining_op(expand.operands[0], "linalg.generic")
    if producer is None or len(producer.results) != 1 or not is_used_once(producer.results[0]):
        return None
    generic_op = Generic.of(producer)
    sizes = _split(generic_op, generic_op.maps[-1], expand)
    if not _is_movable(generic_op, sizes):
        return None
    result = _in_dimensions(generic_op, sizes)
    replace(expand, [result.results[0]])
    producer.erase()
    return result


def _stack(value: ir.Value, sunk: list[AnyOp]) -> AnyOp | None:
    """The operation that collapses a selection by index, or the result of one of `sunk`, into `value`, if nothing else reads
    either.
    """
    collapse = defining_op(value, "tensor.collapse_shape")
    if collapse is None or not is_used_once(value) or not is_used_once(collapse.operands[0]):
        return None
    producer = defining_op(collapse.operands[0], "linalg.generic")
    return collapse if producer is not None and (producer in sunk or _is_selection(producer)) else None


def _is_selection(op: AnyOp) -> bool:
    return bool(walk_named(op, "linalg.index"))


def _reshape_once(inner: AnyOp, collapse: AnyOp) -> None:
    """Replaces `collapse` and `inner`, whose result it collapses, by one operation or by none."""
    [value] = inner.operands
    if inner.name == "tensor.collapse_shape":
        own = reassociation(inner)
        groups = [[n for group in outer_group for n in own[group]] for outer_group in reassociation(collapse)]
        with ir.InsertionPoint(collapse), collapse.location:
            value = tensor.CollapseShapeOp(collapse.results[0].type, value, groups).result
    if value.type == collapse.results[0].type:
        replace(collapse, [value])
        inner.erase()


def _sink(generic_op: Generic, sizes: Sizes, collapse: AnyOp) -> AnyOp:
    """Replaces `generic_op`, which reads the result of `collapse`, by one that reads the operand; returns that one."""
    result, groups = _in_dimensions(generic_op, sizes, collapse), _groups(sizes)
    with ir.InsertionPoint(generic_op.op), generic_op.op.location:
        for old, new in zip(list(generic_op.op.results), result.results, strict=True):
            old.replace_all_uses_with(tensor.CollapseShapeOp(old.type, new, groups).result)
    generic_op.op.erase()
    if is_unused(collapse.results[0]):
        collapse.erase()
    return result


def _groups(sizes: Sizes) -> Groups:
    """The numbers of the loops into which each loop is split."""
    ends = list(accumulate(map(len, sizes)))
    return [list(range(end - len(own), end)) for end, own in zip(ends, sizes, strict=True)]


def _in_dimensions(generic_op: Generic, sizes: Sizes, collapse: AnyOp | None = None) -> AnyOp:
    """`generic_op` with loops split into `sizes`; it reads the operand of `collapse` as it is."""
    groups, shape = _groups(sizes), [n for own in sizes for n in own]
    with ir.InsertionPoint(generic_op.op), generic_op.op.location:
        loops = [[ir.AffineDimExpr(e).position for e in m.results] for m in generic_op.maps]
        maps = [
            ir.AffineMap.get(len(shape), 0, [ir.AffineDimExpr.get(n) for loop in own for n in groups[loop]]) for own in loops
        ]
        inputs = [
            collapse.operands[0] if collapse is not None and v == collapse.results[0] else _expanded(v, own, groups, shape)
            for v, own in zip(generic_op.inputs, loops, strict=False)
        ]
        kinds = zip(generic_op.outs, loops[len(inputs) :], strict=True)
        outs = [empty(_expanded_type(v.type, own, groups, shape)) for v, own in kinds]
        result = generic(inputs, outs, maps, ["parallel"] * len(shape), lambda values: _body(generic_op, values))
    for index in walk_named(result.operation, "linalg.index"):
        index.attributes["dim"] = ir.IntegerAttr.get(index.attributes["dim"].type, groups[int(index.attributes["dim"])][0])
    operation: AnyOp = result.operation
    return operation


def _body(generic_op: Generic, values: list[ir.Value]) -> list[Any]:
    return list(clone_body(generic_op.block, dict(zip(generic_op.arguments, values, strict=True)))[1])


def _own_groups(loops: list[int], groups: Groups) -> Groups:
    """The dimensions of an expanded operand that each of its former dimensions, for `loops`, consists of."""
    own, start = Groups(), 0
    for loop in loops:
        own.append(list(range(start, start + len(groups[loop]))))
        start += len(groups[loop])
    return own


def _expanded_type(kind: ir.RankedTensorType, loops: list[int], groups: Groups, shape: list[int]) -> ir.RankedTensorType:
    return ir.RankedTensorType.get([shape[n] for loop in loops for n in groups[loop]], kind.element_type)


def _expanded(value: Any, loops: list[int], groups: Groups, shape: list[int]) -> Any:
    """`value`, an operand with the dimensions `loops`, in the dimensions that `groups` split them into."""
    if not isinstance(value.type, ir.RankedTensorType) or all(len(groups[loop]) == 1 for loop in loops):
        return value
    kind = _expanded_type(value.type, loops, groups, shape)
    return tensor.expand_shape(kind, value, _own_groups(loops, groups), [], list(kind.shape))
