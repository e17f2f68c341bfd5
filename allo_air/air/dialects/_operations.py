"""A class and a function for each operation of the dialect, with the arguments of MLIR-AIR's generated builders.

`ChannelPutOp(async_token, async_dependencies, chan_name, indices, src, ...)`, `channel_put(...)`: results first, then operands
and attributes in their order, all of them also by name. `isinstance` works with these classes, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from allo_air.air.arguments import CallError, check_keywords
from allo_air.air.dialects._values import as_attribute, as_value, as_values
from allo_air.dialects import air as _air
from allo_air.dialects._fields import Operand
from allo_air.dialects._op import OPS, Op
from allo_air.errors import counted
from allo_air.mlir import ir

_RENAMED = {
    "deps": ("async_dependencies",),
    "token": ("async_token",),
    "args": ("launch_operands", "segment_operands", "herd_operands", "rank_operands", "custom_operands", "operands"),
    "values": ("results_",),
}
"""Fields that have another name in MLIR-AIR's builders."""
_ORDERS = {
    "aie.flow": ("source", "source_bundle", "source_channel", "dest"),
    "aie.masterset": ("dest_bundle", "dest_channel"),
    "aie.objectfifo": ("sym_name",),
    "aie.objectfifo.acquire": ("subview", "port"),
    "aie.objectfifo.allocate": ("objFifo_name",),
    "aie.objectfifo.register_external_buffers": ("objFifo_name",),
    "aie.objectfifo.release": ("port",),
    "aie.rule": ("mask", "value"),
    "aie.shim_dma_allocation": ("sym_name",),
    "aie.use_lock": ("lock", "action", "value"),
    "aie.wire": ("source", "source_bundle", "dest"),
    "aiex.dma_configure_task": ("tile", "direction", "channel"),
    "aiex.dma_configure_task_for": ("alloc",),
    "aiex.npu.rtp_write": ("buffer", "index", "value"),
}
"""Attributes that precede operands in MLIR-AIR's declarations, or are between them."""
_OWN = ("air.affine_if", "air.affine_yield")


class _Built(type):
    """A replacement of an operation's class: calling it builds the operation."""

    real: type[Op]
    order: tuple[str, ...]

    def __call__(
        cls,
        *arguments: object,
        loc: object = None,
        ip: ir.InsertionPoint | None = None,
        attributes: object = None,
        **named: object,
    ) -> Any:
        if len(arguments) == 1 and not named and _is_one(arguments[0], cls.real):
            return cls.real(arguments[0])
        arguments, named = _without_types(cls.real, cls.order, arguments, named)
        if len(arguments) > len(cls.order):
            raise CallError(f"{cls.__name__}() takes {', '.join(cls.order)}; got {counted(len(arguments), 'argument')}")
        check_keywords(
            cls.__name__, [n for n in named if _field(n) not in cls.order], [n for f in cls.order for n in _names(f)]
        )
        values = dict(zip(cls.order, arguments, strict=False))
        for name, value in named.items():
            if value is not None:
                values[_field(name)] = value
        with ip or ir.InsertionPoint.current:
            return _build(cls.real, {n: v for n, v in values.items() if v is not None}, attributes, loc)

    def __instancecheck__(cls, op: object) -> bool:
        return isinstance(op, cls.real)

    def __subclasscheck__(cls, other: type) -> bool:
        return issubclass(other, cls.real) if not isinstance(other, _Built) else other is cls

    def __getattr__(cls, name: str) -> Any:
        return getattr(cls.real, name)


def _without_types(
    real: type[Op], order: tuple[str, ...], arguments: tuple[object, ...], named: dict[str, object]
) -> tuple[tuple[object, ...], dict[str, object]]:
    """Arguments without the types of results that our builder infers; generated builders also accept these types."""
    results = [r.name for r in real.DECL.results if r.name not in order]
    if results and arguments and isinstance(arguments[0], ir.Type):
        arguments = arguments[1:]
    return arguments, {n: v for n, v in named.items() if not (isinstance(v, ir.Type) and n in (*results, "result"))}


