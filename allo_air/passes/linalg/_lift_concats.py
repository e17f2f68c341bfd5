"""Moves concatenations of rows up, from the results of elementwise operations and products to their operands.

In a mixture of experts each group of rows goes through several products and elementwise operations, and only the final results
are concatenated. The families of kernels match a concatenation of products, so each product needs a concatenation of its own.
"""

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
    """Moves each concatenation up as far as the groups have the same operations.

    `is_product` says whether an operation multiplies rows by a weight. `body` returns equal keys for elementwise operations
    that compute the same.

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
            if not lift.is_leaf(values) and lift.is_possible(values):
                concat.results[0].replace_all_uses_with(lift.lifted(values))
                drop_unused(function)


class _Lift:
    """The rewrite of one concatenation. A tuple of values has one value for each group."""

    def __init__(self, concat: ir.Operation, is_product: Callable[[ir.Operation], bool], body: Key) -> None:
        self.concat, self.is_product, self.body = concat, is_product, body
        self.lifted_values: dict[tuple[Any, ...], Any] = {}

    def is_leaf(self, values: Sequence[ir.Value]) -> bool:
        """Whether each value is a product of rows of a matrix with a weight, possibly with an elementwise chain that only it
        feeds.
        """
        for value in values:
            result = _producer_or_none(value)
            while (
                result is not None
                and is_elementwise(result)
                and len(result.operands) == 2
                and _is_used_once(result.operands[0])
            ):
                result = _producer_or_none(result.operands[0])
            if result is None or not self.is_product(result) or not _is_rows(result.operands[0]):
                return False
        return True

    def is_possible(self, values: Sequence[ir.Value]) -> bool:
        """Whether all groups compute the values by the same operations, down to products of rows of a matrix."""
        results = [_producer_or_none(v) for v in values]
        ops = [op for op in results if op is not None]
        if len(ops) < len(results) or len({(v.type.shape[-1], v.type.element_type) for v in values}) > 1:
            return False
        if self.is_leaf(values):
            return True
        if all(map(self.is_product, ops)):
            return self.is_possible([op.operands[0] for op in ops])
        return self._are_alike(ops) and all(map(self.is_possible, self._operands(values)))

    def lifted(self, values: Sequence[ir.Value]) -> Any:
        """One tensor with the values of all groups: a concatenation of products, or an operation on such tensors."""
        key = tuple(values)
        if key not in self.lifted_values:
            self.lifted_values[key] = self._lifted(values)
        return self.lifted_values[key]

    def _lifted(self, values: Sequence[ir.Value]) -> Any:
        ops = [_producer(v) for v in values]
        if self.is_leaf(values):
            return self._concat(values)
        if self.is_product(ops[0]):
            return self._concat(self._products(ops, self.lifted([op.operands[0] for op in ops])))
        operands = [self.lifted(of_groups) for of_groups in self._operands(values)]
        template = next(op for op in ops if len(op.results[0].type.shape) == 2)
        with ir.InsertionPoint(self.concat), template.location:
            kind = ir.RankedTensorType.get(operands[0].type.shape, template.results[0].type.element_type)
            mapping: dict[Any, Any] = dict(zip(template.operands, (*operands, empty(kind)), strict=True))
            result = clone(template, mapping)
            result.results[0].set_type(kind)
        return result.results[0]

    def _concat(self, values: Sequence[ir.Value]) -> Any:
        """A tensor.concat of the values along rows."""
        with ir.InsertionPoint(self.concat), self.concat.location:
            values = [_row(v) for v in values]
        [first, *_] = values
        rows = sum(v.type.shape[0] for v in values)
        kind = ir.RankedTensorType.get([rows, first.type.shape[1]], first.type.element_type)
        return tensor.concat(kind, 0, list(values), loc=self.concat.location, ip=ir.InsertionPoint(self.concat))

    def _products(self, ops: Sequence[ir.Operation], rows_of_all: Any) -> list[Any]:
        """Copies of the products `ops`, one for each group, that multiply the group's rows of `rows_of_all`."""
        first_row, products = 0, []
        for product in ops:
            rows, depth = product.operands[0].type.shape
            with ir.InsertionPoint(self.concat), product.location:
                part = tensor.extract_slice(
                    product.operands[0].type, rows_of_all, [], [], [], [first_row, 0], [rows, depth], [1, 1]
                )
                products.append(clone(product, {product.operands[0]: part}).results[0])
            first_row += rows
        return products

    def _operands(self, values: Sequence[ir.Value]) -> list[tuple[Any, ...]]:
        """For each operand of an elementwise operation, the operand's value in each group."""
        return list(zip(*(list(_producer(value).operands)[:-1] for value in values), strict=True))

    def _are_alike(self, ops: Sequence[ir.Operation]) -> bool:
        """Whether all groups apply the same elementwise operation, to different values of their own shape."""
        if not all(map(is_elementwise, ops)) or len({self.body(op) for op in ops}) > 1:
            return False
        operands = [list(op.operands) for op in ops]
        counts = {len(of_op) for of_op in operands}
        are_distinct = all(len({*of_op}) == len(of_op) for of_op in operands)
        return len(counts) == 1 and are_distinct and any(len(op.results[0].type.shape) == 2 for op in ops)


def _is_used_once(value: ir.Value) -> bool:
    return len(list(value.uses)) == 1


def _producer(value: ir.Value) -> ir.Operation:
    op = _producer_or_none(value)
    assert op is not None, "checked by is_possible"
    return op


def _producer_or_none(value: ir.Value) -> ir.Operation | None:
    """The operation that computes a value; reshapes of a single row to a vector and back are skipped."""
    op = defining_op(value)
    while op is not None and op.name in _RESHAPES:
        matrix = op.results[0] if op.name == "tensor.expand_shape" else op.operands[0]
        if list(matrix.type.shape)[:-1] != [1]:
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
    """Whether a value is a slice of a tensor, or a single row of one as a vector."""
    result = defining_op(value)
    if result is not None and result.name == "tensor.expand_shape":
        result = defining_op(result.operands[0])
    return result is not None and result.name == "tensor.extract_slice"


def is_elementwise(op: ir.Operation) -> bool:
    """Whether an operation is a linalg.generic that computes each element of its result from the elements at the same place of
    its operands and from constants.
    """
    if op.name != "linalg.generic" or any(reductions(op)) or len(op.results) != 1 or len(op.operands) < 2:
        return False
    if Generic.of(op).reads_outs or walk_named(op, "linalg.index"):  # the row numbers of a group would change
        return False
    if any(len(inner.operation.regions) for inner in op.regions[0].blocks[0].operations):
        return False
    makers = map(defining_op, captured(op))
    return all(m is not None and m.name == "arith.constant" for m in makers) and all(
        m == ir.AffineMap.get_identity(m.n_dims) for m in indexing_maps(op)
    )


def captured(op: ir.Operation) -> list[ir.Value]:
    """The values from outside that the body of an operation uses."""
    inner_ops = [o.operation for region in op.regions for block in region.blocks for o in block.operations]
    arguments = {*(a for region in op.regions for block in region.blocks for a in block.arguments)}
    results = {r for o in inner_ops for r in o.results}
    return [v for o in inner_ops for v in o.operands if v not in arguments and v not in results]
