"""Evaluates constants that are rounded to integers, where an approximation would give another integer."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import body_of, walk_post_order
from allo_air.mlir import AnyOp, ir
from allo_air.passes.simplify._constants import fold

_LARGEST = 1 << 20
"""Largest number of elements of a constant that this creates."""

_ROUNDED = (
    "arith.cmpf",
    "arith.fptosi",
    "arith.fptoui",
    "math.ceil",
    "math.floor",
    "math.round",
    "math.roundeven",
    "math.trunc",
)
_EXACT = ("math.absf", "math.absi", "math.copysign", *_ROUNDED)


def fold_exact_constants(function: AnyOp) -> None:
    """Evaluates operations that round or compare floats, and their operands, if they depend on no argument; each in its own
    type.

    The array's square roots and logarithms are approximations, and it has no f64: 1.9999999 instead of 2 is another row of a
    table.

    Before:

        %n = linalg.generic outs(%e : tensor<6xi64>) { yield (arith.fptosi (math.sqrt (arith.sitofp (linalg.index 0)))) }

    After:

        %n = arith.constant dense<[0, 1, 1, 1, 2, 2]> : tensor<6xi64>
    """
    ops = body_of(function)
    makers, needs = dict[Any, int](), dict[int, list[int]]()
    for n, op in enumerate(ops):
        used = _used_outside_values(op)
        if all(v in makers for v in used):
            needs[n] = [makers[v] for v in used]
            makers.update(dict.fromkeys(op.results, n))
    chosen = set[int]()
    for n in needs:
        if any(o.name in _ROUNDED for o in walk_post_order(ops[n])):
            sources = _closure(n, needs)
            if any(_is_approximate(o) for source in sources for o in walk_post_order(ops[source])):
                chosen |= sources
    for n in sorted(chosen):
        fold(ops[n], _LARGEST)


def _used_outside_values(op: AnyOp) -> list[Any]:
    """The values from outside that `op` or its body uses."""
    within = list(walk_post_order(op))
    own: set[Any] = {r for o in within for r in o.results}
    own |= {a for o in within for g in o.regions for b in g.blocks for a in b.arguments}
    return [v for o in within for v in o.operands if v not in own]


def _closure(number: int, needs: dict[int, list[int]]) -> set[int]:
    """The operation `number` and those that it needs, transitively."""
    result, rest = set[int](), [number]
    while rest:
        last = rest.pop()
        if last not in result:
            result.add(last)
            rest += needs[last]
    return result


def _is_approximate(op: AnyOp) -> bool:
    """Whether the array's result may differ from the correctly rounded one."""
    if op.name == "arith.divf" or (op.name.startswith("math.") and op.name not in _EXACT):
        return True
    return op.name.startswith("arith.") and any(isinstance(v.type, ir.F64Type) for v in op.results)
