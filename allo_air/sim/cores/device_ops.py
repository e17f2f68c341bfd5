"""Lock, stream, cascade and event operations, and calls of external functions, become calls of the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.names import callee_of
from allo_air.core.walking import walk_named
from allo_air.dialects.memrefs import total_bits
from allo_air.errors import counted
from allo_air.mlir import arith, ir, vector
from allo_air.sim.cores.build import Calls, cast, i32, load, store


@dataclass(frozen=True)
class Effect:
    """The memrefs that an external function's kernel reads and writes all of, by position, and whether it uses ports."""

    reads: tuple[int, ...]
    writes: tuple[int, ...] | None
    ports: bool


@dataclass
class Lowering:
    """The state of lowering one function: `site(op)` creates the i32 that identifies `op` in findings, `kernel_base` is the
    index of the first kernel.
    """

    calls: Calls
    entry: ir.Block
    site: Callable[[Any], Any]
    kernel_base: ir.Value
    kernels: list[Any] = field(default_factory=list)
    effects: dict[str, Effect] = field(default_factory=dict)

    def slot(self, words: int) -> Any:
        """Stack memory of `words` 64-bit words, 64-byte aligned, allocated once at the function's entry."""
        with ir.InsertionPoint.at_block_begin(self.entry):
            i64 = ir.IntegerType.get_signless(64)
            count = arith.constant(i64, words)
            pointer = ir.Type.parse("!llvm.ptr")
            created = ir.Operation.create(
                "llvm.alloca", [pointer], [count],
                {"elem_type": ir.TypeAttr.get(i64), "alignment": ir.IntegerAttr.get(i64, 64)},
            )  # fmt: skip
            return created.results[0]


def lower_device_ops(function: ir.Operation, lowering: Lowering) -> None:
    """Replaces the AIE operations and external calls in `function`."""
    for op in walk_named(function, *_RULES):
        with ir.InsertionPoint(op), op.location:
            _RULES[op.name](op, lowering)


def _use_lock(op: ir.Operation, lowering: Lowering) -> None:
    i = ir.IntegerType.get_signless(32)
    handle = cast(op.operands[0], i)
    if len(op.operands) > 1:
        amount = cast(op.operands[1], i)
    else:
        amount = i32(op.attributes["value"].value if "value" in op.attributes else 1)
    if "blocking" in op.attributes and op.attributes["blocking"].value == 0:
        raise error_at(op, "does not block; the simulator runs blocking lock operations only")
    lowering.calls("allo_sim_use_lock", handle, i32(op.attributes["action"].value), amount, lowering.site(op))
    op.erase()


def _bits(op: ir.Operation, kind: ir.Type) -> int:
    """The number of bits of a scalar or vector that is sent through a stream."""
    bits = None if isinstance(kind, ir.IndexType) else total_bits(kind)
    if bits is None:
        raise error_at(op, f"moves a {kind}; streams and cascades move integers, floats and vectors of them")
    return bits


def _flattened(value: ir.Value) -> Any:
    """Flattens a vector to one dimension, which LLVM can store."""
    kind = value.type
    if not isinstance(kind, ir.VectorType) or len(kind.shape) == 1:
        return value
    lanes = 1
    for n in kind.shape:
        lanes *= n
    return vector.shape_cast(ir.VectorType.get([lanes], kind.element_type), value)


def _load(kind: ir.Type, slot: ir.Value) -> Any:
    """The value of type `kind` at `slot`."""
    if not isinstance(kind, ir.VectorType) or len(kind.shape) == 1:
        return load(kind, slot)
    lanes = 1
    for n in kind.shape:
        lanes *= n
    flat = load(ir.VectorType.get([lanes], kind.element_type), slot)
    return vector.shape_cast(kind, flat)


def _store(value: ir.Value, slot: ir.Value) -> None:
    store(_flattened(value), slot)


CASCADE_BITS = 512
"""Width of the cascade stream on AIE2 and AIE2p (docs/sources.md#simulator-semantics)."""


def _put_cascade(op: ir.Operation, lowering: Lowering) -> None:
    if (bits := _bits(op, op.operands[0].type)) != CASCADE_BITS:
        raise error_at(op, f"puts {counted(bits, 'bit')} on the cascade, which moves {CASCADE_BITS} bits at a time")
    slot = lowering.slot(CASCADE_BITS // 64)
    _store(op.operands[0], slot)
    lowering.calls("allo_sim_cascade_put", slot, lowering.site(op))
    op.erase()


def _get_cascade(op: ir.Operation, lowering: Lowering) -> None:
    if (bits := _bits(op, op.results[0].type)) != CASCADE_BITS:
        raise error_at(op, f"gets {counted(bits, 'bit')} from the cascade, which moves {CASCADE_BITS} bits at a time")
    slot = lowering.slot(CASCADE_BITS // 64)
    lowering.calls("allo_sim_cascade_get", slot, lowering.site(op))
    op.results[0].replace_all_uses_with(_load(op.results[0].type, slot))
    op.erase()


def _words(op: ir.Operation, kind: ir.Type) -> int:
    bits = _bits(op, kind)
    if bits % 32:
        raise error_at(op, f"moves {counted(bits, 'bit')}; a core's stream moves whole 32-bit words")
    return bits // 32


def _put_stream(op: ir.Operation, lowering: Lowering) -> None:
    words = _words(op, op.operands[1].type)
    slot = lowering.slot((words + 1) // 2)
    _store(op.operands[1], slot)
    channel = cast(op.operands[0], ir.IntegerType.get_signless(32))
    lowering.calls("allo_sim_stream_put", channel, slot, i32(words), lowering.site(op))
    op.erase()


def _get_stream(op: ir.Operation, lowering: Lowering) -> None:
    kind = op.results[0].type
    words = _words(op, kind)
    slot = lowering.slot((words + 1) // 2)
    channel = cast(op.operands[0], ir.IntegerType.get_signless(32))
    lowering.calls("allo_sim_stream_get", channel, slot, i32(words), lowering.site(op))
    op.results[0].replace_all_uses_with(_load(kind, slot))
    op.erase()


def port_cycles(op: ir.Operation) -> int:
    """Cycles that the engine itself counts for `op`: one per word of a stream or per 512 bits of a cascade, 0 for others."""
    match op.name:
        case "aie.put_stream":
            return _words(op, op.operands[1].type)
        case "aie.get_stream":
            return _words(op, op.results[0].type)
        case "aie.put_cascade" | "aie.get_cascade":
            return 1
    return 0


def _event(op: ir.Operation, lowering: Lowering) -> None:
    lowering.calls("allo_sim_event", i32(op.attributes["val"].value))
    op.erase()


def _call(op: ir.Operation, lowering: Lowering) -> None:
    from allo_air.sim.cores.external import lower_call

    if callee_of(op) in lowering.effects:
        lower_call(op, lowering)


_RULES: dict[str, Callable[[Any, Lowering], None]] = {
    "aie.use_lock": _use_lock,
    "aie.put_cascade": _put_cascade,
    "aie.get_cascade": _get_cascade,
    "aie.put_stream": _put_stream,
    "aie.get_stream": _get_stream,
    "aie.event": _event,
    "func.call": _call,
}

__all__ = ["CASCADE_BITS", "Effect", "Lowering", "lower_device_ops", "port_cycles"]
