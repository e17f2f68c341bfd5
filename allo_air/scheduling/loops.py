"""Finds loops by their names. Schedules and primitives use these helpers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.core.loops import dim_of
from allo_air.core.names import sym_name_of
from allo_air.errors import AlloAirError, UnknownNameError
from allo_air.mlir import AnyOp, affine, arith, ir

LOOPS = ("affine.for", "scf.for")


@dataclass(frozen=True)
class Loop:
    """A named loop of function `function`. It belongs to the band `band`: the loop nest of one Python statement."""

    name: str
    op: Any
    band: str
    function: str
    outer_bands: tuple[str, ...] = ()
    """The outer bands that contain it."""

    @property
    def body(self) -> Any:
        return self.op.regions[0].blocks[0]

    @property
    def variable(self) -> Any:
        return self.body.arguments[0]


def name_of(op: AnyOp, attribute: str = "loop_name") -> str:
    """The name of a loop (`loop_name`), or of its band (`op_name`); "" if it has none."""
    return str(op.attributes[attribute].value) if attribute in op.attributes else ""


def loops_of(function: AnyOp) -> list[Loop]:
    """The loops of a function, outer loops before inner ones, in program order."""
    return list(_walk(function.operation.regions[0].blocks[0], ("",), sym_name_of(function.operation)))


def _walk(block: ir.Block, bands: tuple[str, ...], function: str) -> Iterator[Loop]:
    for view in block.operations:
        op = view.operation
        inner = bands
        if op.name in LOOPS and name_of(op):
            inner = (*bands, name_of(op, "op_name")) if name_of(op, "op_name") else bands
            yield Loop(name_of(op), op, inner[-1], function, inner[:-1])
        for region in op.regions:
            for nested in region.blocks:
                yield from _walk(nested, inner, function)


class UnknownLoopError(UnknownNameError, RuntimeError):
    """No loop has this name."""


class AmbiguousLoopError(AlloAirError, RuntimeError):
    """Several loops have this name."""


def find(loops: list[Loop], axis: object) -> Loop:
    """The loop for `axis`, which is a Loop, `"i"`, or `"band:i"` (a loop in this band or in a band inside it).

    If the name fits several nested loops, the outermost one is returned.
    """
    if isinstance(axis, Loop):
        return next((loop for loop in loops if loop.op == axis.op), None) or find(loops, f"{axis.band}:{axis.name}")
    band, _, name = str(axis).rpartition(":")
    results = [each for each in loops if each.name == name and band in ("", each.band, each.function)]
    results = results or [each for each in loops if each.name == name and band in each.outer_bands]
    if not results:
        names = list(dict.fromkeys(each.name for each in loops))
        raise UnknownLoopError("loop", str(axis), names, f"there are {', '.join(names)}" if names else "there are none")
    if len(results) > 1 and not all(_contains(results[0].op, each.op) for each in results[1:]):
        choices = ", ".join(f"'{each.band}:{each.name}'" for each in results)
        raise AmbiguousLoopError(f"{len(results)} loops are named '{name}'; say which: {choices}")
    return results[0]


def _contains(outer: object, op: AnyOp) -> bool:
    while op is not None and op != outer:
        op = op.parent
    return op is not None


def constant_range(loop: Loop) -> range:
    """The values of the variable of an `affine.for` with constant bounds."""
    dim = dim_of(loop.op) if loop.op.name == "affine.for" else None
    if dim is None:
        raise AlloAirError(f"the bounds of loop '{loop.name}' are not constants")
    return dim.values


def only_inner(loop: Loop) -> Any:
    """The only operation in a loop's body except the terminator; None if there are several."""
    inner = list(loop.body.operations)[:-1]
    return inner[0].operation if len(inner) == 1 else None


def perfect_nest(outer: Loop, depth: int, loops: list[Loop]) -> list[Loop]:
    """`depth` perfectly nested loops, from `outer` inwards."""
    nest = [outer]
    while len(nest) < depth:
        op = only_inner(nest[-1])
        inner = next((each for each in loops if op is not None and each.op == op), None)
        if inner is None:
            raise AlloAirError(f"loop '{nest[-1].name}' holds more than one loop; the loops must be perfectly nested")
        nest.append(inner)
    return nest


def depth_of(loop: Loop) -> int:
    """The number of operations around the loop, inside its function."""
    count, op = 0, loop.op
    while op.name != "func.func":
        count, op = count + 1, op.parent
    return count


def move_body(source: ir.Block, target: ir.Block) -> None:
    """Moves all operations of block `source`, except the terminator, before the terminator of block `target`."""
    end = list(target.operations)[-1]
    for view in list(source.operations)[:-1]:
        view.operation.move_before(end)


def replace(old: ir.Value, new: ir.Value) -> None:
    """Replaces all uses of `old` by `new`."""
    old.replace_all_uses_with(new)


def new_loop(trip: Any, name: str, band: str = "", operands: Sequence[ir.Value] = ()) -> Any:
    """An affine loop from 0 to `trip` (a number, or a map of `operands`) with an empty body."""
    loop = affine.AffineForOp(0, trip, 1, upper_bound_operands=list(operands))
    loop.operation.attributes["loop_name"] = ir.StringAttr.get(name)
    if band:
        loop.operation.attributes["op_name"] = ir.StringAttr.get(band)
    with ir.InsertionPoint(loop.body):
        affine.AffineYieldOp([])
    return loop


def apply(expr: ir.AffineExpr, operands: Sequence[ir.BlockArgument]) -> Any:
    """The value of an affine expression of `operands`."""
    return affine.AffineApplyOp(ir.AffineMap.get(len(operands), 0, [expr]), list(operands)).result


def placeholder() -> Any:
    """A temporary value, to be replaced by another."""
    return arith.ConstantOp(ir.IndexType.get(), 0).result


def function_named(module: AnyOp, name: str) -> Any:
    """The function `name` of a module."""
    results = {}
    for view in module.regions[0].blocks[0].operations:
        if view.operation.name == "func.func":
            results[sym_name_of(view.operation)] = view.operation
    if name not in results:
        raise UnknownNameError("function", name, results)
    return results[name]
