"""Padding of matrix multiplications to whole tiles."""

from __future__ import annotations

from allo_air.core.diagnostics import error_at
from allo_air.core.names import set_function_type
from allo_air.core.walking import defining_op
from allo_air.dialects.host_shapes import HOST_SHAPES
from allo_air.mlir import ir
from allo_air.passes._analysis.kernels import is_kernel
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes.linalg._callers import pad_calls
from allo_air.passes.linalg._indexing import loops_of, positions
from allo_air.passes.linalg._match import Gemm


def pad(function: ir.Operation, gemm: Gemm, padded: tuple[int, ...]) -> None:
    """Pads a function's multiplication to `padded` m, n and k: its arguments and its result become larger.

    The caller keeps arrays of the shapes in attribute `allo_air.host_shapes`, arguments first and then results. It passes an
    argument in the corner of a larger array that is otherwise zero, and takes a result from the corner of a larger one. Zeros
    add nothing along k; their results along m and n are outside the corner. The calls of a kernel pad its operands and take the
    corner of its results. The DMAs move whole 32-bit words, so that rows of arbitrary length cannot be read from the user's
    array: a row of 33 bf16 ends inside a word, and every second row begins there.
    """
    if padded == (gemm.problem.m, gemm.problem.n, gemm.problem.k):
        return
    [block] = function.regions[0].blocks
    returned = block.operations[-1].operation
    host = [*(a.type for a in block.arguments), *(v.type for v in returned.operands)]
    loops = (*gemm.outer, *padded)
    *_, of_result = map(positions, indexing_maps(gemm.matmul))
    padded_shapes: dict[ir.Value, list[int]] = {}
    for view in block.operations:
        op = view.operation
        if op.name in ("arith.constant", "tensor.empty", "func.return", "linalg.fill"):
            continue
        extents = loops if op == gemm.matmul else [loops[i] for i in of_result]
        for value, indexing in zip(op.operands, indexing_maps(op), strict=True):
            follows = loops_of(indexing)
            if follows is not None:
                _record_shape(padded_shapes, op, value, [1 if i is None else extents[i] for i in follows])
        for result, indexing in zip(op.results, indexing_maps(op)[len(op.operands) - len(op.results) :], strict=True):
            _record_shape(padded_shapes, op, result, [extents[i] for i in positions(indexing)])
    for value, shape in list(padded_shapes.items()):
        _retype(value, shape)
    set_function_type(function)
    if is_kernel(function):
        pad_calls(function, [_summed(gemm, a, len(loops) - 1) for a in block.arguments])
    elif HOST_SHAPES not in function.attributes and all(isinstance(t, ir.RankedTensorType) for t in host):
        function.attributes[HOST_SHAPES] = ir.ArrayAttr.get([ir.DenseI64ArrayAttr.get(list(t.shape)) for t in host])


def _summed(gemm: Gemm, argument: ir.Value, loop: int) -> list[int]:
    """The dimensions of an argument that the matmul sums over, with loop `loop`."""
    factors = zip(list(gemm.matmul.operands)[:2], indexing_maps(gemm.matmul), strict=False)
    return [dim for value, indexing in factors if value == argument for dim, i in enumerate(positions(indexing)) if i == loop]


def _record_shape(padded_shapes: dict[ir.Value, list[int]], op: ir.Operation, value: ir.Value, shape: list[int]) -> None:
    if not isinstance(value.type, ir.RankedTensorType):
        return
    if padded_shapes.setdefault(value, shape) != shape:
        raise error_at(
            op,
            f"has an operand '{value.type}' in two roles: padded to {_text(padded_shapes[value])} in one and {_text(shape)} in "
            "the other; pass it as two arguments, or choose sizes that pad both alike",
        )


def _text(shape: list[int]) -> str:
    return " x ".join(map(str, shape))


def _retype(value: ir.Value, shape: list[int]) -> None:
    """Gives `value` its padded shape, and the fill and the empty tensor that it comes from."""
    kind = ir.RankedTensorType.get(shape, value.type.element_type)
    value.set_type(kind)
    owner = defining_op(value, "linalg.fill")
    if owner is not None:
        owner.operands[1].set_type(kind)
