"""Compiles assignments: to names, to elements and parts of tensors, plain and with an operator."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from allo_air.errors import counted
from allo_air.frontend import indexing, records, tensors
from allo_air.frontend.aliases import alias_or_copy
from allo_air.frontend.arithmetic import apply, materialized
from allo_air.frontend.nodes import describe, expression, scalar
from allo_air.frontend.numbers import Number
from allo_air.frontend.operands import as_operand
from allo_air.frontend.places import scalar_place
from allo_air.frontend.state import State
from allo_air.frontend.static import operator_name
from allo_air.frontend.types import ScalarType
from allo_air.frontend.values import Buffer, KnownInt, LoopIndex, Record, Variable, allocate, memref_type
from allo_air.mlir import ir, memref

if TYPE_CHECKING:
    from allo_air.frontend.values import Pid


def assign(state: State, target: ast.expr, value: ast.expr) -> None:
    """`target = value`."""
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    if state.shared.decisions is not None and all(isinstance(n, ast.Name) for n in names):
        state.shared.decisions.open.add(value)
    if isinstance(target, ast.Tuple):
        _unpack(state, target, value)
    elif isinstance(target, ast.Name):
        _assign_name(state, target, value)
    elif isinstance(target, ast.Subscript):
        _assign_subscript(state, target, value)
    else:
        raise state.error(target, f"nothing can be assigned to {type(target).__name__}")


def _unpack(state: State, target: ast.Tuple, value: ast.expr) -> None:
    if isinstance(value, ast.Tuple):
        expressions: Any = [expression(state, v) for v in value.elts]
    else:
        expressions = expression(state, value)
    if not isinstance(expressions, (tuple, list)) or len(expressions) != len(target.elts):
        raise state.error(value, f"expected {counted(len(target.elts), 'value')} here, found {describe(expressions)}")
    for part, item in zip(target.elts, _unchanged(state, target.elts, expressions), strict=True):
        if isinstance(part, ast.Name):
            bind(state, part, item)
        elif isinstance(part, ast.Subscript):
            _store(state, part, item)


def _unchanged(state: State, targets: list[ast.expr], values: Any) -> list[Any]:
    """The values of a simultaneous assignment `a, b = b, a`. A value is copied if an earlier target changes its elements.

    As in numpy, a part of a tensor is a view, so that a target which is a part of a tensor changes the values that view it.
    """
    result, changed = list[Any](), set[Any]()
    for target, value in zip(targets, values, strict=True):
        if isinstance(value, Buffer) and value.origin in changed:
            fresh = allocate(value.element, value.shape)
            tensors.copy(value, fresh)
            value = fresh
        result.append(value)
        buffer = state.variable(target.id) if isinstance(target, ast.Name) and not state.rebinds(target.id) else None
        if isinstance(buffer, Buffer):
            changed.add(buffer.origin)
    return result


def bind(state: State, target: ast.Name, item: Buffer | Pid) -> None:
    """Binds a name to a value: an existing variable is set, a new number becomes a variable."""
    existing = state.variable(target.id)
    if isinstance(existing, (Buffer, Variable, Number)) and state.rebinds(target.id):
        existing = None
    if isinstance(existing, Record) and not isinstance(item, Record):
        raise state.error(target, f"'{target.id}' is {describe(existing)}, found {describe(item)}")
    if isinstance(existing, LoopIndex):
        raise state.error(target, f"the loop variable '{target.id}' cannot be set")
    if isinstance(item, KnownInt) or (isinstance(item, (bool, int, float)) and _is_constant(state, target.id)):
        state.names[-1][target.id] = item
    elif isinstance(existing, Variable):
        if state.shared.rebinds and target.id not in state.declared and _is_float(item) and existing.type.kind != "float":
            hint = f"write {target.id}: float32 = ... where it begins"
            raise state.error(target, f"'{target.id}' is {existing.type}, and would be a float from here on in a loop; {hint}")
        set_variable(existing, materialized(item) if isinstance(item, Number) else item)
    elif isinstance(existing, Buffer) and isinstance(as_operand(item), Buffer):
        fill_from(state, target, existing, item)
    elif isinstance(existing, Buffer) and isinstance(item, (Number, int, float)):
        tensors.fill(existing, item)
    elif isinstance(item, Number):
        state.names[0][target.id] = variable = new_variable(state, item.type, target.id)
        set_variable(variable, item)
    elif isinstance(item, (bool, int, float)):
        from allo_air.frontend.numbers import natural

        state.names[0][target.id] = variable = new_variable(state, natural(item), target.id)
        set_variable(variable, item)
    elif isinstance(existing, Record):
        set_record(state, target, existing, item)
    elif isinstance(item, Record):
        raise state.error(target, f"'{target.id}' needs a type, as in {target.id}: T = ..., where T is a Struct")
    elif item is None:
        raise state.error(target, "the called function has no result")
    else:
        may_copy = isinstance(item, Buffer) and target.id not in state.declared
        state.names[-1][target.id] = alias_or_copy(state, target, item) if may_copy else item


def _is_constant(state: State, name: str) -> bool:
    """Whether `name` always has the same compile-time value."""
    stores = [
        n for n in ast.walk(state.source.tree) if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)
    ]
    return state.rebinds(name) and len(stores) == 1


def _is_float(item: object) -> bool:
    return isinstance(item, float) or (isinstance(item, Number) and item.type.kind == "float")


def _assign_name(state: State, target: ast.Name, value: ast.expr) -> None:
    existing = state.variable(target.id)
    buffer = existing if isinstance(existing, Buffer) and existing.shape and not state.rebinds(target.id) else None
    result = expression(state, value, buffer)
    if buffer is not None and result is buffer:
        return
    bind(state, target, result)
    new = state.variable(target.id)
    if (
        isinstance(new, Buffer)
        and buffer is None
        and isinstance(new.value, ir.OpResult)
        and new.value.owner.name in ("memref.alloc", "func.call")
    ):
        new.value.owner.attributes["name"] = ir.StringAttr.get(target.id)


def new_variable(state: State, kind: ScalarType, name: str) -> Variable:
    """A variable, in memory at the function's entry."""
    with ir.InsertionPoint.at_block_begin(state.body):
        op = memref.AllocaOp(memref_type(kind, ()), [], [])
    op.operation.attributes["name"] = ir.StringAttr.get(name)
    return Variable(op.result, kind)


