"""unfold: the turns of loops become processing elements of their own."""

from __future__ import annotations

from collections.abc import Sequence

from allo_air.core.cloning import clone_body
from allo_air.errors import AlloAirError
from allo_air.mlir import arith, ir
from allo_air.scheduling.loops import Loop, constant_range, perfect_nest


def unfold(outer: Loop, axes: Sequence[int], loops: list[Loop]) -> None:
    """Writes the loops `axes`, counted from `outer` inwards, out: a copy of the body for each turn.

    Before (axis 0):

        affine.for %i = 0 to 2 { call @kernel(%i) }

    After:

        call @kernel(%c0) {pe = [0]}
        call @kernel(%c1) {pe = [1]}
    """
    if sorted(set(axes)) != sorted(axes) or not axes or min(axes) < 0:
        raise AlloAirError(f"unfold takes different axes from 0, found {list(axes)}")
    nest = perfect_nest(outer, max(axes) + 1, loops)
    for loop in nest:
        constant_range(loop)
    for axis in sorted(axes, reverse=True):
        _write_out(nest[axis])


def _write_out(loop: Loop) -> None:
    turns = constant_range(loop)
    with ir.InsertionPoint(loop.op), loop.op.location:
        for number, turn in enumerate(turns):
            index = arith.constant(ir.IndexType.get(), turn)
            made, _ = clone_body(loop.body, {loop.variable: index})
            for op in made:
                before = list(op.attributes["pe"]) if "pe" in op.attributes else []
                i64 = ir.IntegerType.get_signless(64)
                if op.name == "func.call" or op.name.endswith(".for"):
                    op.attributes["pe"] = ir.ArrayAttr.get([ir.IntegerAttr.get(i64, number), *before])
    loop.op.erase()
