"""The primitive unfold: iterations of loops become processing elements, which are calls of one function."""

from __future__ import annotations

from collections.abc import Sequence

from allo_air.core.cloning import clone, clone_body
from allo_air.core.names import sym_name_of
from allo_air.core.walking import enclosing, is_inside, walk_pre_order
from allo_air.errors import AlloAirError
from allo_air.mlir import AnyOp, arith, func, ir
from allo_air.scheduling.loops import Loop, constant_range, perfect_nest


def unfold(outer: Loop, axes: Sequence[int], loops: list[Loop]) -> None:
    """Unrolls the loops `axes`, counted from `outer` inwards, into calls of a function with their body.

    If the body already is a single call, that function is used.

    Before (axis 0 of nest "PE"):

        affine.for %i = 0 to 2 { affine.store %x, %A[%i] } {op_name = "PE"}

    After:

        call @PE(%x, %A, %c0) {pe = [0]}
        call @PE(%x, %A, %c1) {pe = [1]}
    """
    if sorted(set(axes)) != sorted(axes) or not axes or min(axes) < 0:
        raise AlloAirError(f"unfold takes different axes from 0, found {list(axes)}")
    nest = perfect_nest(outer, max(axes) + 1, loops)
    for loop in nest:
        constant_range(loop)
    _outline(nest[max(axes)], outer.band)
    for axis in sorted(axes, reverse=True):
        _unroll(nest[axis])


def _unroll(loop: Loop) -> None:
    range_ = constant_range(loop)
    with ir.InsertionPoint(loop.op), loop.op.location:
        for number, value in enumerate(range_):
            index = arith.constant(ir.IndexType.get(), value)
            result, _ = clone_body(loop.body, {loop.variable: index})
            for op in result:
                before = list(op.attributes["pe"]) if "pe" in op.attributes else []
                i64 = ir.IntegerType.get_signless(64)
                if op.name == "func.call" or op.name.endswith(".for"):
                    op.attributes["pe"] = ir.ArrayAttr.get([ir.IntegerAttr.get(i64, number), *before])
    loop.op.erase()


_PREPARES = ("arith.", "memref.subview", "memref.cast", "memref.load", "affine.apply", "affine.load")
"""Operations that may precede the call in a body, to compute its arguments."""


def _outline(loop: Loop, band: str) -> None:
    """Moves the body of a loop to a new function, and replaces the body by a call."""
    body = [op.operation for op in loop.body.operations][:-1]
    computing = [op for op in body if not op.name.startswith(_PREPARES)]
    if [op.name for op in computing] in ([], ["func.call"]):
        return
    function = enclosing(loop.op, "func.func")
    value, constants = _captured(body, loop.op)
    name = _unused_name(function.parent, band)
    with ir.InsertionPoint(function), loop.op.location:
        result = func.FuncOp(name, ir.FunctionType.get([v.type for v in value], []))
        result.attributes["itypes"], result.attributes["otypes"] = ir.StringAttr.get("s" * len(value)), ir.StringAttr.get("")
        block = result.add_entry_block()
    values = dict(zip(value, block.arguments, strict=True))
    with ir.InsertionPoint(block), loop.op.location:
        for constant in constants:
            clone(constant, values)
        for op in body:
            clone(op, values)
        func.ReturnOp([])
    with ir.InsertionPoint(body[0]), loop.op.location:
        func.CallOp(result, value)
    for op in reversed(body):
        op.erase()


def _captured(body: list[AnyOp], loop: AnyOp) -> tuple[list[ir.Value], list[AnyOp]]:
    """The values that a body uses from outside, and the constants, which the function can create itself."""
    values: dict[ir.Value, None] = {}
    constants: dict[AnyOp, None] = {}
    for op in (inner for each in body for inner in walk_pre_order(each)):
        for value in op.operands:
            if isinstance(value, ir.BlockArgument):
                owner = value.owner.owner.operation
                inside = owner != loop.operation and is_inside(owner, loop)
            else:
                owner = value.owner.operation
                inside = is_inside(owner, loop)
                if not inside and owner.name == "arith.constant":
                    constants[owner] = None
                    continue
            if not inside:
                values[value] = None
    return list(values), list(constants)


def _unused_name(module: AnyOp, base: str) -> str:
    used_names = {sym_name_of(op) for op in module.regions[0].blocks[0].operations if "sym_name" in op.attributes}
    name, count = base, 0
    while name in used_names:
        name, count = f"{base}_{count}", count + 1
    return name