def set_variable(variable: Variable, item: Any) -> None:
    """Stores with a cast to the variable's type."""
    from allo_air.frontend.arithmetic import emit

    memref.store(emit(item, variable.type).value, variable.value, [])


def _assign_subscript(state: State, target: ast.Subscript, value: ast.expr) -> None:
    owner = _owner(state, target)
    if isinstance(owner, Buffer) and owner.shape and indexing.is_view(owner, target.slice):
        part = indexing.view(state, owner, target.slice)
        result = expression(state, value, part)
        if result is not part:
            fill_from(state, target, part, result)
        return
    _store(state, target, expression(state, value))


def _owner(state: State, target: ast.Subscript) -> Any:
    """The object that a store subscripts; `x[i][2:4]` stores to bits of an element."""
    if isinstance(target.value, ast.Name):
        try:
            return state.find(target.value.id)
        except KeyError:
            raise state.error(
                target.value, f"name '{target.value.id}' is not defined{state.offered(target.value.id)}"
            ) from None
    if isinstance(target.value, ast.Subscript):
        outer = _owner(state, target.value)
        if isinstance(outer, Record):
            return records.field(state, outer, target.value.slice)
        if isinstance(outer, Buffer) and indexing.is_view(outer, target.value.slice):
            return indexing.view(state, outer, target.value.slice)
        if isinstance(outer, Buffer):
            return indexing.element_of(state, outer, target.value.slice)
    raise state.error(target, "nothing can be stored here")


def _store(state: State, target: ast.Subscript, item: Any) -> None:
    owner = _owner(state, target)
    if isinstance(owner, Record):
        _set_field(state, target, records.field(state, owner, target.slice), item)
    elif isinstance(owner, Variable):
        number = Number(memref.load(owner.value, []), owner.type)
        set_variable(owner, indexing.with_bits(state, number, target.slice, _number(state, target, item)))
    elif isinstance(owner, indexing.Place):
        owner.store(indexing.with_bits(state, owner.load(), target.slice, _number(state, target, item)))
    elif isinstance(owner, Buffer) and not owner.shape:
        place = scalar_place(owner)
        place.store(indexing.with_bits(state, place.load(), target.slice, _number(state, target, item)))
    elif isinstance(owner, Buffer) and indexing.is_view(owner, target.slice):
        fill_from(state, target, indexing.view(state, owner, target.slice), item)
    elif isinstance(owner, Buffer):
        indexing.element_of(state, owner, target.slice).store(_number(state, target, item))
    else:
        raise state.error(target, f"nothing can be stored to {describe(owner)}")


