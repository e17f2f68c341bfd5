"""Recognizes contractions: the roles of a linalg operation's loops (rows, columns, batches, sums), and its factors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes.linalg._indexing import positions

NAMED = frozenset(
    f"linalg.{name}"
    for name in ("matmul", "batch_matmul", "matvec", "vecmat", "batch_matvec", "batch_vecmat", "dot", "contract",
                 "batch_reduce_matmul")
)  # fmt: skip
"""Named operations that are contractions."""
_EXTENSIONS = ("arith.extf", "arith.extsi", "arith.extui")
_PRODUCTS = {"arith.mulf": "arith.addf", "arith.muli": "arith.addi"}


@dataclass(frozen=True)
class Loops:
    """The loops of a contraction in the order of a matrix multiplication: the outer ones, then m, n and k.

    An outer loop steps through a batch, or through further rows or columns. `m` or `n` is None if the operand is a vector.
    `swapped` means that the first operand has the columns.
    """

    outer: tuple[int, ...]
    m: int | None
    n: int | None
    k: int
    swapped: bool


def loops_of_contraction(
    indexing: list[ir.AffineMap], extents: dict[int, int], words: bool, column: bool = False, row: bool = False
) -> Loops | str:
    """The loops of a contraction with these maps, or the reason why they have no such order.

    The innermost dimension of the result is n; m is the longest of the remaining rows. `words` means that elements have 32
    bits, which a DMA can move one by one. With `column` a vector is B, and the matrix is A.
    """
    if not all(m.is_projected_permutation and len(set(positions(m))) == len(m.results) for m in indexing):
        return f"has the maps {', '.join(map(str, indexing))}; expected ones whose results are loops, each once"
    of_a, of_b, of_c = (positions(m) for m in indexing)
    if wrong := {loop for loop in range(indexing[0].n_dims) if (loop in of_a) + (loop in of_b) + (loop in of_c) < 2}:
        return f"has loop {min(wrong)} in one operand alone; a contraction has each loop in two of three, or in all"
    swapped = bool(of_c) and of_c[-1] in of_a and of_c[-1] not in of_b
    if swapped:
        of_a, of_b = of_b, of_a
    sums = [loop for loop in of_a if loop not in of_c]
    rows = [loop for loop in of_c if loop not in of_b]
    if len(sums) != 1:
        return f"adds up along {counted(len(sums), 'loop')} that are not one in memory; expected one"
    n = of_c[-1] if of_c and of_c[-1] not in of_a else None
    if n is None and rows:
        return "has a batch for the innermost dimension of the result; expected rows or columns of a matrix"
    m = max(rows, key=lambda loop: (extents[loop], of_c.index(loop))) if rows else None
    inside = [(of_a, {m, *sums}), (of_b, {n, *sums})]
    if not words and any(item[-1] not in allowed for item, allowed in inside):
        return "has a batch for the innermost dimension of an operand; expected rows, columns or sums"
    outer = tuple(loop for loop in of_c if loop not in (m, n))
    if column and m is None and n is not None:
        return Loops(outer, n, None, sums[0], not swapped)
    if row and not outer and m is not None and n is not None and extents[m] == 1 < extents[n]:
        return Loops(outer, n, m, sums[0], not swapped)
    return Loops(outer, m, n, sums[0], swapped)


@dataclass(frozen=True)
class Product:
    """The body of a contraction: the extension of each factor ("" for none), the multiplication and the addition."""

    extensions: tuple[str, str]
    multiply: str
    add: str


def product(generic: AnyOp) -> Product | None:
    """The product of the first two arguments, possibly extended, that the body adds to the third; None for other bodies."""
    if len(generic.operands) != 3 or len(generic.results) > 1:
        return None
    [block] = generic.regions[0].blocks
    [*body, end] = [o.operation for o in block.operations]
    factors: list[Any] = list(block.arguments)[:2]
    extensions = ["", ""]
    for number, factor in enumerate(factors):
        for op in body:
            if op.name in _EXTENSIONS and op.operands[0] == factor:
                factors[number], extensions[number] = op.results[0], op.name
    rest = [o for o in body if o.name not in _EXTENSIONS]
    extended = [o for o in body if o.name in _EXTENSIONS]
    if len(rest) != 2 or _PRODUCTS.get(rest[0].name) != rest[1].name or len(extended) != sum(map(bool, extensions)):
        return None
    multiply, add = rest
    if (
        set(multiply.operands) != set(factors)
        or factors[0] == factors[1]
        or set(add.operands) != {multiply.results[0], block.arguments[2]}
        or list(end.operands) != [add.results[0]]
    ):
        return None
    return Product((extensions[0], extensions[1]), multiply.name, add.name)


def extents_of(op: ir.Operation) -> dict[int, int]:
    """The extent of each loop."""
    extents: dict[int, int] = {}
    for value, indexing in zip(op.operands, indexing_maps(op), strict=True):
        if indexing.is_projected_permutation and isinstance(value.type, ir.RankedTensorType):
            extents |= dict(zip(positions(indexing), value.type.shape, strict=True))
    return extents
