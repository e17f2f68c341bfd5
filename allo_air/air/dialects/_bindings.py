"""Additions to the bindings' classes that programs expect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.air.dialects._values import as_values
from allo_air.dialects import air as _air
from allo_air.errors import AlloAirError
from allo_air.mlir import affine, arith, func, ir, memref, scf

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from allo_air.mlir import AnyOp


def extend() -> None:
    """Makes an operation with one result usable as that value (`.type`, `.owner`, `.uses`), and adds `inputs=` and
    `attributes=` to CallOp.
    """
    if hasattr(ir.OpView, "replace_all_uses_with"):
        return
    view: Any = ir.OpView
    call: Any = func.CallOp
    for name in ("type", "owner", "uses"):
        setattr(view, name, property(_of_result(name)))
    view.replace_all_uses_with = _replace_all_uses_with
    call.__init__ = _call(call.__init__)
    func.call = _called
    for name, field in (("async_token", "token"), ("async_dependencies", "deps")):
        for asynchronous in (_air.AsyncOp, _air.ExecuteOp):
            setattr(asynchronous, name, property(_of_field(field)))
    for hierarchy in ("launch", "segment", "herd", "rank"):
        setattr(_air.HierarchyOp, f"{hierarchy}_operands", property(_of_field("args")))
    for kind in (scf.IfOp, affine.AffineIfOp):
        _with_else(kind)
    for access in (memref.LoadOp, memref.StoreOp):
        _with_numbers(access)
    _with_checked_numbers(arith.ConstantOp)


def _with_checked_numbers(kind: Any) -> None:
    """Makes constants check that a number fits their type, since the bindings crash or hang otherwise."""
    before = kind.__init__

    def checked(self: object, result: object, value: Any, **where: Any) -> None:
        if isinstance(value, int | float) and isinstance(result, ir.Type):
            integer = isinstance(result, ir.IntegerType | ir.IndexType)
            if integer and isinstance(value, float):
                raise AlloAirError(f"a constant of type {result} is an integer, got {value}")
            if not integer and not isinstance(result, ir.FloatType):
                advice = (
                    "vector.broadcast of a scalar makes a vector" if isinstance(result, ir.VectorType) else "give an attribute"
                )
                raise AlloAirError(f"a constant of type {result} is not a number, got {value}; {advice}")
            value = value if integer else float(value)
        before(self, result, value, **where)

    kind.__init__ = checked


def _of_result(name: str) -> Any:
    def get(op: AnyOp) -> Any:
        return getattr(op.operation.result, name)

    return get


def _of_field(name: str) -> Any:
    """A field under MLIR-AIR's name for it."""

    def get(op: object) -> Any:
        return getattr(op, name)

    return get


def _replace_all_uses_with(op: AnyOp, replacement: ir.Value | AnyOp) -> None:
    op.operation.result.replace_all_uses_with(
        replacement.operation.result if isinstance(replacement, ir.OpView | ir.Operation) else replacement
    )


def _with_else(kind: Any) -> None:
    """Adds parameter `hasElse=` to `kind`: the name of `has_else` until 2026."""
    init = kind.__init__

    def build(self: object, *arguments: object, hasElse: bool | None = None, **named: object) -> None:
        if hasElse is not None:
            named["has_else"] = hasElse
        init(self, *arguments, **named)

    kind.__init__ = build


def _with_numbers(kind: Any) -> None:
    """Makes constants of numbers in the last positional argument of `kind`, or in `indices=`."""
    init = kind.__init__

    def build(self: object, *arguments: Any, indices: Any = None, **named: Any) -> None:
        if indices is None and arguments:
            *rest, indices = arguments
            arguments = tuple(rest)
        with named.get("ip") or ir.InsertionPoint.current:
            init(self, *arguments, indices=as_values(indices), **named)

    kind.__init__ = build


def _call(init: Callable[..., None]) -> Any:
    """`CallOp(callee, arguments)`, `CallOp(results, callee, arguments)`; `callee` a function, its name with `result_types`.

    Numbers among the arguments of a function are constants of its parameters' types. `input_types` of a name are
    the result types, as in MLIR-AIE's layer.
    """

    def build(
        self: ir.OpView,
        calleeOrResults: object = None,
        argumentsOrCallee: Any = None,
        arguments: Sequence[object] | None = None,
        *,
        callee: object = None,
        inputs: Sequence[object] | None = None,
        input_types: Sequence[ir.Type] = (),
        result: object = None,
        attributes: Mapping[str, ir.Attribute] | None = None,
        loc: ir.Location | None = None,
        ip: ir.InsertionPoint | None = None,
    ) -> None:
        if callee is not None and result is not None:
            call_arguments: list[Any] = [result, _symbol(callee), list(inputs if inputs is not None else arguments or [])]
        elif callee is not None:
            call_arguments = [callee, list(inputs if inputs is not None else arguments or argumentsOrCallee or [])]
        elif inputs is not None and isinstance(calleeOrResults, str):
            call_arguments = [list(input_types), _symbol(calleeOrResults), list(inputs)]
        elif inputs is not None:
            named = [calleeOrResults] if argumentsOrCallee is None else [calleeOrResults, _symbol(argumentsOrCallee)]
            call_arguments = [*named, list(inputs)]
        elif isinstance(calleeOrResults, list) and isinstance(argumentsOrCallee, str):
            call_arguments = [calleeOrResults, _symbol(argumentsOrCallee), arguments or []]
        else:
            call_arguments = [calleeOrResults, *(a for a in (argumentsOrCallee, arguments) if a is not None)]
            call_arguments += [[]] if len(call_arguments) == 1 else []
        if isinstance(call_arguments[0], func.FuncOp):
            parameters = call_arguments[0].type.inputs
            call_arguments[1] = [_argument(a, *parameters[i : i + 1]) for i, a in enumerate(call_arguments[1])]
        init(self, *call_arguments, loc=loc, ip=ip)
        for name, value in (attributes or {}).items():
            self.operation.attributes[name] = value

    return build


def _argument(value: object, parameter: ir.Type | None = None) -> Any:
    if not isinstance(value, int | float) or parameter is None:
        return value
    return arith.constant(parameter, value if isinstance(parameter, ir.IntegerType | ir.IndexType) else float(value))


def _symbol(callee: object) -> Any:
    return callee if isinstance(callee, ir.Attribute) else ir.FlatSymbolRefAttr.get(str(callee))


def _called(*arguments: Any, **named: Any) -> Any:
    """Calls a function; returns its result, a list of several results, or the operation if there are none."""
    op = func.CallOp(*arguments, **named)
    results = list(op.operation.results)
    return results[0] if len(results) == 1 else results or op
