"""Lowers lock, stream, cascade and event operations of a core to calls of Peano's built-in functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, arith, ir, vector
from allo_air.passes.kernel._intrinsics import Caller

if TYPE_CHECKING:
    from allo_air.dialects._aie_streams import DebugOp, GetCascadeOp, GetStreamOp, PutCascadeOp, PutStreamOp

_ACQUIRE_GREATER_EQUAL, _RELEASE = 2, 1


def to_calls(op: AnyOp, caller: Caller) -> None:
    """Replaces the `aie` operations in `op`, a core or a function, by calls."""
    for name, lower in _LOWERINGS.items():
        for item in walk_named(op, name):
            results = lower(item.opview, caller)
            for old, new in zip(item.results, results, strict=True):
                old.replace_all_uses_with(new)
            item.erase()


def _use_lock(op: ir.OpView, caller: Caller) -> list[Any]:
    before: dict[str, Any] = {"loc": op.location, "ip": ir.InsertionPoint(op)}
    lock = arith.IndexCastOp(_i32(), op.lock, **before).result
    value = constant_of(op.amount) if op.amount is not None else 1 if op.value is None else op.value
    sign = -1 if op.action == _ACQUIRE_GREATER_EQUAL else 1  # an instruction that waits for at least n takes -n
    if value is not None:
        amount = caller.number(op, sign * value)
    elif sign > 0:
        amount = op.amount
    else:
        amount = arith.SubIOp(caller.number(op, 0), op.amount, **before).result
    verb = "release" if op.action == _RELEASE else "acquire"
    caller.call(op, f"llvm.aie.lock.{verb}.reg" if caller.is_aie1 else f"llvm.{{}}.{verb}", [lock, amount])
    return []


def _put_stream(op: PutStreamOp, caller: Caller) -> list[Any]:
    if caller.is_aie1:
        caller.call(op, f"llvm.aie.put.{_type_letter(op, op.stream_value.type)}ms", [op.channel, op.stream_value])
    else:
        caller.call(op, "llvm.{}.put.ms", [_as(op, _as_word(op, op.stream_value), _i32()), caller.number(op, 0)])
    return []


def _get_stream(op: GetStreamOp, caller: Caller) -> list[Any]:
    if caller.is_aie1:
        return caller.call(op, f"llvm.aie.get.{_type_letter(op, op.stream_value.type)}ss", [op.channel])
    value = _as_word(op, op.stream_value)
    return [_as(op, caller.call(op, "llvm.{}.get.ss", [])[0], value.type)]


def _as_word(op: AnyOp, value: ir.Value) -> ir.Value:
    """`value` as the 32 bits that a stream of AIE2 carries."""
    if str(value.type) not in ("i32", "f32"):
        raise error_at(op, f"moves a {value.type} through a stream, which takes i32 or f32; cast it")
    return value


def _i32() -> ir.Type:
    return ir.IntegerType.get_signless(32)


def _type_letter(op: AnyOp, kind: ir.Type) -> str:
    """The letter for values of type `kind` in the names of AIE1's stream functions."""
    letters = {"i32": "", "i128": "w", "f32": "f"}
    if str(kind) not in letters:
        raise error_at(op, f"moves a {kind} through a stream, which takes i32, i128 or f32; cast it")
    return letters[str(kind)]


def _put_cascade(op: PutCascadeOp, caller: Caller) -> list[Any]:
    if caller.is_aie1:
        caller.call(op, "llvm.aie.put.mcd", [op.cascade_value])
    else:
        value = _as(op, op.cascade_value, ir.Type.parse("vector<16xi32>"))
        caller.call(op, "llvm.{}.mcd.write.vec", [value, caller.number(op, 1)])
    return []


def _get_cascade(op: GetCascadeOp, caller: Caller) -> list[Any]:
    if caller.is_aie1:
        return caller.call(op, "llvm.aie.get.scd", [])
    [read] = caller.call(op, "llvm.{}.scd.read.vec", [caller.number(op, 1)])
    return [_as(op, read, op.cascade_value.type)]


def _as(op: AnyOp, value: ir.Value, kind: ir.Type) -> ir.Value:
    """The bits of `value` as type `kind`."""
    if value.type == kind:
        return value
    cast = vector.BitCastOp if isinstance(kind, ir.VectorType) and isinstance(value.type, ir.VectorType) else arith.BitcastOp
    result: ir.Value = cast(kind, value, loc=op.location, ip=ir.InsertionPoint(op)).result
    return result


def _event(op: ir.OpView, caller: Caller) -> list[Any]:
    if caller.is_aie1:
        if op.val not in (0, 1):
            raise error_at(op, f"raises event {op.val}; a core of AIE1 has user events 0 and 1")
        caller.call(op, f"llvm.aie.event{op.val}", [])
    else:
        caller.call(op, "llvm.{}.event", [caller.number(op, op.val)])
    return []


def _debug(op: DebugOp, caller: Caller) -> list[Any]:
    caller.call(op, "debug_i32", [op.arg])
    return []


_LOWERINGS: dict[str, Callable[[Any, Caller], list[Any]]] = {
    "aie.use_lock": _use_lock,
    "aie.put_stream": _put_stream,
    "aie.get_stream": _get_stream,
    "aie.put_cascade": _put_cascade,
    "aie.get_cascade": _get_cascade,
    "aie.event": _event,
    "aie.debug": _debug,
}
