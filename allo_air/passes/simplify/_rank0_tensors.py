"""Rewrites numbers that are computed between tensor operations as rank-0 tensors, which kernels accept as operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.cloning import clone, replace
from allo_air.core.constants import constant_of
from allo_air.core.walking import body_of, defining_op, walk_post_order
from allo_air.mlir import AnyOp, ir, tensor
from allo_air.passes._ir.generic import Argument, Generic, generic, rewrite
from allo_air.passes._ir.tensors import empty


def use_rank0_tensors(function: AnyOp) -> None:
    """Makes operations use a computed number as a rank-0 tensor.

    Before:

        %s = tensor.extract %t[%c1] : tensor<3xf32>
        %y = linalg.generic ins(%x : tensor<64xf32>) outs(%e) { ^bb0(%a, %o): %m = arith.mulf %a, %s ... }

    After:

        %s = tensor.extract_slice %t[1] [1] [1] : tensor<3xf32> to tensor<f32>
        %y = linalg.generic {(i) -> (i), (i) -> (), ...} ins(%x, %s) outs(%e) { ^bb0(%a, %b, %o): %m = arith.mulf %a, %b ... }
    """
    rank0 = dict[Any, Any]()
    for op in body_of(function):
        if op.name == "linalg.generic" and len(op.results):
            _move_into_generic(Generic.of(op), rank0)
        elif op.name in ("linalg.fill", "tensor.splat") and _is_computed(op.operands[0]):
            with ir.InsertionPoint(op), op.location:
                replace(op, [_broadcast(_rank0_tensor(op.operands[0], rank0), op.results[0].type)])
        elif op.name == "tensor.pad":
            _pad(op, rank0)
        elif op.name == "tensor.from_elements" and any(map(_is_computed, op.operands)):
            with ir.InsertionPoint(op), op.location:
                replace(op, [_joined([_rank0_tensor(v, rank0) for v in op.operands], op.results[0].type)])
        elif op.name == "tensor.insert" and _is_computed(op.operands[0]):
            _insert(op, rank0)


def _is_computed(value: ir.Value) -> bool:
    """Whether the number `value` is computed from tensor elements."""
    result = defining_op(value)
    if result is None or isinstance(value.type, ir.ShapedType):
        return False
    if result.name == "tensor.extract":
        return True
    return len(result.results) == 1 and result.name.startswith(("arith.", "math.")) and any(map(_is_computed, result.operands))


def _computed_numbers(value: ir.Value) -> list[Any]:
    """The computed numbers, other than indices, on which `value` depends; `value` may be one of them."""
    if not isinstance(value.type, ir.IndexType):
        return [value]
    return [n for v in value.owner.operands if _is_computed(v) for n in _computed_numbers(v)]


def _rank0_tensor(value: ir.Value, rank0: dict[ir.Value, ir.Value]) -> Any:
    """A rank-0 tensor with the number `value`, created once, where `value` is defined."""
    if value in rank0:
        return rank0[value]
    element = value.type
    result = defining_op(value)
    kind = ir.RankedTensorType.get([], element)
    ip = ir.InsertionPoint.at_block_begin(value.owner) if result is None else ir.InsertionPoint(result)
    indices = list(result.operands)[1:] if result is not None and result.name == "tensor.extract" else []
    places = [n for v in indices if (n := constant_of(v)) is not None]
    if result is not None and result.name == "tensor.extract" and len(places) == len(indices):
        with ip, result.location:
            source = result.operands[0]
            ones = [1] * len(places)
            rank0[value] = tensor.ExtractSliceOp(kind, source, [], [], [], places, ones, ones).result if places else source
        return rank0[value]
    computed = [v for v in result.operands if _is_computed(v)] if result is not None else []
    leaves = list(dict.fromkeys(n for v in computed for n in _computed_numbers(v)))
    inputs = [_rank0_tensor(number, rank0) for number in leaves]

    def body(arguments: Sequence[ir.Value]) -> list[Any]:
        mapping = dict(zip(leaves, arguments, strict=False))
        for v in computed:
            _copy(v, mapping)
        return [value if result is None or not computed else clone(result, mapping).results[0]]

    with (
        ip if result is None else ir.InsertionPoint(result),
        value.owner.location if result is not None else ir.Location.unknown(),
    ):
        scalar_map = ir.AffineMap.get(0, 0, [])
        rank0[value] = generic(inputs, [empty(kind)], [scalar_map] * (len(inputs) + 1), [], body).results[0]
    return rank0[value]


def _copy(value: ir.Value, mapping: dict[ir.Value, ir.Value]) -> None:
    """Copies the operations that compute an index from `mapping` numbers."""
    if value in mapping:
        return
    for v in value.owner.operands:
        if _is_computed(v):
            _copy(v, mapping)
    clone(value.owner.operation, mapping)


def _move_into_generic(generic_op: Generic, rank0: dict[ir.Value, ir.Value]) -> None:
    inside = {r for o in walk_post_order(generic_op.op) for r in o.results} if len(generic_op.body) else set()
    used = [v for o in walk_post_order(generic_op.op) for v in o.operands if o != generic_op.op and v not in inside]
    computed_values = list(dict.fromkeys(v for v in used if not isinstance(v, ir.BlockArgument) and _is_computed(v)))
    numbers = [v for v in generic_op.inputs if _is_computed(v)]
    if not computed_values and not numbers:
        return
    leaves = list(dict.fromkeys([*numbers, *(n for v in computed_values for n in _computed_numbers(v))]))
    scalar_map = ir.AffineMap.get(len(generic_op.iterators), 0, [])
    kept_inputs = [(v, m) for v, m in zip(generic_op.inputs, generic_op.maps, strict=False) if v not in numbers]
    first, arguments = len(kept_inputs), list[Argument]()
    count = 0
    for v in generic_op.inputs:
        arguments.append(first + leaves.index(v) if v in numbers else count)
        count += v not in numbers
    outs = range(first + len(leaves), first + len(leaves) + len(generic_op.outs))
    inputs = [*kept_inputs, *((_rank0_tensor(v, rank0), scalar_map) for v in leaves)]
    result = rewrite(generic_op, inputs, [*arguments, *outs])
    block = result.regions[0].blocks[0]
    mapping = dict(zip(leaves, list(block.arguments)[first:], strict=False))
    old = [o.operation for o in block.operations]
    with ir.InsertionPoint.at_block_begin(block), result.location:
        for v in computed_values:
            _copy(v, mapping)
    for op in (inner for o in old for inner in walk_post_order(o)):
        for n, v in enumerate(op.operands):
            if v in mapping:
                op.operands[n] = mapping[v]


def _broadcast(number: ir.Value, kind: ir.RankedTensorType) -> Any:
    """A tensor of type `kind` whose elements all are `number`, a rank-0 tensor."""
    rank = len(kind.shape)
    maps = [ir.AffineMap.get(rank, 0, []), ir.AffineMap.get_identity(rank)]
    return generic([number], [empty(kind)], maps, ["parallel"] * rank, lambda values: values[:1]).results[0]


def _joined(numbers: Sequence[ir.OpResult], kind: ir.RankedTensorType) -> Any:
    """A tensor of type `kind` of the rank-0 tensors `numbers`."""
    one = ir.RankedTensorType.get([1], kind.element_type)
    if not kind.shape:
        return numbers[0]
    parts = [tensor.ExpandShapeOp(one, v, [], [], [1]).result for v in numbers]
    flat = ir.RankedTensorType.get([len(parts)], kind.element_type)
    part = parts[0] if len(parts) == 1 else tensor.ConcatOp(flat, 0, parts).result
    if len(kind.shape) == 1:
        return part
    return tensor.ExpandShapeOp(kind, part, [list(range(len(kind.shape)))], [], list(kind.shape)).result


def _pad(op: AnyOp, rank0: dict[ir.Value, ir.Value]) -> None:
    """Replaces a pad with a computed number by a pad with a slice of a tensor."""
    block = op.regions[0].blocks[0]
    [number] = block.operations[-1].operands
    low, high = (list(op.attributes[f"static_{n}"]) for n in ("low", "high"))
    if not _is_computed(number) or number.owner.operation.parent == op or min([0, *low, *high]) < 0:
        return
    with ir.InsertionPoint(op), op.location:
        filled = _broadcast(_rank0_tensor(number, rank0), op.results[0].type)
        sizes = list(op.operands[0].type.shape)
        replace(op, [tensor.InsertSliceOp(op.operands[0], filled, [], [], [], low, sizes, [1] * len(sizes)).result])


def _insert(op: AnyOp, rank0: dict[ir.Value, ir.Value]) -> None:
    """Replaces the insertion of a number at a static position by that of a slice."""
    numbers = [constant_of(v) for v in list(op.operands)[2:]]
    places = [n for n in numbers if n is not None]
    if len(places) < len(numbers):
        return
    ones = [1] * len(places)
    with ir.InsertionPoint(op), op.location:
        number = _rank0_tensor(op.operands[0], rank0)
        replace(op, [tensor.InsertSliceOp(number, op.operands[1], [], [], [], places, ones, ones).result])