def _is_one(candidate: object, real: type[Op]) -> bool:
    """Whether it is an operation of this class; any other operation is an operand."""
    return isinstance(candidate, ir.OpView | ir.Operation) and candidate.operation.name == real.OPERATION_NAME


def _field(name: str) -> str:
    return next((field for field, aliases in _RENAMED.items() if name in aliases), name)


def _names(field: str) -> tuple[str, ...]:
    return _RENAMED.get(field, (field,))


def _build(real: type[Op], values: dict[str, object], attributes: Any, loc: Any) -> Any:
    fields: dict[str, Any] = {}
    by_name = {o.name: o for o in real.DECL.operands}
    for name, value in values.items():
        if (operand := by_name.get(name)) is not None:
            fields[name] = as_values(value) if _is_several(operand, value) else as_value(value)
        elif name == "token":
            fields[name] = bool(value)
        else:
            fields[name] = _plain(value)
    if issubclass(real, _air.HierarchyOp):
        arguments = {n: fields.pop(n, []) for n in ("sizes", "args", "deps")}
        token = fields.pop("token", False)
        result: Any = real.build(arguments["sizes"], arguments["args"], deps=arguments["deps"], token=token, loc=loc, **fields)
    else:
        result = real(loc=loc, **fields)
    for name, value in (attributes or {}).items():
        result.operation.attributes[name] = as_attribute(value)
    return result


def _is_several(operand: Operand[Any], value: object) -> bool:
    return operand.arity == "variadic" or isinstance(value, list | tuple)


def _plain(value: object) -> Any:
    """Converts attributes to the Python values of our fields."""
    match value:
        case ir.StringAttr() | ir.FlatSymbolRefAttr() | ir.IntegerAttr():
            return value.value
        case ir.ArrayAttr():
            return [_plain(v) for v in value]
        case ir.DenseI32ArrayAttr() | ir.DenseI64ArrayAttr():
            return list(value)
    return value


def _order(real: type[Op]) -> tuple[str, ...]:
    """The parameters of the generated builder: results, then required operands and attributes, in the order of the
    declaration."""
    decl = real.DECL
    inferred = decl.name.partition(".")[0] not in (
        "air",
        "airrt",
    )  # aie's builders: no fixed result types
    results = [r.name for r in decl.results if not (inferred and r.arity == "single" and r.rule.text is not None)]
    operands = [o.name for o in decl.operands]
    names = [n for n, a in decl.attrs.items() if not a.optional and n not in ("channel_type",)]
    if "chan_name" in names:
        names.remove("chan_name")
        operands.insert(operands.index("deps") + 1, "chan_name")
    if "token" in results and "deps" in operands:
        operands = ["deps", *(n for n in operands if n != "deps")]
    optional = [n for n, a in decl.attrs.items() if a.optional or n == "channel_type"]
    return tuple(dict.fromkeys((*results, *_ORDERS.get(decl.name, ()), *operands, *names, *optional)))


def snake(name: str) -> str:
    """`channel_put` for `air.channel.put`."""
    return re.sub(r"\W", "_", name.partition(".")[2])


def operations(dialect: str = "air") -> dict[str, Any]:
    """Classes and functions of all operations of a dialect by their names."""
    results: dict[str, Any] = {}
    for name, real in OPS.items():
        if not name.startswith(f"{dialect}.") or name in _OWN:
            continue
        result = _Built(real.__name__, (), {"__doc__": real.__doc__, "real": real, "order": _order(real)})
        results[real.__name__] = result
        results[snake(name)] = _function(result, snake(name))
    return results


def _function(kind: Any, name: str) -> Callable[..., Any]:
    def build(*arguments: object, **named: object) -> Any:
        result = kind(*arguments, **named)
        results = list(result.operation.results)
        return results[0] if len(results) == 1 else results or result

    build.__name__ = build.__qualname__ = name
    build.__doc__ = kind.__doc__
    return build
