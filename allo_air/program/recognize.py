"""Recognizes a module by its operations: its level, the matmul that it computes, and its number of products."""

from __future__ import annotations

from math import prod

from allo_air.core.names import function_type_of
from allo_air.core.walking import defining_op, walk_post_order
from allo_air.dtypes import is_float
from allo_air.interp import executors
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.structured import is_structured, loop_extents, reductions
from allo_air.passes._analysis.zeros import is_filled_with_zeros
from allo_air.program.matmul import RESULTS, Matmul

_MATRICES = "[affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]"
"""Indexing maps of A (m, k), B (k, n) and C (m, n)."""
_CASTS = ("arith.extf", "arith.truncf", "arith.extsi", "arith.extui", "arith.trunci")


def level_of(module: AnyOp) -> str:
    """The IR level of `module`: `linalg` (tensors), `tiled`, `air`, `channel`, `aie`, or `npu` (with a runtime sequence)."""
    if lower := executors.level_of(module):
        return lower
    operations = walk_post_order(module)
    names = {o.name for o in operations}
    if any(name == "air.channel" or name.startswith("air.channel.") for name in names):
        return "channel"
    if any(name.startswith("air.") for name in names):
        return "air"
    return "linalg" if any(map(_has_tensors, operations)) else "tiled"


def _has_tensors(op: ir.Operation) -> bool:
    kinds = [r.type for r in op.results]
    if op.name == "func.func":
        signature = function_type_of(op)
        kinds += [*signature.inputs, *signature.results]
    return any(isinstance(kind, ir.RankedTensorType | ir.UnrankedTensorType) for kind in kinds)


def element_of_matmul(module: AnyOp) -> str | None:
    """The operand type of the contractions in `module`; None if there are none, or several types.

    Also None if a contraction is not a product of matrices or vectors that the GEMM pipelines support.
    """
    from allo_air.mlir import linalg

    ops = [o for o in walk_post_order(module) if o.name.startswith("linalg.") and linalg.isa_contraction_op(o)]
    kinds = {str(o.operands[0].type.element_type) for o in ops}
    return kinds.pop() if len(kinds) == 1 and all(map(is_gemm, ops)) else None


def is_gemm(op: ir.Operation) -> bool:
    """Whether contraction `op` sums over one loop, and each other loop is in one operand and the result, or in both operands
    and the result.
    """
    from allo_air.mlir import linalg

    result = linalg.infer_contraction_dimensions(op)
    listed = [*result.batch, *result.m, *result.n, *result.k]
    return len(result.k) == 1 and len(result.m) + len(result.n) > 0 and len(listed) == len(loop_extents(op))


def matmul_in(module: AnyOp) -> Matmul | None:
    """The Matmul that `module` computes: a single `linalg.matmul` of its arguments into zeros; otherwise None."""
    top = [o.operation for o in module.regions[0].blocks[0].operations]
    if [o.name for o in top] != ["func.func"] or len(top[0].regions[0].blocks) != 1:
        return None
    [block] = top[0].regions[0].blocks
    inside = {o.operation.name: o.operation for o in block.operations}
    named = sorted(o.operation.name for o in block.operations)
    if named != ["arith.constant", "func.return", "linalg.fill", "linalg.matmul", "tensor.empty"]:
        return None
    matmul, fill = inside["linalg.matmul"], inside["linalg.fill"]
    flows = [
        (list(matmul.operands), [*block.arguments, *fill.results]),
        (list(fill.operands), [*inside["arith.constant"].results, *inside["tensor.empty"].results]),
        (list(inside["func.return"].operands), list(matmul.results)),
    ]
    is_plain = str(matmul.attributes["indexing_maps"]) == _MATRICES and "cast" not in matmul.attributes
    if not is_plain or any(source != target for source, target in flows) or not is_filled_with_zeros(matmul.operands[2]):
        return None
    kinds = [value.type for value in (*matmul.operands[:2], matmul.results[0])]
    if not all(isinstance(kind, ir.RankedTensorType) and kind.has_static_shape and 0 not in kind.shape for kind in kinds):
        return None
    a, b, c = kinds
    element, result = str(a.element_type), str(c.element_type)
    if element != str(b.element_type) or element not in RESULTS or is_float(element) != is_float(result):
        return None
    return Matmul(a.shape[0], b.shape[1], a.shape[1], element, result)


def macs_in(module: AnyOp) -> int | None:
    """The number of products that `module` adds up, if it is one function on tensors: one for each iteration of a linalg
    operation's loops.

    None for other programs, for functions with loops, and for unknown sizes.
    """
    functions = [o.operation for o in module.regions[0].blocks[0].operations]
    if [o.name for o in functions] != ["func.func"]:
        return None
    operations = walk_post_order(module)
    if any(o.name.split(".")[0] in ("scf", "affine", "cf") for o in operations):
        return None
    count = 0
    for op in operations:
        if op.name.startswith("linalg.") and _adds_products(op):
            extents = loop_extents(op)
            if min(extents, default=1) < 0:
                return None
            count += prod(extents)
    return count


def _adds_products(op: ir.Operation) -> bool:
    """Whether the body of `op` adds a product of two operands' elements to the accumulator."""
    if not is_structured(op) or not any(reductions(op)):
        return False
    [block] = op.regions[0].blocks
    result = block.arguments[len(block.arguments) - 1]
    sums = [u.owner for u in result.uses if u.owner.name in ("arith.addf", "arith.addi")]
    return any(_is_product(v) for s in sums for v in s.operands)


def _is_product(value: ir.Value) -> bool:
    owner = defining_op(value)
    return owner is not None and (
        owner.name in ("arith.mulf", "arith.muli") or (owner.name in _CASTS and _is_product(owner.operands[0]))
    )
