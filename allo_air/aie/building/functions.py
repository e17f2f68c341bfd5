"""Functions that cores call: functions of object files, or functions of the device by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.arrays import mlir_type
from allo_air.aie.building.errors import IronTypeError, IronValueError
from allo_air.aie.building.scope import require_any
from allo_air.aie.building.values import cast, value_of, wrapped
from allo_air.errors import counted
from allo_air.mlir import func, ir


class external_func:
    """A function of an object file; call it with its arguments in a core."""

    def __init__(
        self, name: str, inputs: Sequence[ir.Type] = (), outputs: Sequence[Any] | None = None, visibility: str = "private",
        link_with: str | None = None, link_with_mode: str | None = None, loc: Any = None, ip: Any = None,
    ):  # fmt: skip
        self.name = name
        self.inputs = [_signless(mlir_type(k, f"external_func '{name}'")) for k in inputs]
        self.outputs = [mlir_type(k, f"external_func '{name}'") for k in outputs or ()]
        kind = ir.FunctionType.get(self.inputs, self.outputs)
        self.op = func.FuncOp(name, kind, visibility=visibility, loc=loc, ip=ip)
        for key, text in (("link_with", link_with), ("link_with_mode", link_with_mode)):
            if text:
                self.op.attributes[key] = ir.StringAttr.get(text)

    @property
    def operation(self) -> Any:
        """The declaration."""
        return self.op.operation

    def __call__(self, *arguments: object) -> Any:
        if len(arguments) != len(self.inputs):
            raise IronValueError(
                f"'{self.name}' is called with {counted(len(arguments), 'argument')}, and has {len(self.inputs)}"
            )
        values = [passed(a, k, self.name) for a, k in zip(arguments, self.inputs, strict=True)]
        return called(self.op, values)


def call(callee: Any, arguments: Any = (), second: Any = None, *, inputs: Any = None, **keywords: object) -> Any:
    """Calls a function: `call(f, [a, b])`, `call("f", inputs=[...])`, `call(result_types, "f", [...])`."""
    refuse(keywords, "call", ignored=("loc", "ip"))
    operands, name, results = list(inputs if inputs is not None else arguments), callee, []
    if isinstance(callee, list | tuple):
        operands, name, results = list(second or ()), str(arguments), list(callee)
    if isinstance(name, external_func):
        return name(*operands)
    if not isinstance(name, str):
        return called(name, [cast(a, str(k)) for a, k in zip(operands, name.type.inputs, strict=True)])
    op = func.CallOp(results, ir.FlatSymbolRefAttr.get(name), [value_of(a) for a in operands])
    values = [wrapped(r) for r in op.operation.results]
    return values[0] if len(values) == 1 else values or op


def passed(argument: object, kind: object, who: str) -> Any:
    """An argument as a value of the parameter's type."""
    value = value_of(argument)
    if not str(kind).startswith("memref"):
        return cast(value, str(kind))
    if not isinstance(value, ir.Value):
        raise IronTypeError(f"'{who}': {type(argument).__name__} for an argument of {kind}")
    if value.type != kind and not str(value.type).startswith("memref"):
        raise IronTypeError(f"'{who}': a value of {value.type} for an argument of {kind}")
    return value


def _signless(kind: object) -> Any:
    """Integers as signless types, since arith has no unsigned constants."""
    text = str(kind)
    return ir.Type.parse(text[1:]) if text.startswith(("ui", "si")) else kind


def called(function: func.FuncOp, arguments: Sequence[ir.Value]) -> Any:
    """Calls a function of the device; returns its result, or a list of several."""
    require_any("a call")
    op = func.CallOp(function, list(arguments))
    results = [wrapped(r) for r in op.operation.results]
    return results[0] if len(results) == 1 else results or op
