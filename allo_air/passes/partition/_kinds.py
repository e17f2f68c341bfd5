"""Classifies operations: which ones can be the root of a kernel, and which ones may join it."""

from __future__ import annotations

from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.structured import indexing_maps, is_structured, reductions
from allo_air.passes.partition._roles import is_elementwise

_CASTS = ("arith.extf", "arith.truncf", "arith.sitofp", "arith.extsi", "arith.extui", "arith.uitofp")


def is_contraction(op: ir.Operation) -> bool:
    """Whether `op` multiplies matrices, or a matrix and a vector: a product in which at least one operand has parallel loops
    of its own.
    """
    from allo_air.mlir import linalg

    if not is_product(op):
        return False
    result = linalg.infer_contraction_dimensions(op)
    return result is not None and bool(list(result.m) or list(result.n))


def is_product(op: ir.Operation) -> bool:
    """Whether `op` sums products of two operands."""
    from allo_air.mlir import linalg

    return is_structured(op) and any(reductions(op)) and len(op.results) == 1 and linalg.isa_contraction_op(op)


def is_convolution(op: ir.Operation) -> bool:
    """Whether `op` slides a window over an operand: a convolution or a pooling."""
    from allo_air.mlir import linalg

    return is_structured(op) and any(reductions(op)) and len(op.results) == 1 and linalg.isa_convolution_op(op)


def has_channels(op: ir.Operation) -> bool:
    """Whether `op` is a convolution over all channels of the image, or a depthwise one."""
    from allo_air.mlir import linalg

    result = linalg.infer_convolution_dimensions(op) if is_convolution(op) else None
    if result is None:
        return False
    of_all, of_one = bool(list(result.input_channel) and list(result.output_channel)), bool(list(result.depth))
    return of_all != of_one


def follows(op: ir.Operation, value: ir.Value) -> bool:
    """Whether `op` is elementwise with one result, and reads `value` at the index of that result."""
    if not is_elementwise(op) or len(op.results) != 1 or op.results[0].type.shape != value.type.shape:
        return False
    maps = indexing_maps(op)
    return all(m == maps[-1] for v, m in zip(op.operands, maps, strict=False) if v == value)


def is_cast(op: AnyOp) -> bool:
    """Whether `op` only changes the element type of a tensor."""
    if not is_elementwise(op) or op.name != "linalg.generic" or len(op.operands) != 2:
        return False
    first, second = indexing_maps(op)
    [block] = op.regions[0].blocks
    body = [o.operation.name for o in block.operations]
    return first == second and len(body) == 2 and body[0] in _CASTS


def is_copy(op: AnyOp) -> bool:
    """Whether `op` only moves elements, or depends on indices only."""
    if op.name == "tensor.extract_slice":
        return True
    if op.name != "linalg.generic" or not is_elementwise(op) or len(op.results) != 1:
        return False
    [block] = op.regions[0].blocks
    inputs = int(op.attributes["operandSegmentSizes"][0])
    return not inputs or len(block.operations) == 1


def may_read_tiles(op: ir.Operation) -> bool:
    """Whether `op` can share the tiles of its operands: a structured operation that is not the root of a kernel."""
    return is_structured(op) and not is_contraction(op) and not is_convolution(op)
