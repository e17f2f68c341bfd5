"""Finds the parts of a scheduled function, under the names that Allo's programs import."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.errors import UnknownNameError
from allo_air.mlir import func
from allo_air.scheduling import buffers
from allo_air.scheduling.loops import Loop, find, loops_of

if TYPE_CHECKING:
    from allo_air.mlir import ir


def find_loop_in_bands(function: func.FuncOp, axis: object) -> tuple[str, Loop]:
    """The loop nest with loop `axis` of a function, and the loop."""
    with function.operation.context:
        result = find(loops_of(function), axis)
    return result.band, result


def find_func_in_module(module: ir.Module, name: str) -> Any:
    """The function `name` of a module, or None."""
    return next((op for op in module.body.operations if isinstance(op, func.FuncOp) and op.name.value == name), None)


def find_buffer(module: ir.Module, target: Any, function: str | None = None) -> tuple[Any, int, Any]:
    """For tensor `target` (`s.A` or a `MockBuffer`): its function, its number among the parameters (or -1), and its value."""
    name = function or getattr(target, "function", None) or target.func
    result = find_func_in_module(module, name)
    if result is None:
        raise UnknownNameError(
            "function", name, [op.name.value for op in module.body.operations if isinstance(op, func.FuncOp)]
        )
    value = buffers.find(result, target.name)
    return result, getattr(value, "arg_number", -1), value
