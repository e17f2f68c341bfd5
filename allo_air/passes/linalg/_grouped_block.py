"""Builds the product of one block of a grouped matrix multiplication: in the grouped kernel, and as a kernel of its own."""

from __future__ import annotations

from typing import Any

from allo_air.core.cloning import clone, clone_computed
from allo_air.core.names import sym_name_of
from allo_air.core.walking import root_of
from allo_air.mlir import arith, func, ir, tensor
from allo_air.passes._analysis.columns import COLUMNS
from allo_air.passes._ir.divided import NOTE
from allo_air.passes._ir.names import Names
from allo_air.passes._ir.new_kernel import new_kernel
from allo_air.passes._ir.tensors import empty, filled, zero_of
from allo_air.passes.linalg._grouped_match import Group
from allo_air.passes.linalg._lift_concats import captured
from allo_air.plan.plan import Plan
from allo_air.plan.schema import attach


def slice_of(value: ir.Value, offsets: list[int], sizes: list[int]) -> Any:
    """`sizes` elements of `value` from `offsets`, as a matrix: the last two dimensions."""
    matrix = ir.RankedTensorType.get(sizes[-2:], value.type.element_type)
    return tensor.extract_slice(matrix, value, [], [], [], offsets, sizes, [1] * len(sizes))


def block_product(template: Group, rows: ir.Value, weight: ir.Value, columns: int) -> Any:
    """The product of `rows` (a matrix) with `weight`, and the epilogue of `template`; a matrix with `columns` columns."""
    shape, element = [rows.type.shape[0], columns], template.matmul.results[0].type.element_type
    zero = arith.constant(element, zero_of(element))
    value: Any = filled(zero, ir.RankedTensorType.get(shape, element))
    mapping: dict[Any, Any] = dict(zip(template.matmul.operands, (rows, weight, value), strict=True))
    for op in (template.matmul, *template.epilogue):
        kind = ir.RankedTensorType.get(shape, op.results[0].type.element_type)
        if op != template.matmul:
            mapping[op.operands[1]] = empty(kind)
        new = clone(op, mapping)
        new.results[0].set_type(kind)
        value = new.results[0]
    return value


def product_chain(matmul: ir.Operation) -> list[ir.Operation]:
    """A product and the elementwise operations that follow it, in order."""
    ops = [matmul]
    while (users := [use.owner.operation for use in ops[-1].results[0].uses])[0].name == "linalg.generic":
        ops.append(users[0])
    return ops


def block_kernel(kernel: ir.Operation, matmul: ir.Operation, plan: Plan) -> ir.Operation:
    """A new kernel, in addition to `kernel`, that computes `matmul` and its epilogue; its arguments are the rows and the
    weight.
    """
    chain = product_chain(matmul)
    result = chain[-1].results[0]
    function, block, mapping = new_kernel(list(matmul.operands)[:2], [result.type], kernel)
    with ir.InsertionPoint(block), matmul.location:
        for op in chain:
            for value in [*list(op.operands)[-1:], *captured(op)]:
                clone_computed(value, op.block, mapping)
            clone(op, mapping)
        func.ReturnOp([mapping[result]])
    function.attributes["sym_name"] = ir.StringAttr.get(Names(root_of(kernel)).fresh(f"{sym_name_of(kernel)}_block"))
    for name in (NOTE, COLUMNS):
        if name in kernel.attributes:
            function.attributes[name] = kernel.attributes[name]
    attach(function, plan)
    return function
