"""Registers our own operations for transform sequences: the effects of their handles, and their implementation in MLIR's
interpreter."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp, ir

HAND_IN, HAND_OUT = "transform.air.hand_in", "transform.air.hand_out"

EXCHANGES: list[dict[int, Any]] = []
"""The payload of handles while MLIR's interpreter runs: (kind, list of operations, values or attributes) by slot."""


def kind_of(handle_type: ir.Type) -> str:
    """The kind of payload of a handle type: `ops`, `values` or `params`."""
    text = str(handle_type)
    return "values" if "any_value" in text else "params" if "param" in text else "ops"


def _hand_in(op: AnyOp, results: Any) -> None:
    value = op.operation.results[0]
    kind, items = EXCHANGES[-1][op.operation.attributes["slot"].value]
    {"ops": results.set_ops, "values": results.set_values, "params": results.set_params}[kind](value, items)


def _hand_out(op: AnyOp, state: Any) -> None:
    value = op.operation.operands[0]
    kind = kind_of(value.type)
    if kind == "ops":
        items = [o.operation for o in state.get_payload_ops(value)]
    else:
        items = list(state.get_payload_values(value) if kind == "values" else state.get_params(value))
    slot = op.operation.attributes["slot"].value
    if slot < 0:  # for a list, one entry at a time
        EXCHANGES[-1].setdefault(slot, []).append((kind, items))
    else:
        EXCHANGES[-1][slot] = (kind, items)


def consumed(op: AnyOp) -> list[int]:
    """Numbers of the operands whose handles `op` consumes."""
    return list(type(op.opview).consumes)


def attach(name: str) -> None:
    """Registers operation `name` for transform sequences in MLIR, with the effects of its handles."""
    for interface in _interfaces(name):
        interface.attach(name)


@functools.cache
def _interfaces(name: str) -> tuple[Any, Any]:
    """The implementation of `name` for MLIR's interpreter, and its effects."""
    from allo_air.mlir import ir, transform

    class Applied(transform.TransformOpInterface):  # type: ignore[misc]
        @staticmethod
        def apply(op: AnyOp, rewriter: object, results: object, state: object) -> Any:
            if name == HAND_IN:
                _hand_in(op, results)
            elif name == HAND_OUT:
                _hand_out(op, state)
            else:
                op.location.emit_error(f"'{name}' is in a place where only MLIR's own operations can be applied")
                return transform.DiagnosedSilenceableFailure.DefiniteFailure
            return transform.DiagnosedSilenceableFailure.Success

        @staticmethod
        def allow_repeated_handle_operands(_op: AnyOp) -> bool:
            return False

    class Effects(ir.MemoryEffectsOpInterface):
        @staticmethod
        def get_effects(op: AnyOp, effects: ir.MemoryEffectInstancesList) -> None:
            used_up = consumed(op)
            operands = list(op.operation.op_operands)
            groups: tuple[tuple[Any, list[Any]], ...] = (
                (transform.consumes_handle, [o for n, o in enumerate(operands) if n in used_up]),
                (transform.only_reads_handle, [o for n, o in enumerate(operands) if n not in used_up]),
                (
                    transform.produces_handle,
                    [ir.OpResult(r) for r in op.operation.results],
                ),  # not the wrappers of `transform.extras`
            )
            for say, values in groups:
                if values:  # the bindings crash for an empty list
                    say(values, effects)
            transform.modifies_payload(effects)

    return Applied, Effects