def set_record(state: State, node: ast.AST, record: Record, item: object) -> None:
    """Sets all fields of a struct from one with the same fields."""
    if not isinstance(item, Record) or set(item.fields) != set(record.fields):
        raise state.error(node, f"expected {describe(record)}, found {describe(item)}")
    values = {name: records.loaded(value) for name, value in item.fields.items()}
    for name, field in record.fields.items():
        _set_field(state, node, field, values[name])


def _set_field(state: State, node: ast.AST, field: Any, value: Any) -> None:
    if isinstance(field, Record):
        set_record(state, node, field, value)
    elif isinstance(field, Variable):
        set_variable(field, _number(state, node, value))
    elif isinstance(field, indexing.Place):
        field.store(_number(state, node, value))
    else:
        fill_from(state, node, field, value)


def _number(state: State, node: ast.AST, number: Number | int) -> Any:
    if isinstance(number, Buffer) and number.shape == ():
        return scalar_place(number).load()
    if not isinstance(number, (Number, int, float)):
        raise state.error(node, f"expected a number, found {describe(number)}")
    return number


def fill_from(state: State, node: ast.AST, part: Buffer, item: object) -> None:
    """Sets all elements of a part, from a tensor or a number."""
    item = as_operand(item)
    if isinstance(item, Buffer) and item.shape == () and part.shape != ():
        item = scalar_place(item).load()
    if isinstance(item, Buffer):
        if tensors.shapes_together([item.shape, part.shape]) != part.shape:
            raise state.error(node, f"{describe(item)} does not fit a target of shape {part.shape}")
        if item.origin == part.origin and item.value != part.value:
            fresh = allocate(item.element, item.shape)
            tensors.copy(item, fresh)
            item = fresh
        tensors.copy(item, part)
    elif isinstance(item, (Number, int, float)):
        tensors.fill(part, item)
    else:
        raise state.error(node, f"expected a tensor or a number, found {describe(item)}")


def augment(state: State, node: ast.AugAssign) -> None:
    """`target op= value`."""
    name = operator_name(node.op)
    if isinstance(node.target, ast.Name):
        _augment_name(state, node, node.target, name)
        return
    if not isinstance(node.target, ast.Subscript):
        raise state.error(node, "nothing can be assigned here")
    owner = _owner(state, node.target)
    if isinstance(owner, Buffer) and owner.shape and indexing.is_view(owner, node.target.slice):
        _augment_tensor(state, node, indexing.view(state, owner, node.target.slice), name)
    elif isinstance(owner, Buffer) and owner.shape:
        place = indexing.element_of(state, owner, node.target.slice)
        place.store(apply(name, place.load(), scalar(state, node.value), state.rules))
    else:
        new = apply(name, scalar(state, node.target), scalar(state, node.value), state.rules)
        _store(state, node.target, new)


def _augment_name(state: State, node: ast.AugAssign, target: ast.Name, name: str) -> None:
    result = state.variable(target.id)
    if isinstance(result, Buffer) and result.shape:
        _augment_tensor(state, node, result, name)
    elif isinstance(result, Buffer):
        place = scalar_place(result)
        place.store(apply(name, place.load(), scalar(state, node.value), state.rules))
    elif isinstance(result, Variable):
        old = Number(memref.load(result.value, []), result.type)
        set_variable(result, apply(name, old, scalar(state, node.value), state.rules))
    else:
        raise state.error(target, f"'{target.id}' cannot be changed here")


def _augment_tensor(state: State, node: ast.AugAssign, target: Buffer, name: str) -> None:
    value = as_operand(expression(state, node.value))
    if not isinstance(value, (Buffer, Number, int, float)):
        raise state.error(node.value, f"arithmetic on {describe(value)}")
    if isinstance(value, Buffer) and value.origin == target.origin and value.value != target.value:
        fresh = allocate(value.element, value.shape)
        tensors.copy(value, fresh)
        value = fresh
    tensors.elementwise([target, value], lambda x: apply(name, x[0], x[1], state.rules), target.element, target)
