"""`@func`: Python functions of buffers and scalars that cores call as functions of the device."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, get_type_hints

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.arrays import is_array_type, mlir_type, scalar_element
from allo_air.aie.building.errors import IronTypeError, IronValueError
from allo_air.aie.building.functions import called
from allo_air.aie.building.scope import before_here, device_block, place, require
from allo_air.aie.building.values import cast, value_of, wrapped
from allo_air.core.names import set_function_type
from allo_air.errors import counted
from allo_air.mlir import func as _func
from allo_air.mlir import ir

__all__ = ["Function", "func"]


class Function:
    """A function with annotated parameters. It is built where it is defined in a device, or before the first core that calls
    it."""

    def __init__(self, function: Callable[..., object], sym_name: str | None = None, kinds: Sequence[object] | None = None):
        self.function, self.__name__, self.__doc__ = function, sym_name or function.__name__, function.__doc__
        try:
            hints = get_type_hints(function)
        except (NameError, TypeError):
            hints = dict(function.__annotations__)
        names = list(inspect.signature(function).parameters)
        self.kinds = list(kinds) if kinds is not None else [self._kind(hints.get(n), n) for n in names]
        self.op: Any = None  # the operation, if `emit` built it
        if place() == "device":
            self.emit()

    def _kind(self, annotation: object, name: str) -> Any:
        fits = (
            is_array_type(annotation)
            or scalar_element(annotation) is not None
            or isinstance(annotation, ir.Type)
            or callable(annotation)
        )
        if annotation is None or not fits:
            raise IronTypeError(f"@func {self.__name__}: parameter '{name}' needs an array type or a numpy scalar type")
        return annotation

    def _built(self, point: ir.InsertionPoint) -> Any:
        types = [mlir_type(k, f"@func {self.__name__}") for k in self.kinds]
        with point:
            op = _func.FuncOp(self.__name__, ir.FunctionType.get(types, []), visibility="private")
            block = op.add_entry_block()
            with ir.InsertionPoint(block):
                results = self.function(*(wrapped(a) for a in block.arguments))
                returned = [] if results is None else list(results) if isinstance(results, list | tuple) else [results]
                values = [value_of(v) for v in returned]
                _func.ReturnOp(values)
        if values:
            set_function_type(op)
        return op

    def emit(self, *_: object, **__: object) -> Any:
        """Builds the function here, unless it is already built."""
        if self.op is None:
            self.op = self._built(ir.InsertionPoint.current)
        return self.op

    def __call__(self, *arguments: object) -> Any:
        """Calls it in a core."""
        require(f"a call of @func {self.__name__}", "core")
        if len(arguments) != len(self.kinds):
            raise IronValueError(
                f"@func {self.__name__} is called with {counted(len(arguments), 'argument')}, and has {len(self.kinds)}"
            )
        result = self.declared() or self._built(before_here())
        return called(result, [self._passed(a, k) for a, k in zip(arguments, result.type.inputs, strict=True)])

    def declared(self) -> Any:
        """The function's operation in this device; None if it is not built yet."""
        for op in device_block().operations:
            if op.operation.name == "func.func" and op.name.value == self.__name__:
                return op
        return None

    def _passed(self, argument: object, kind: object) -> Any:
        if not str(kind).startswith("memref"):
            return cast(argument, str(kind))
        value = value_of(argument)
        if not isinstance(value, ir.Value) or value.type != kind:
            raise IronTypeError(f"@func {self.__name__}: {type(argument).__name__} for a parameter of {kind}")
        return value


def func(
    function: Callable[..., object] | None = None, *, sym_name: str | None = None, emit: bool = False, **keywords: object
) -> Any:
    """Makes `function`, whose parameters are annotated with array and scalar types, a function of the device.

    With `emit` it is built at once, also at the module's level.
    """
    refuse(keywords, "func", ignored=("loc", "ip"))
    if function is None:
        return lambda values: func(values, sym_name=sym_name, emit=emit)
    result = Function(function, sym_name)
    if emit:
        result.emit()
    return result
