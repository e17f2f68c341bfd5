"""Finds the matrix multiplication of a function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal

from allo_air.approximations import LOOP_CYCLES
from allo_air.core.match import NoMatch, expect_match, no_match
from allo_air.core.walking import defining_op, walk_named
from allo_air.mlir import ir
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes.linalg._body_price import body_of, cycles_of
from allo_air.passes.linalg._contraction import extents_of
from allo_air.passes.linalg._elementwise import dependent_operations, operands
from allo_air.passes.linalg._indexing import positions, result_dimensions
from allo_air.passes.linalg._problem import EpilogueOperand, Problem

_CASTS = {"arith.extf", "arith.truncf", "arith.extsi", "arith.trunci"}
_LANES = 16
"""Numbers of a vector, by which the operations of an epilogue are priced."""
NAMES = ("linalg.matmul", "linalg.batch_matmul")
CONTRACTION = "allo.contraction"
"""Attribute of a linalg.generic whose innermost loops m, n, k are a matrix multiplication, but that is not a named one."""


@dataclass(frozen=True)
class Gemm:
    """The matmul of a function, its problem and its epilogue."""

    matmul: ir.Operation
    problem: Problem

    outer: tuple[int, ...]
    """Sizes of the loops around the matrix multiplication."""

    @property
    def extents(self) -> tuple[int, ...]:
        """Sizes of all loops: the outer ones, m, n, k."""
        p = self.problem
        return (*self.outer, p.m, p.n, p.k)


def contractions(function: ir.Operation) -> list[ir.Operation]:
    """The matrix multiplications of `function`."""
    ops = walk_named(function, *NAMES, "linalg.generic")
    return [op for op in ops if op.name in NAMES or CONTRACTION in op.attributes]


def find(function: ir.Operation) -> Gemm | None:
    """The matrix multiplication of `function`, None without one; a second one, or an unsupported one, is an error."""
    return expect_match(match(function))


def match(function: ir.Operation) -> Gemm | NoMatch | None:
    """The matrix multiplication of `function`, None without one; no match for a second one, or an unsupported one."""
    result = contractions(function)
    if not result:
        return None
    [matmul, *rest] = result
    if rest:
        return no_match(rest[0], "is the second matmul of its function, and plan-gemm tiles one; split the function")
    return dynamic_or_empty(matmul) or _gemm(matmul)


def _gemm(matmul: ir.Operation) -> Gemm | NoMatch:
    a, _, c = (operand.type for operand in matmul.operands)
    producer = defining_op(matmul.operands[2], "linalg.fill")
    if producer is None:
        return no_match(matmul, "adds to a result that is not a linalg.fill; run normalize-matmul, which adds it afterwards")
    of_a, of_b, _ = (positions(m) for m in indexing_maps(matmul))
    extents = extents_of(matmul)
    *outer, m, n, k = (extents[i] for i in range(len(extents)))
    front = len(outer)
    element, wide = a.element_type, c.element_type.width
    returned = list(matmul.block.operations)[-1].operands
    result = returned[0].type.element_type.width if len(returned) == 1 else wide
    problem = Problem(
        m, n, k, str(element), element.width, wide, result, prod(outer),
        of_a.index(front) > of_a.index(front + 2), of_b.index(front + 2) > of_b.index(front + 1),
        _epilogue_operands(matmul), bool(outer), epilogue_cycles=_epilogue_cycles(matmul, returned),
    )  # fmt: skip
    return Gemm(matmul, problem, tuple(outer))


def _epilogue_operands(matmul: ir.Operation) -> tuple[EpilogueOperand, ...]:
    """The operands of the elementwise operations after `matmul`."""
    names: dict[tuple[bool, bool], Literal["m", "n", "mn"]] = {(True, False): "m", (False, True): "n", (True, True): "mn"}
    rows, columns = result_dimensions(matmul)
    return tuple(
        EpilogueOperand(names[rows in o.loops, columns in o.loops], o.value.type.element_type.width)
        for o in operands(dependent_operations(matmul))
        if rows in o.loops or columns in o.loops
    )


def _epilogue_cycles(matmul: ir.Operation, returned: Sequence[ir.Value]) -> float:
    """Cycles of a core for the elementwise operations after `matmul` on one element; 0 for a cast alone."""
    is_bf16 = all(str(value.type.element_type) == "bf16" for value in returned)
    ops = [o for op in dependent_operations(matmul) for o in body_of(op)]
    cycles = sum(cycles_of(op, is_bf16) for op in ops if op.name not in _CASTS)
    return (cycles + LOOP_CYCLES) / _LANES if cycles else 0


def dynamic_or_empty(matmul: ir.Operation) -> NoMatch | None:
    """None if all operands are non-empty tensors of static shape."""
    a, b, c = (operand.type for operand in matmul.operands)
    if not all(isinstance(t, ir.RankedTensorType) and t.has_static_shape for t in (a, b, c)):
        return no_match(
            matmul,
            f"needs tensors of static shape, found {a}, {b}, {c}; write a "
            "size for each '?', since a program is compiled for one shape (any shape is accepted)",
        )
    if 0 in (*a.shape, *b.shape, *c.shape):
        return no_match(matmul, f"has an empty operand ({a}, {b}, {c}): there is nothing to compute on the device")
    return None
