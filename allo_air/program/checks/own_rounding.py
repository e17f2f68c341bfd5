"""A second look at a result that is off: what the roundings of its source come to, against the source in float64."""

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
"""Part of the integers that were floats which may be off by one, as random floats are rarely next to where that happens."""


@dataclass(frozen=True)
class Look:
    """A result in float64, how far the source is from it, and how many elements may differ from the source's."""

    exact: Any
    own: float
    most: int


def second_look(
    source: Source,
    arguments: Sequence[Argument],
    before: Sequence[np.ndarray],
    expected_results: Mapping[int, np.ndarray],
    seed: int,
) -> dict[int, Look]:
    """Each result in float64 with how far `expected_results`, what the source gives with its own roundings, is from it.

    Sums that a source rounds after each addition, as those in bf16, are off by more than those of a program that keeps them in
    f32. A float next to a half may become either integer: few such results may be off by 1, or as many times four as the
    source's. Nothing is excused where float64 has no meaning for the source, or an error is not finite.
    """
    import numpy as np

    from allo_air import asm
    from allo_air.interp.exact import in_float64, widened

    try:
        with source.context:
            wide = Source(asm.write(in_float64(source.module)), source.name)
        exact = expected(wide, arguments, [widened(a) for a in before], seed=seed)
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
            results[number] = Look(exact[number], own, most)
    return results


def compared_again(
    checks: Sequence[Comparison], results: Mapping[int, object], looks: Mapping[int, Look], tolerance: Tolerance
) -> list[Comparison]:
    """`checks`, the bad ones once more against float64."""
    return [
        c
        if c.ok or (look := looks.get(c.number)) is None or c.wrong > look.most
        else compare(c.name, c.number, results[c.number], look.exact, replace(tolerance, own=look.own))
        for c in checks
    ]


def _rounded_to_integers(source: Source, numbers: Sequence[int]) -> set[int]:
    """Which of the results, in order those with these numbers, come of floats that became integers."""
    everything = walk_post_order(source.module)
    if not any(op.name in _TO_INTEGERS for op in everything):
        return set()
    functions = [op for op in everything if op.name == "func.func"]
    returned = [list(op.operands) for op in everything if op.name == "func.return"]
    if len(functions) != 1 or len(returned) != 1 or len(returned[0]) != len(numbers):
        return set(numbers)
    return {n for n, value in zip(numbers, returned[0], strict=True) if _comes_of_cast(value)}


def _comes_of_cast(value: ir.Value) -> bool:
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
