"""Classifies the operations of a function for its partition."""

from __future__ import annotations

from enum import Enum
from typing import Any

from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.kernels import MOVED_BY_HOST
from allo_air.passes._analysis.structured import is_structured, reductions

VIEWS = ("tensor.expand_shape", "tensor.collapse_shape")
"""Operations whose result is the same buffer with another shape."""
_SETUP = ("tensor.empty", "linalg.fill", "tensor.splat")


class Role(Enum):
    """The role of an operation.

    CONSTANT: data in external memory. SETUP: recomputed in each kernel that uses it. VIEW: free. WORK: everything else.
    """

    CONSTANT = "constant"
    SETUP = "setup"
    VIEW = "view"
    WORK = "work"


def role(op: ir.Operation) -> Role:
    """The role of an operation of a function's body."""
    if op.name == "arith.constant":
        return Role.SETUP if _is_small(op) else Role.CONSTANT
    if op.name in VIEWS or MOVED_BY_HOST in op.attributes:
        return Role.VIEW
    return Role.SETUP if _is_setup(op) else Role.WORK


def is_setup(value: ir.Value) -> bool:
    """Whether `value` is recomputed in each kernel that uses it."""
    return not isinstance(value, ir.BlockArgument) and role(value.owner.operation) is Role.SETUP


def base(value: ir.Value) -> Any:
    """The value that `value` is a view of, through several views; itself if it is not a view."""
    while not isinstance(value, ir.BlockArgument) and role(value.owner.operation) is Role.VIEW:
        value = value.owner.operands[0]
    return value


def _is_small(op: ir.Operation) -> bool:
    """Whether a constant is a scalar, or a splat that kernels recompute.

    A splat that is an operand of a contraction or of a linalg.copy is data.
    """
    from allo_air.mlir import linalg

    value = op.attributes["value"]
    if not isinstance(op.results[0].type, ir.ShapedType):
        return True
    if not isinstance(value, ir.DenseElementsAttr) or not value.is_splat:
        return False
    users = [u.owner.operation for u in op.results[0].uses]
    return not any(u.name == "linalg.copy" or (u.name.startswith("linalg.") and linalg.isa_contraction_op(u)) for u in users)


def _is_setup(op: ir.Operation) -> bool:
    """Whether `op` depends only on scalar constants."""
    is_scalar = op.name.startswith(("arith.", "math.")) and not isinstance(op.results[0].type, ir.ShapedType)
    if op.name not in _SETUP and not is_scalar:
        return False
    return all(map(is_setup, op.operands))


def captured(op: ir.Operation) -> list[ir.Value]:
    """The values that the regions of `op` capture, each once."""
    values: dict[Any, None] = {}
    inside: set[Any] = set()

    def visit(inner: ir.Operation) -> None:
        for region in inner.regions:
            for block in region.blocks:
                inside.update(block.arguments)
                for o in block.operations:
                    values.update(dict.fromkeys(v for v in o.operation.operands if v not in inside))
                    visit(o.operation)
                    inside.update(o.operation.results)

    visit(op)
    return list(values)


def is_elementwise(op: AnyOp) -> bool:
    """Whether `op` is structured and all its loops are parallel."""
    return is_structured(op) and not any(reductions(op))


def inputs(op: ir.Operation) -> list[ir.Value]:
    """The operands of `op`, and the values that its regions capture."""
    return [*op.operands, *captured(op)]
