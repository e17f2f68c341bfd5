"""Moves concatenations of rows from the results of elementwise operations and products to their operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.walking import defining_op, walk_named
from allo_air.mlir import ir, tensor
from allo_air.passes._analysis.structured import indexing_maps, reductions
from allo_air.passes._ir.generic import Generic, drop_unused
from allo_air.passes._ir.tensors import empty

Key = Callable[[ir.Operation], object]
_RESHAPES = ("tensor.expand_shape", "tensor.collapse_shape")


def lift_concats(function: ir.Operation, is_product: Callable[[ir.Operation], bool], body: Key) -> None:
    """Rewrites concatenations of what groups of rows are computed by, so that each product has one of its own.

    `is_product` says whether an operation multiplies rows by a weight; `body` is equal for elementwise operations that compute
    the same.

    Before (g of each group, h of each group):

        %r = tensor.concat dim(0) (silu(g0) * h0) @ %c0, (silu(g1) * h1) @ %c1

    After:

        %g = tensor.concat dim(0) %g0, %g1
        %h = tensor.concat dim(0) %h0, %h1
        %s = silu(%g) * %h
        %r = tensor.concat dim(0) %s[rows of 0] @ %c0, %s[rows of 1] @ %c1
    """
    for concat in walk_named(function, "tensor.concat"):
        if concat.attributes["dim"].value == 0 and len(concat.results[0].type.shape) == 2 and len(concat.operands) > 1:
            lift = _Lift(concat, is_product, body)
            values = tuple(concat.operands)
            if not lift.is_leaf(values) and lift.can(values):
                concat.results[0].replace_all_uses_with(lift.lifted(values))
                drop_unused(function)


class _Lift:
    def __init__(self, concat: ir.Operation, is_product: Callable[[ir.Operation], bool], body: Key) -> None:
        self.concat, self.is_product, self.body = concat, is_product, body
        self.known: dict[tuple[Any, ...], Any] = {}

    def is_leaf(self, values: Sequence[ir.Value]) -> bool:
        """Whether each value is a product of rows of a matrix with a weight, possibly with an elementwise chain that only it
        feeds.
        """
        for value in values:
            result = _maker(value)
            while (
                result is not None
                and is_elementwise(result)
                and len(result.operands) == 2
                and _is_used_once(result.operands[0])
            ):
                result = _maker(result.operands[0])
            if result is None or not self.is_product(result) or not _is_rows(result.operands[0]):
                return False
        return True

    def can(self, values: Sequence[ir.Value]) -> bool:
        """Whether the values can be computed for all groups at once, from products of rows of a matrix on."""
        results = [_maker(v) for v in values]
        ops = [op for op in results if op is not None]
        if len(ops) < len(results) or len({(v.type.shape[-1], v.type.element_type) for v in values}) > 1:
            return False
        if self.is_leaf(values):
            return True
        if all(map(self.is_product, ops)):
            return self.can([op.operands[0] for op in ops])
        return self._are_alike(ops) and all(map(self.can, self._operands(values)))

    def lifted(self, values: Sequence[ir.Value]) -> Any:
        """The values of all groups as one tensor."""
        key = tuple(values)
        if key not in self.known:
            self.known[key] = self._lifted(values)
        return self.known[key]

    def _lifted(self, values: Sequence[ir.Value]) -> Any:
        ops = [_producer(v) for v in values]
        if self.is_leaf(values):
            return self._concat(values)
        if self.is_product(ops[0]):
            return self._concat(self._products(ops, self.lifted([op.operands[0] for op in ops])))
        operands = [self.lifted(each) for each in self._operands(values)]
        model = next(op for op in ops if len(op.results[0].type.shape) == 2)
        with ir.InsertionPoint(self.concat), model.location:
            kind = ir.RankedTensorType.get(operands[0].type.shape, model.results[0].type.element_type)
            mapping: dict[Any, Any] = dict(zip(model.operands, (*operands, empty(kind)), strict=True))
            result = clone(model, mapping)
            result.results[0].set_type(kind)
        return result.results[0]

    def _concat(self, values: Sequence[ir.Value]) -> Any:
        with ir.InsertionPoint(self.concat), self.concat.location:
            values = [_row(v) for v in values]
        [first, *_] = values
        rows = sum(v.type.shape[0] for v in values)
        kind = ir.RankedTensorType.get([rows, first.type.shape[1]], first.type.element_type)
        zero = {"dim": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0)}
        at = ir.InsertionPoint(self.concat)
        return ir.Operation.create("tensor.concat", [kind], list(values), zero, loc=self.concat.location, ip=at).results[0]

    def _products(self, ops: Sequence[ir.Operation], whole: Any) -> list[Any]:
        """The products of each group, of its rows of `whole`."""
        at, products = 0, []
        for product in ops:
            rows, depth = product.operands[0].type.shape
            with ir.InsertionPoint(self.concat), product.location:
                part = tensor.extract_slice(product.operands[0].type, whole, [], [], [], [at, 0], [rows, depth], [1, 1])
                products.append(clone(product, {product.operands[0]: part}).results[0])
            at += rows
        return products

    def _operands(self, values: Sequence[ir.Value]) -> list[tuple[Any, ...]]:
        """For each operand of an elementwise operation, its value in each group."""
        return list(zip(*(list(_producer(value).operands)[:-1] for value in values), strict=True))

    def _are_alike(self, ops: Sequence[ir.Operation]) -> bool:
        """Whether all groups apply the same elementwise operation, to different values of their own shape."""
        if not all(map(is_elementwise, ops)) or len({self.body(op) for op in ops}) > 1:
            return False
        counts, value = {len(op.operands) for op in ops}, [list(op.operands) for op in ops]
        apart = all(len({*each}) == len(each) for each in value)
        return len(counts) == 1 and apart and any(len(op.results[0].type.shape) == 2 for op in ops)


def _is_used_once(value: ir.Value) -> bool:
    return len(list(value.uses)) == 1


def _producer(value: ir.Value) -> ir.Operation:
    op = _maker(value)
    assert op is not None, "what can() went through"
    return op


def _maker(value: ir.Value) -> ir.Operation | None:
    """What computes a value, behind the reshapes of a single row to a vector and back."""
    op = defining_op(value)
    while op is not None and op.name in _RESHAPES:
        long = op.results[0] if op.name == "tensor.expand_shape" else op.operands[0]
        if list(long.type.shape)[:-1] != [1]:
            return None
        op = defining_op(op.operands[0])
    return op


def _row(value: ir.Value) -> Any:
    """A vector as a matrix of one row; a matrix itself."""
    if len(value.type.shape) == 2:
        return value
    kind = ir.RankedTensorType.get([1, *value.type.shape], value.type.element_type)
    return tensor.expand_shape(kind, value, [[0, 1]], [], list(kind.shape))


def _is_rows(value: ir.Value) -> bool:
    result = defining_op(value)
    if result is not None and result.name == "tensor.expand_shape":
        result = defining_op(result.operands[0])
    return result is not None and result.name == "tensor.extract_slice"


def is_elementwise(op: ir.Operation) -> bool:
    """Whether each element becomes another one, of elements in the same place and of nothing else but numbers."""
    if op.name != "linalg.generic" or any(reductions(op)) or len(op.results) != 1 or len(op.operands) < 2:
        return False
    if Generic.of(op).reads_outs or walk_named(op, "linalg.index"):  # numbers of rows would be others
        return False
    if any(len(inner.operation.regions) for inner in op.regions[0].blocks[0].operations):
        return False
    makers = map(defining_op, captured(op))
    return all(m is not None and m.name == "arith.constant" for m in makers) and all(
        m == ir.AffineMap.get_identity(m.n_dims) for m in indexing_maps(op)
    )


def captured(op: ir.Operation) -> list[ir.Value]:
    """The values that the body of an operation takes from outside."""
    inside = [o.operation for region in op.regions for block in region.blocks for o in block.operations]
    own = {*(a for region in op.regions for block in region.blocks for a in block.arguments)}
    results = {r for o in inside for r in o.results}
    return [v for o in inside for v in o.operands if v not in own and v not in results]
