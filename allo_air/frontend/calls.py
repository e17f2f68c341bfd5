"""Compiles calls: of operations, of Python's own functions, of other kernels, of methods."""

from __future__ import annotations

import ast
from inspect import unwrap
from typing import TYPE_CHECKING, Any

from allo_air.errors import counted, nearest, suggestion
from allo_air.frontend import dsl, tensors
from allo_air.frontend.arithmetic import emit, materialized
from allo_air.frontend.expressions import reinterpret
from allo_air.frontend.ip import IPModule, call_ip
from allo_air.frontend.labels import naming
from allo_air.frontend.nodes import as_scalar, compiles, describe, expression, scalar
from allo_air.frontend.numbers import Number, binary, constant
from allo_air.frontend.operands import as_operand
from allo_air.frontend.operations import OPERATIONS
from allo_air.frontend.python_functions import PYTHON_FUNCTIONS
from allo_air.frontend.source import Source
from allo_air.frontend.state import State
from allo_air.frontend.static import UNKNOWN, evaluate, is_static
from allo_air.frontend.types import Float, ScalarType, UInt
from allo_air.frontend.untyped import called
from allo_air.frontend.values import Buffer, StreamValue, allocate, memref_type
from allo_air.mlir import func, ir, memref

if TYPE_CHECKING:
    from allo_air.frontend.annotations import Declared


@compiles(ast.Call)
def call(state: State, node: ast.Call, target: Buffer | None) -> Any:
    """The value of a call; None of a function without a result."""
    if isinstance(node.func, ast.Attribute):
        owner = evaluate(state, node.func.value)
        if owner is UNKNOWN:
            return _method(state, node, expression(state, node.func.value), node.func.attr)
    callee = evaluate(state, node.func)
    if callee is UNKNOWN and isinstance(node.func, ast.Subscript):
        callee = evaluate(state, node.func.value)
    if callee is UNKNOWN:
        raise state.error(node.func, f"'{ast.unparse(node.func)}' is not defined{_similar_names(state, node.func)}")
    if (hook := state.hooks.get(_key(callee))) is not None:
        return hook(state, node, target)
    if isinstance(callee, IPModule):
        return call_ip(state, node, callee)
    try:
        emitter = OPERATIONS.get(callee)
    except TypeError:
        emitter = None
    if emitter is not None:
        return _operation(state, node, emitter, target)
    if isinstance(callee, Nested):
        return callee.call(state, node)
    if callee in PYTHON_FUNCTIONS:
        return PYTHON_FUNCTIONS[callee](state, node)
    if isinstance(callee, ScalarType):
        return _cast(state, node, callee)
    callee = unwrap(callee) if hasattr(callee, "__wrapped__") and not hasattr(callee, "__code__") else callee
    if callable(callee) and hasattr(callee, "__code__"):
        template = evaluate(state, node.func.slice) if isinstance(node.func, ast.Subscript) else ()
        template = template if isinstance(template, tuple) else (template,)
        return call_source(state, node, Source(callee, (dict(_visible(state)), *state.source.frame_names)), template)
    if getattr(callee, "kernel_hook", None) == "region":
        name = ast.unparse(node.func)
        advice = f"build it, as df.build({name}), or make its caller a kernel of a region (target='simulator', C++)"
        raise state.error(node, f"'{name}' is a region, which no function can call; {advice}")
    raise state.error(
        node, f"{describe(callee)} cannot be called in a kernel{_replacement_for(getattr(callee, '__name__', ''))}"
    )


def _similar_names(state: State, callee: ast.expr) -> str:
    """Defined names of which an undefined name may be a misspelling."""
    match callee:
        case ast.Name(id=name):
            return state.offered(name)
        case ast.Attribute(value=inner, attr=attr):
            near = nearest(attr, [n for n in dir(evaluate(state, inner)) if not n.startswith("_")])
            return suggestion(tuple(f"{ast.unparse(inner)}.{n}" for n in near))
    return ""


def _replacement_for(name: str) -> str:
    """The function of this language that replaces a function or method of numpy."""
    synonyms = {"subtract": "sub", "multiply": "mul", "divide": "div", "absolute": "abs", "dot": "matmul", "reshape": "view"}
    own = synonyms.get(name, name)
    return f"; allo_air.{own} does that" if own in vars(dsl) and not own.startswith("_") else ""


