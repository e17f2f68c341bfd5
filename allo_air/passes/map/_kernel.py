"""A kernel: a function on tensors whose operations are computed tile by tile of the last one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.core.walking import defining_op, walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.kernels import KERNEL
from allo_air.passes._analysis.structured import is_structured
from allo_air.plan.schema import plan_of

REDUCE = "allo.reduce"
"""Attribute of an operation: tile sizes of its loops in a core, 0 for a whole loop. Only reduction loops are cut."""
SETUP = ("arith.constant", "tensor.empty", "func.return")


@dataclass(frozen=True)
class Kernel:
    """A kernel for `plan-tiles`: `root` is the operation that is tiled, `ops` are all its structured operations in order."""

    function: ir.Operation
    root: ir.Operation | None
    ops: tuple[ir.Operation, ...]
    movements: tuple[ir.Operation, ...]
    memo: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)
    """Results of searches. A function whose operations have changed is another kernel, with an empty memo."""

    @property
    def block(self) -> ir.Block:
        return self.function.regions[0].blocks[0]

    @property
    def returned(self) -> list[ir.Value]:
        return list(self.block.operations[-1].operands)

    @property
    def name(self) -> str:
        return sym_name_of(self.function)


def kernels(op: AnyOp) -> Iterator[Kernel]:
    """The kernels of a module without a plan."""
    for function in walk_named(op, "func.func"):
        if KERNEL not in function.attributes or not len(function.regions[0].blocks):
            continue
        if plan_of(function) is None:
            yield kernel_of(function)


def kernel_of(function: ir.Operation) -> Kernel:
    """The Kernel of a function with one block."""
    inner_ops = [o.operation for o in function.regions[0].blocks[0].operations]
    ops = tuple(o for o in inner_ops if is_structured(o))
    rest = tuple(o for o in inner_ops if not is_structured(o) and o.name not in SETUP)
    returned = [defining_op(v) for v in inner_ops[-1].operands]
    roots = list(dict.fromkeys(o for o in returned if o is not None and is_structured(o)))
    return Kernel(function, roots[0] if len(roots) == 1 else None, ops, rest)


def check_static(kernel: Kernel) -> None:
    """Raises an error at an operand with a dynamic or empty shape."""
    for argument in kernel.block.arguments:
        kind = argument.type
        if isinstance(kind, ir.RankedTensorType) and not (kind.has_static_shape and 0 not in kind.shape):
            raise error_at(kernel.function, f"takes {kind}: a kernel needs static shapes without empty dimensions")
