"""Finds the matrix multiplication of a function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.passes.linalg._elementwise import behind, operands
from allo_air.passes.linalg._indexing import maps, positions
from allo_air.passes.linalg._problem import EpilogueOperand, Problem

NAMES = ("linalg.matmul", "linalg.batch_matmul")


@dataclass(frozen=True)
class Gemm:
    """The matmul of a function, and what it computes."""

    matmul: ir.Operation
    problem: Problem

    @property
    def extents(self) -> tuple[int, ...]:
        """Sizes of the matmul's iteration space: m, n, k, behind the batch of a batch_matmul."""
        p = self.problem
        return (*([p.batch] if self.is_batch else []), p.m, p.n, p.k)

    @property
    def is_batch(self) -> bool:
        """Whether the operation is a linalg.batch_matmul."""
        return bool(self.matmul.name == NAMES[1])


def find(function: ir.Operation) -> Gemm | None:
    """The matrix multiplication of `function`, None without one; a second one, or one that cannot be planned, is an error."""
    found = walk_named(function, *NAMES)
    if not found:
        return None
    [matmul, *others] = found
    if others:
        raise error_at(others[0], "is the second matmul of its function; plan-gemm tiles one, split the function")
    return Gemm(matmul, _problem(matmul))


def _problem(matmul: ir.Operation) -> Problem:
    a, b, c = (operand.type for operand in matmul.operands)
    if not all(isinstance(t, ir.RankedTensorType) and t.has_static_shape for t in (a, b, c)):
        raise error_at(
            matmul,
            f"needs tensors of static shape, found {a}, {b}, {c}; write a "
            "size for each '?', as a program is made for one shape (any does, whether it divides or not)",
        )
    if 0 in (*a.shape, *b.shape, *c.shape):
        raise error_at(matmul, f"has an empty operand ({a}, {b}, {c}): there is nothing to compute on the device")
    producer = matmul.operands[2].owner
    if isinstance(producer, ir.Block) or producer.name != "linalg.fill":
        raise error_at(matmul, "adds to a result that is not a linalg.fill; run normalize-matmul, which adds it afterwards")
    batch = len(c.shape) - 2
    of_a, of_b, of_c = (positions(m) for m in maps(matmul))
    extents = (
        dict(zip(of_a, a.shape, strict=True)) | dict(zip(of_b, b.shape, strict=True)) | dict(zip(of_c, c.shape, strict=True))
    )
    *outer, m, n, k = (extents[i] for i in range(batch + 3))
    element, wide = a.element_type, c.element_type.width
    returned = list(matmul.block.operations)[-1].operands
    result = returned[0].type.element_type.width if len(returned) == 1 else wide
    return Problem(
        m, n, k, str(element), element.width, wide, result,
        outer[0] if outer else 1, of_a[batch] == batch + 2, of_b[batch] == batch + 1, _epilogue_operands(matmul, batch),
    )  # fmt: skip


def _epilogue_operands(matmul: ir.Operation, batch: int) -> tuple[EpilogueOperand, ...]:
    """The operands of the elementwise operations behind `matmul`."""
    names: dict[tuple[bool, bool], Literal["m", "n", "mn"]] = {(True, False): "m", (False, True): "n", (True, True): "mn"}
    return tuple(
        EpilogueOperand(names[batch in o.loops, batch + 1 in o.loops], o.value.type.element_type.width)
        for o in operands(behind(matmul))
        if batch in o.loops or batch + 1 in o.loops
    )
