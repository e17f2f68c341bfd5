"""Decides whether the source's own roundings explain a result that is off, by computing the source in float64."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from allo_air.core.walking import walk_post_order
from allo_air.errors import AlloAirError
from allo_air.program.checks.comparison import Comparison, Tolerance, compare
from allo_air.program.checks.reference import expected
from allo_air.program.host.signature import Argument
from allo_air.program.source import Source

if TYPE_CHECKING:
    import numpy as np

    from allo_air.mlir import ir

_TO_INTEGERS = ("arith.fptosi", "arith.fptoui")


_FEW = 0.01
"""Share of integers, rounded from floats, that may be off by one. Random floats are rarely next to a rounding boundary."""


@dataclass(frozen=True)
class RoundingCheck:
    """A result in float64, the distance of the source from it, and how many elements may differ."""

    exact: Any
    own: float
    most: int


def rounding_checks(
    source: Source,
    arguments: Sequence[Argument],
    before: Sequence[np.ndarray],
    expected_results: Mapping[int, np.ndarray],
    seed: int,
) -> dict[int, RoundingCheck]:
    """Each result in float64, with its distance from `expected_results`, which the source computes with its own roundings.

    If a source rounds its sums after each addition, as in bf16, it is less exact than a program that keeps them in f32. A float
    next to a half may become either integer: a few such results may be off by 1, up to four times as many as the source has.
    Nothing is accepted if the source cannot be computed in float64, or if an error is not finite.
    """
    import numpy as np

    from allo_air import asm
    from allo_air.interp.exact import as_float64, in_float64

    try:
        with source.context:
            wide = Source(asm.write(in_float64(source.module)), source.name)
        exact = expected(wide, arguments, [as_float64(a) for a in before], seed=seed)
    except AlloAirError:
        return {}
    results = {}
    rounded = _rounded_to_integers(source, sorted(expected_results))
    for number, array in expected_results.items():
        with np.errstate(invalid="ignore"):
            error = np.abs(array.astype(np.float64) - exact[number].astype(np.float64))
        own, most = float(np.max(error, initial=0.0)), error.size
        if number in rounded:
            own, most = max(own, 1.0), max(1, int(_FEW * error.size), 4 * int(np.count_nonzero(error)))
        if own and np.isfinite(own):
            results[number] = RoundingCheck(exact[number], own, most)
    return results


def compared_again(
    checks: Sequence[Comparison], results: Mapping[int, object], looks: Mapping[int, RoundingCheck], tolerance: Tolerance
) -> list[Comparison]:
    """`checks`, with the failed ones compared again, in float64."""
    return [
        c
        if c.ok or (look := looks.get(c.number)) is None or c.wrong > look.most
        else compare(c.name, c.number, results[c.number], look.exact, replace(tolerance, own=look.own))
        for c in checks
    ]


def _rounded_to_integers(source: Source, numbers: Sequence[int]) -> set[int]:
    """Which of the results, with these `numbers`, are integers that were rounded from floats."""
    ops = walk_post_order(source.module)
    if not any(op.name in _TO_INTEGERS for op in ops):
        return set()
    functions = [op for op in ops if op.name == "func.func"]
    returned = [list(op.operands) for op in ops if op.name == "func.return"]
    if len(functions) != 1 or len(returned) != 1 or len(returned[0]) != len(numbers):
        return set(numbers)
    return {n for n, value in zip(numbers, returned[0], strict=True) if _is_cast_result(value)}


def _is_cast_result(value: ir.Value) -> bool:
    waiting, seen = [value], set()
    while waiting:
        op = waiting.pop().owner
        if not hasattr(op, "operands") or op in seen:
            continue
        seen.add(op)
        inside = walk_post_order(op)
        if any(o.name in _TO_INTEGERS for o in inside):
            return True
        waiting += [v for o in inside for v in o.operands]
    return False
