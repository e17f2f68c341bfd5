"""Who executes a module: the interpreter above the AIE dialect, and below it what is registered for the level."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.core.rewrite import walk_named

Executor = Callable[[Any, list[Any], str, int], list[Any]]
"""`(module, inputs, function's name, seed) -> arrays`, as `interp.run` returns them."""

_EXECUTORS: dict[str, Executor] = {}


def register(level: str, executor: Executor) -> None:
    """Makes `executor` run the modules of `level`, "aie" or "npu"."""
    _EXECUTORS[level] = executor


def executor_for(level: str) -> Executor | None:
    """What runs modules of `level`; None if nothing does."""
    return _EXECUTORS.get(level)


def level_of(module: Any) -> str:
    """ "npu" with a runtime sequence, "aie" with a device or a control program for one, "" above."""
    if walk_named(module, "aie.runtime_sequence"):
        return "npu"
    lower = any(o.name.startswith(("aie.", "airrt.")) for o in _top(module))
    return "aie" if lower or walk_named(module, "aie.device") else ""


def _top(module: Any) -> list[Any]:
    return [o.operation for o in module.operation.regions[0].blocks[0].operations]