def _key(callee: object) -> str:
    return getattr(callee, "kernel_hook", "")


def _visible(state: State) -> dict[str, Any]:
    """The Python objects among the function's own names."""
    return {name: value for names in state.names for name, value in names.items() if is_static(value)}


class Nested:
    """A function that is defined inside another."""

    def __init__(self, source: Source, template: tuple[object, ...] = ()):
        self.source, self.template = source, template

    def call(self, state: State, node: ast.Call) -> Any:
        """Compiles the nested function at its first call."""
        return call_source(state, node, self.source, self.template)


def call_source(state: State, node: ast.Call, source: Source, template: tuple[object, ...]) -> Any:
    """Calls another Python function, which becomes a function of the module."""
    nodes = _arguments_in_order(state, node, source)
    count = len(source.tree.args.args)
    order: Order | None = getattr(source.function, RESULTS_GIVEN, None)
    if len(nodes) > count and order is not None:
        argument, outs = _split_arguments(state, node, nodes, count, order)
        inner = ast.copy_location(ast.Call(node.func, argument, []), node)
        _copy_results(state, node, call_source(state, inner, source, template), outs)
        return None
    expressions = [expression(state, a) for a in nodes]
    source, operand_numbers = called(state, node, source, expressions)
    nodes, expressions = [nodes[n] for n in operand_numbers], [expressions[n] for n in operand_numbers]
    layouts = tuple(map(_layout, expressions))
    compiled = state.shared.compile(state.shared, source, template, layouts if any(layouts) else ())
    if len(nodes) != len(compiled.parameters):
        raise state.error(node, f"'{source.name}' takes {counted(len(compiled.parameters), 'argument')}, found {len(nodes)}")
    operands = zip(nodes, expressions, compiled.parameters, layouts, strict=True)
    op = func.CallOp(compiled.op, [_argument(state, a, value, kind, layout) for a, value, kind, layout in operands])
    passed = [as_operand(value) for value in expressions]
    results = [
        Number(v, r.element) if r.shape is None else Buffer(v, r.element, None if n is None else passed[n].origin)
        for v, r, n in zip(op.results, compiled.results, compiled.parts, strict=True)
    ]
    if not results:
        return None
    return results[0] if len(results) == 1 else tuple(results)


Order = tuple[tuple[int, ...], tuple[int, ...]]
"""The numbers of a call's arguments that are read, and of those for results. If both are empty, the results are the last
arguments.
"""
RESULTS_GIVEN = "results_given"
"""Attribute of Python functions that are called like C++ kernels, with tensors for their results. Its value is an `Order`."""


def _split_arguments(state: State, node: ast.Call, nodes: list[ast.expr], count: int, order: Order) -> tuple[Any, Any]:
    """The arguments for the function's parameters, and the tensors for its results."""
    inputs, outputs = order if any(order) else (tuple(range(count)), tuple(range(count, len(nodes))))
    if len(inputs) != count or sorted((*inputs, *outputs)) != list(range(len(nodes))):
        raise state.error(
            node,
            f"input_idx and output_idx number the "
            f"{counted(len(nodes), 'argument')} of this call from 0, each once, {count} of them "
            f"inputs; found {list(inputs)} and {list(outputs)}",
        )
    return [nodes[n] for n in inputs], [nodes[n] for n in outputs]


def _copy_results(state: State, node: ast.Call, item: object, nodes: list[ast.expr]) -> None:
    """Copies the results of a call to the tensors that were passed for them."""
    results = () if item is None else item if isinstance(item, tuple) else (item,)
    if len(results) != len(nodes):
        raise state.error(
            node,
            f"the function returns {counted(len(results), 'value')}, but the call has {counted(len(nodes), 'tensor')} for them",
        )
    for result, argument in zip(results, nodes, strict=True):
        to = as_operand(expression(state, argument))
        if not isinstance(to, Buffer):
            raise state.error(argument, f"expected a tensor for a result, found {describe(to)}")
        if not isinstance(result, Buffer):
            tensors.fill(to, result)
        elif result.shape != to.shape or result.element != to.element:
            raise state.error(argument, f"the result {describe(result)} does not fit into {describe(to)}")
        else:
            tensors.copy(result, to)


