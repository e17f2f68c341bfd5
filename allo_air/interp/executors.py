"""The executor of a module: the interpreter above the AIE dialect, and a registered one for each level below."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.core.names import callee_of, sym_name_of
from allo_air.core.walking import enclosing, walk_named, walk_post_order
from allo_air.errors import DiagnosticError
from allo_air.mlir import AnyOp, ir

Executor = Callable[..., list[Any]]
"""`(module, inputs, name of the function or sequence, seed, libraries) -> arrays`, as `interp.run` returns them.

Programs that read uninitialized memory are called with `reads_unwritten=True`; the read is then no error.
"""


class NotExecuted(DiagnosticError):
    """The executor of a level cannot run the module, which does not mean that the module is wrong."""


_EXECUTORS: dict[str, Executor] = {}


def register(level: str, executor: Executor) -> None:
    """Makes `executor` run the modules of `level`, "aie" or "npu"."""
    _EXECUTORS[level] = executor


def executor_for(level: str) -> Executor | None:
    """The executor for modules of `level`; None if there is none."""
    return _EXECUTORS.get(level)


def level_of(module: AnyOp) -> str:
    """ "npu" with a runtime sequence, "aie" with a device or a control program for one, "" above."""
    if walk_named(module, "aie.runtime_sequence"):
        return "npu"
    lower = any(o.name.startswith(("aie.", "airrt.")) for o in _top(module))
    return "aie" if lower or walk_named(module, "aie.device") else ""


def entries(module: AnyOp) -> list[ir.Operation]:
    """The entry points of a module: functions outside of devices, and runtime sequences of devices, without callers."""
    called = {callee_of(c) for c in walk_named(module, "func.call")}
    functions = [f for f in _top(module) if f.name == "func.func" and f.regions[0].blocks and _name(f) not in called]
    run = {(r.parent.attributes["symbol"].value, r.opview.runtime_sequence_symbol) for r in walk_named(module, "aiex.run")}
    sequences = [s for s in walk_named(module, "aie.runtime_sequence") if s.regions[0].blocks]
    return [*functions, *(s for s in sequences if (device_of(s), _name(s)) not in run)]


def device_of(sequence: ir.Operation) -> str:
    """The name of the device that a runtime sequence belongs to."""
    return _name(enclosing(sequence, "aie.device"))


def entry_named(module: AnyOp, name: str) -> ir.Operation:
    """The entry of that name."""
    return next(e for e in entries(module) if _name(e) == name)


def drives_device(function: ir.Operation) -> bool:
    """Whether a function is the control program of a device."""
    return any(o.name.startswith(("air.", "airrt.")) for o in walk_post_order(function))


def _name(op: ir.Operation) -> str:
    return sym_name_of(op) if "sym_name" in op.attributes else ""


def _top(module: AnyOp) -> list[ir.Operation]:
    return [o.operation for o in module.operation.regions[0].blocks[0].operations]
