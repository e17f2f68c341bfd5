"""Finds the elementwise operations that follow a matrix multiplication and that cores can apply to its result, and their other
operands.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from allo_air.core.match import NoMatch, no_match
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes.linalg._indexing import loops_of, result_dimensions

_BESIDE = ("arith.constant", "tensor.empty", "linalg.fill", "func.return")


@dataclass(frozen=True)
class Operand:
    """An operand of an elementwise operation besides the result: an argument of the function.

    `loops` are the dimensions of the result that its dimensions follow, None for one of size 1.
    """

    value: Any
    loops: tuple[int | None, ...]


def chain(matmul: AnyOp) -> list[Any] | NoMatch:
    """The elementwise linalg.generic operations between `matmul` and the function's return; no match if its result has
    another use.
    """
    ops: list[AnyOp] = []
    chained: list[ir.Value] = [matmul.results[0]]
    matrix = result_dimensions(matmul.operation)
    for op in _following(matmul):
        if not any(v in chained for v in op.operands):
            continue
        if op.name == "func.return":
            break
        if op.name != "linalg.generic":
            return no_match(op, _NOT_A_CHAIN)
        if failure := _mismatch(op, chained, matrix):
            return failure
        ops.append(op)
        chained += op.results
    else:
        return no_match(matmul, _NOT_A_CHAIN)
    unused = [v for v in chained if not list(v.uses)]
    if unused or len(op.operands) != 1 or op.operands[0] != chained[-1]:
        return no_match(unused[0].owner if unused else op, _NOT_A_CHAIN)
    return _second_full_operand(ops, matrix) or ops


_NOT_A_CHAIN = (
    "cannot be fused: between a matrix multiplication and the function's return, only elementwise linalg.generic operations "
    "may follow each other, and the function returns the result of the last one; compute this in a function of its own, or use "
    "pipeline npu"
)


def _following(op: AnyOp) -> list[ir.Operation]:
    """The operations that follow `op` in its block."""
    ops = [o.operation for o in op.operation.block.operations]
    return ops[ops.index(op.operation) + 1 :]


def _second_full_operand(epilogue: list[AnyOp], matrix: tuple[int, int]) -> NoMatch | None:
    """The failure of an epilogue with more than one operand of the result's size, else None."""
    for number, op in enumerate(epilogue):
        whole = [o for o in operands(epilogue[: number + 1]) if set(matrix) <= set(o.loops)]
        if len(whole) > 1:
            return no_match(
                op,
                f"cannot be fused with the matrix multiplication: {whole[1].value.type} is the second "
                "tensor of the result's size, and a core has room for one; add one of them in a function of its own",
            )
    return None


def unsupported_operation(function: ir.Operation, kernel: list[AnyOp]) -> NoMatch | None:
    """The failure of a function with an operation outside `kernel`, a contraction and its epilogue, else None."""
    [block] = function.regions[0].blocks
    for view in block.operations:
        op = view.operation
        if op.name not in _BESIDE and op not in kernel:
            return no_match(
                op,
                "is in the function of a matrix multiplication but not in its epilogue, and the GEMM pipelines compile a "
                "matrix multiplication with its epilogue only; compute it in a function of its own, or use pipeline npu",
            )
    return None


def dependent_operations(matmul: AnyOp, names: Collection[str] = ("linalg.generic",)) -> list[Any]:
    """The operations in `names` with one result that depend on the result of `matmul`, elementwise or not."""
    ops: list[AnyOp] = []
    followers = [matmul.results[0]]
    for op in _following(matmul):
        if op.name in names and len(op.results) == 1 and any(v in followers for v in op.operands):
            ops.append(op)
            followers += op.results
    return ops


def operands(epilogue: list[AnyOp]) -> list[Operand]:
    """The operands of `epilogue` except the result of the matmul, each once, vectors before matrices: the order of their
    transfers.

    A vector's transfer is outside of the loops of a matrix's transfer, so it cannot follow it on the same channel.
    """
    results: list[Operand] = []
    for op in epilogue:
        for value, indexing in zip(list(op.operands)[:-1], indexing_maps(op)[:-1], strict=True):
            operand = Operand(value, loops_of(indexing) or ())
            if operand not in results and is_argument(value):
                results.append(operand)
    return sorted(results, key=lambda operand: len([loop for loop in operand.loops if loop is not None]))


def is_argument(value: ir.Value) -> bool:
    return isinstance(value, ir.BlockArgument) and value.owner.owner.operation.name == "func.func"


def _mismatch(op: AnyOp, values: list[ir.Value], matrix: tuple[int, int]) -> NoMatch | None:
    """None if `op` is an elementwise operation on the matmul's result (through `values`) and on arguments of the function; else
    the reason.
    """
    [block] = op.regions[0].blocks
    *ins, identity = indexing_maps(op)
    whole = identity == ir.AffineMap.get_identity(identity.n_dims)
    if len(op.results) != 1 or not whole or list(list(block.arguments)[-1].uses) or walk_named(op, "linalg.index"):
        return no_match(
            op,
            "cannot be fused with the matrix multiplication: it is not elementwise, one result for each element of its inputs",
        )
    for number, (value, indexing) in enumerate(zip(list(op.operands)[:-1], ins, strict=True)):
        if value in values:
            if indexing != identity:
                return no_match(op, "cannot be fused with the matrix multiplication: it is not elementwise on its result")
        elif not is_argument(value) or not isinstance(value.type, ir.RankedTensorType):
            return no_match(
                op,
                f"cannot be fused with the matrix multiplication: its operand {number} is neither the result nor an "
                "argument of the function; compute it in a function of its own and pass it",
            )
        elif failure := _operand_mismatch(op, number, value, indexing, matrix):
            return failure
    return None


def _operand_mismatch(
    op: AnyOp, number: int, value: ir.Value, indexing: ir.AffineMap, matrix: tuple[int, int]
) -> NoMatch | None:
    """None if operand `number` is an argument that has rows, columns or both of the result as dimensions; else the reason."""
    loops = loops_of(indexing)
    loops_present = [i for i in loops or () if i is not None]
    if loops is None or loops_present != sorted(set(loops_present)) or not set(loops_present) & set(matrix):
        return no_match(
            op,
            f"cannot be fused with the matrix multiplication: operand {number} has the map {indexing}; it must have an element "
            "for each row (m) of the result, for each column (n), or for both",
        )
    extents = op.results[0].type.shape
    expected_shape = [1 if i is None else extents[i] for i in loops]
    if list(value.type.shape) != expected_shape:
        return no_match(
            op, f"has {value.type} for operand {number}; {indexing} takes {' x '.join(map(str, expected_shape))} of it"
        )
    return None