def _arguments_in_order(state: State, node: ast.Call, source: Source) -> list[ast.expr]:
    """The arguments of a call in the order of the parameters: positional, by name, and defaults."""
    names = [a.arg for a in source.tree.args.args]
    values = dict(zip(names, node.args, strict=False))
    for keyword in node.keywords:
        if keyword.arg not in names or keyword.arg in values:
            raise state.error(node, f"'{source.name}' takes the arguments {', '.join(names)}, each once; found '{keyword.arg}'")
        values[keyword.arg] = keyword.value
    defaults = source.tree.args.defaults
    for name, default in zip(names[len(names) - len(defaults) :], defaults, strict=True):
        values.setdefault(name, default)
    if len(node.args) > len(names):
        return node.args
    return [values[name] for name in names if name in values]


def _layout(item: object) -> Any:
    """The type of a part of a tensor, with any offset; None for other values."""
    if not isinstance(item, Buffer):
        return None
    kind = ir.MemRefType(item.value.type)
    if kind.layout == ir.MemRefType.get(kind.shape, kind.element_type).layout:
        return None
    strides, _ = kind.get_strides_and_offset()
    somewhere = ir.StridedLayoutAttr.get(ir.ShapedType.get_dynamic_stride_or_offset(), strides)
    return ir.MemRefType.get(kind.shape, kind.element_type, somewhere, kind.memory_space)


def _argument(state: State, node: ast.AST, value: Buffer, kind: Declared, layout: Any) -> Any:
    if kind.shape is None:
        return emit(as_scalar(state, node, value), kind.element).value
    result = as_operand(value)
    if not isinstance(result, Buffer) or not kind.admits(result.shape) or result.element != kind.element:
        raise state.error(node, f"expected {kind}, found {describe(result)}")
    if layout is None and result.shape != kind.shape:
        return memref.cast(memref_type(kind.element, kind.shape), result.value)
    if layout is None or result.value.type == layout:
        return result.value
    return memref.cast(layout, result.value)


def _operation(state: State, node: ast.Call, emitter: Any, target: Buffer | None) -> Any:
    args = [expression(state, a) for a in node.args]
    keywords = {}
    for keyword in node.keywords:
        if keyword.arg in (None, "name"):
            continue
        keywords[keyword.arg] = expression(state, keyword.value)
    try:
        with naming(state, node):
            return emitter(state, args, target, **keywords)
    except TypeError as error:
        if "argument" not in str(error) and "unpack" not in str(error):
            raise
        raise state.error(node, f"wrong arguments of '{ast.unparse(node.func)}': {error}") from None
    except ValueError as error:
        if "unpack" not in str(error):
            raise
        raise state.error(node, f"wrong number of arguments of '{ast.unparse(node.func)}': {len(args)}") from None


def _method(state: State, node: ast.Call, owner: object, name: str) -> Any:
    if isinstance(owner, StreamValue):
        return state.hooks["stream_method"](state, node, owner, name)
    if isinstance(owner, Buffer) and name == "copy":
        result = allocate(owner.element, owner.shape)
        tensors.copy(owner, result)
        return result
    if (isinstance(owner, Buffer) and name == "reverse") or (isinstance(owner, Number) and name == "reverse"):
        return _reverse(materialized(scalar(state, node.func.value)))  # type: ignore[attr-defined]
    if isinstance(owner, Number) and name == "bitcast":
        to = evaluate(state, node.args[0]) if node.args else (UInt if owner.type.floating else Float)(owner.type.bits)
        return reinterpret(owner, to)
    cast = "; write int8(a), float32(a) or the like" if name == "astype" else _replacement_for(name)
    raise state.error(node, f"{describe(owner)} has no method '{name}'{cast}")


def _reverse(number: Number) -> Number:
    """The bits in reverse order."""
    kind = UInt(number.type.bits)
    source, result = Number(number.value, kind), constant(0, kind)
    for bit in range(kind.bits):
        bit_value = binary("and", binary("shr", source, constant(bit, kind)), constant(1, kind))
        result = binary("or", result, binary("shl", bit_value, constant(kind.bits - 1 - bit, kind)))
    return Number(result.value, number.type)


def _cast(state: State, node: ast.Call, to: ScalarType) -> Any:
    [argument] = node.args
    result = as_operand(expression(state, argument))
    if isinstance(result, Buffer) and result.shape:
        return tensors.elementwise([result], lambda x: emit(x[0], to), to)
    return emit(scalar(state, argument), to)
