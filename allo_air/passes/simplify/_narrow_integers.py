"""Narrows i64 to i32 if that does not change the result, since the array computes in 32 bits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allo_air.core.cloning import replace
from allo_air.core.elements import array_of, elements_attr, is_elements
from allo_air.core.walking import body_of, walk_pre_order
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.generic import Generic
from allo_air.passes.simplify._boundary import cast_arguments, cast_results
from allo_air.passes.simplify._ranges import EMPTY, WORD, ranges

_SHARED = ("arith.constant", "tensor.empty", "linalg.fill")
_MODULAR = ("arith.addi", "arith.subi", "arith.muli", "arith.andi", "arith.ori", "arith.xori", "arith.trunci")
"""Operations whose low 32 bits depend only on the low 32 bits of the operands."""
_STRUCTURE = (
    *("arith.constant", "tensor.empty", "linalg.fill", "linalg.yield", "linalg.generic", "arith.select", "arith.extsi"),
    *("arith.extui", "tensor.expand_shape", "tensor.collapse_shape", "tensor.extract_slice", "tensor.concat"),
)
_EXACT = ("arith.cmpi", "arith.sitofp", "arith.index_cast", "arith.maxsi", "arith.minsi", "arith.divsi", "arith.remsi",
          "math.absi", "func.return")  # fmt: skip
"""Operations that give the same result on the low 32 bits, if the operands fit in them."""


def narrow_integers(function: AnyOp) -> None:
    """Computes in i32 instead of i64 if all values fit or only their low halves are used.

    Importers write indices, and sums of integers before truncation, in i64. Arguments and results keep their types, with a
    cast. Values that may not fit stay i64.

    Before:

        %i = linalg.index 1 : index
        %n = arith.index_cast %i : index to i64
        %new = arith.select %more, %n, %at : i64

    After:

        %new = arith.select %more, %n, %at : i32
    """
    if not any(_is_wide(v) for v in _values(function)):
        return
    cast_arguments(function, _type(64), _type(32), "arith.trunci", "arith.extsi")
    for op in reversed(body_of(function)):
        _copy_constants(op)
    range_of = ranges(function)
    for group in _groups(function):
        if _may_narrow(group, range_of):
            for value in group:
                value.set_type(_narrowed(value.type))
    _update_types(function)
    cast_results(function, _type(64), _type(32), "arith.extsi")


def _type(width: int) -> ir.IntegerType:
    return ir.IntegerType.get_signless(width)


def _is_wide(value: ir.Value) -> bool:
    element = value.type.element_type if isinstance(value.type, ir.RankedTensorType) else value.type
    return isinstance(element, ir.IntegerType) and element.width == 64


def _narrowed(type_: ir.Type) -> Any:
    return ir.RankedTensorType.get(type_.shape, _type(32)) if isinstance(type_, ir.RankedTensorType) else _type(32)


def _ops(function: AnyOp) -> list[AnyOp]:
    """All operations, except those in bodies of named linalg operations, whose types follow from the operands."""
    named: list[AnyOp] = []
    for op in body_of(function):
        named += [op] if _is_named(op) else walk_pre_order(op)
    return named


def _is_named(op: AnyOp) -> bool:
    return bool(op.name.startswith("linalg.") and op.name != "linalg.generic")


def _values(function: AnyOp) -> list[Any]:
    values: list[Any] = list(function.regions[0].blocks[0].arguments)
    for op in _ops(function):
        values += op.results
        if not _is_named(op):
            values += [a for region in op.regions for block in region.blocks for a in block.arguments]
    return values


def _copy_constants(op: AnyOp) -> None:
    """Gives each use of a constant or fill its own copy, so that other uses do not matter."""
    if op.name not in _SHARED or not any(_is_wide(r) for r in op.results):
        return
    for use in list(op.results[0].uses)[1:]:
        with ir.InsertionPoint(op):
            use.owner.operands[use.operand_number] = op.clone().results[0]


def _groups(function: AnyOp) -> list[set[Any]]:
    """The i64 values that must have one type, grouped."""
    group: dict[Any, set[Any]] = {v: {v} for v in _values(function) if _is_wide(v)}

    def unite(*values: ir.Value) -> None:
        wide = [v for v in values if v in group]
        for value in wide[1:]:
            first, second = group[wide[0]], group[value]
            if first is not second:
                small, large = sorted((first, second), key=len)
                large |= small
                for member in small:
                    group[member] = large

    for op in _ops(function):
        if op.name == "linalg.generic" and op.results:
            match = Generic.of(op)
            for value, argument in zip(op.operands, match.arguments, strict=True):
                unite(value, argument)
            for out, result, yielded in zip(match.outs, op.results, match.yielded, strict=True):
                unite(out, result, yielded)
        elif op.name not in ("func.return", "func.func", "arith.trunci", "linalg.yield"):
            unite(*op.operands, *op.results)
    return list({id(s): s for s in group.values()}.values())


def _may_narrow(group: set[ir.Value], range_of: Mapping[ir.Value, tuple[int, ...]]) -> bool:
    users = {use.owner.operation.name for v in group for use in v.uses}
    makers = {"" if isinstance(v, ir.BlockArgument) else v.owner.operation.name for v in group}
    if any(isinstance(v, ir.BlockArgument) and v.owner.owner.operation.name == "func.func" for v in group):
        return False
    products = {
        n for n in users | makers if n.startswith(("linalg.matmul", "linalg.batch_matmul", "linalg.dot", "linalg.conv"))
    }
    if all(n in _MODULAR or n in _STRUCTURE or n in products or not n for n in users | makers - {"arith.fptosi"}):
        return "arith.fptosi" not in makers
    fits = all((r := range_of.get(v)) is not None and (r == EMPTY or (WORD[0] <= r[0] and r[1] <= WORD[1])) for v in group)
    allowed = {*_MODULAR, *_STRUCTURE, *_EXACT, ""}
    return fits and all(n in allowed for n in users | makers)


def _update_types(function: AnyOp) -> None:
    """Updates the types of constants, removes casts between equal types, and makes named operations compute in the new
    type.
    """
    from allo_air.mlir import linalg

    for op in body_of(function):
        if _is_named(op) and op.name != "linalg.fill" and op.results:
            if op.results[0].type.element_type == _type(32) and str(_inner(op)) == "i64":
                attributes = {n: op.attributes[n] for n in op.attributes}
                with ir.InsertionPoint(op), op.location:
                    result = ir.Operation.create(op.name, [op.results[0].type], list(op.operands), attributes, regions=1)
                    linalg.fill_builtin_region(result)
                replace(op, result.results)
        elif op.name == "linalg.fill" and op.operands[0].type != op.regions[0].blocks[0].arguments[0].type:
            with ir.InsertionPoint(op), op.location:
                replace(op, [linalg.fill(op.operands[0], outs=[op.operands[1]])])
    for op in walk_pre_order(function):
        if op.name == "arith.constant" and op.attributes["value"].type != op.results[0].type:
            op.attributes["value"] = _constant(op.attributes["value"], op.results[0].type)
        elif op.name in ("arith.extsi", "arith.trunci") and op.operands[0].type == op.results[0].type:
            replace(op, [op.operands[0]])


def _inner(op: AnyOp) -> Any:
    arguments = op.regions[0].blocks[0].arguments
    return arguments[len(arguments) - 1].type


def _constant(attribute: Any, type_: ir.Type) -> Any:
    if is_elements(attribute):
        return elements_attr(array_of(attribute).astype("int32"), type_)
    low = int(attribute.value) & (2**32 - 1)
    return ir.IntegerAttr.get(type_, low - 2**32 if low >= 2**31 else low)
