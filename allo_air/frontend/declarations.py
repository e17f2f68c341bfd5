"""Compiles declarations of variables, tensors and stateful variables."""

from __future__ import annotations

import ast

from allo_air.errors import counted
from allo_air.frontend.annotations import Declared, declared
from allo_air.frontend.assignments import fill_from, new_variable, set_record, set_variable
from allo_air.frontend.constants import constant_buffer, global_array
from allo_air.frontend.memory import Memory
from allo_air.frontend.nodes import expression, scalar
from allo_air.frontend.places import Place
from allo_air.frontend.state import State
from allo_air.frontend.static import UNKNOWN, evaluate
from allo_air.frontend.types import ConstExprType, Stateful, StructArrayType, StructType
from allo_air.frontend.values import Buffer, Record, Variable, allocate, memref_type
from allo_air.mlir import ir, memref


def declare(state: State, node: ast.AnnAssign) -> None:
    """`x: int32 = 0`, `A: int32[4, 4] = 0`, `pipe: Stream[int32, 4]`."""
    if not isinstance(node.target, ast.Name):
        raise state.error(node, "only variables can be declared with a type")
    name = node.target.id
    kind = declared(state, node.annotation)
    state.declared.add(name)
    if isinstance(kind, ConstExprType):
        result = UNKNOWN if node.value is None else evaluate(state, node.value)
        if result is UNKNOWN:
            raise state.error(node, f"'{name}' must be known when the kernel is compiled")
        state.names[-1][name] = result
    elif isinstance(kind, (StructType, StructArrayType)):
        _declare_record(state, node, name, kind)
    elif not isinstance(kind, Declared):
        if "declare" not in state.hooks:
            raise state.error(node.annotation, f"{ast.unparse(node.annotation)} cannot be the type of a variable here")
        state.hooks["declare"](state, node, name, kind)
    elif kind.mark is Stateful:
        _stateful(state, node, name, kind)
    elif kind.shape is None:
        state.names[0][name] = variable = new_variable(state, kind.element, name)
        if node.value is not None:
            set_variable(variable, scalar(state, node.value))
    else:
        _declare_tensor(state, node, name, kind)
        _record_memory(state, name, kind)


def _record_memory(state: State, name: str, kind: Declared) -> None:
    """Writes the memory that the annotation names (`@ Memory(...)`) to the attribute `memory` of the allocation."""
    result = state.variable(name)
    if isinstance(kind.mark, Memory) and isinstance(result, Buffer) and not isinstance(result.value, ir.BlockArgument):
        result.value.owner.attributes["memory"] = ir.StringAttr.get(kind.mark.storage)


def _declare_record(state: State, node: ast.AnnAssign, name: str, kind: StructType | StructArrayType) -> None:
    """`s: T`, `s: T = {"x": 1, "y": 2.0}`, `s: T[8]`, where T is a Struct."""
    if isinstance(kind, StructType):
        record = Record({f: new_variable(state, t, f"{name}.{f}") for f, t in kind.fields})
        state.names[0][name] = record
    else:
        shape = tuple(int(n) for n in kind.shape)
        record = Record({f: allocate(t, shape, f"{name}.{f}") for f, t in kind.element.fields})
        state.names[-1][name] = record
    if node.value is not None:
        set_record(state, node.value, record, expression(state, node.value))


def _declare_tensor(state: State, node: ast.AnnAssign, name: str, kind: Declared) -> None:
    assert kind.shape is not None
    if node.value is None:
        state.names[-1][name] = allocate(kind.element, kind.shape, name)
        return
    constant = evaluate(state, node.value)
    if isinstance(constant, (tuple, list)) or hasattr(constant, "ndim"):
        state.names[-1][name] = buffer = allocate(kind.element, kind.shape, name)
        fill_from(state, node, buffer, _array(state, node, constant, kind))
        return
    buffer = allocate(kind.element, kind.shape, name)
    if isinstance(node.value, (ast.List, ast.Tuple)):
        _fill_from_list(state, node.value, buffer)
        state.names[-1][name] = buffer
        return
    result = expression(state, node.value, buffer)
    if result is not buffer:
        fill_from(state, node, buffer, result)
    state.names[-1][name] = buffer


def _fill_from_list(state: State, node: ast.AST, buffer: Buffer, index: tuple[int, ...] = ()) -> None:
    """Stores `[[x, 2], [3, y]]`, a list with run-time values, element by element."""
    if len(index) == len(buffer.shape):
        Place(buffer, (), ir.AffineMap.get(0, 0, [ir.AffineExpr.get_constant(n) for n in index])).store(scalar(state, node))
        return
    size = buffer.shape[len(index)]
    if not isinstance(node, (ast.List, ast.Tuple)) or len(node.elts) != size:
        text = f"{len(node.elts)}" if isinstance(node, (ast.List, ast.Tuple)) else f"'{ast.unparse(node)}'"
        raise state.error(
            node, f"{counted(size, 'value')} in brackets are expected for dimension {len(index)} of the tensor, found {text}"
        )
    for number, part in enumerate(node.elts):
        _fill_from_list(state, part, buffer, (*index, number))


def _array(state: State, node: ast.AST, item: object, kind: Declared) -> Buffer:
    import numpy as np

    array = np.array(item)
    if array.shape != kind.shape:
        raise state.error(node, f"an array of shape {array.shape} for a tensor of shape {kind.shape}")
    return constant_buffer(array, kind.element)


def _stateful(state: State, node: ast.AnnAssign, name: str, kind: Declared) -> None:
    import numpy as np

    start = 0 if node.value is None else evaluate(state, node.value)
    if start is UNKNOWN:
        raise state.error(
            node,
            f"the first value of '{name}', which keeps its value from call to call, must be known when the kernel is compiled",
        )
    shape = kind.shape or ()
    array = np.broadcast_to(np.array(start, dtype=None), shape)
    symbol = global_array(array, kind.element, constant=False, hint=f"{state.symbol}_{name}")
    value = memref.get_global(memref_type(kind.element, shape), symbol)
    if kind.shape is None:
        state.names[0][name] = Variable(value, kind.element)
    else:
        state.names[-1][name] = Buffer(value, kind.element)
