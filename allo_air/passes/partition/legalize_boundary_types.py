"""legalize-boundary-types."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from allo_air.core.cloning import clone
from allo_air.core.constants import constant_of
from allo_air.core.elements import array_of, elements_attr, is_elements
from allo_air.core.names import function_type_of, set_function_type
from allo_air.core.pass_ import Pass
from allo_air.core.walking import defining_op, is_result_of, walk_named
from allo_air.dialects.host_buffers import (
    CASTS,
    EXACT,
    HIGH,
    HOST_BUFFERS,
    BufferContents,
    HostBuffers,
    HostResult,
    host_buffers,
)
from allo_air.dialects.passed_types import is_moved
from allo_air.mlir import AnyOp, arith, func, ir
from allo_air.passes._analysis.kernels import KERNEL
from allo_air.passes._ir.tensors import all_parallel, empty, filled

_VIEWS = ("tensor.expand_shape", "tensor.collapse_shape")


@dataclass(frozen=True)
class LegalizeBoundaryTypes(Pass):
    """Moves casts of arguments and results with element types that DMAs do not move (i1, i64, f64) from the program to its
    caller.

    `allo_air.host_buffers` describes the casts. An i64 result may also be composed of two i32 words, or be a constant whose
    values fit into i32.

    Before:

        func.func @f(%x: tensor<8xi64>) -> tensor<8xi64> {
          %a = linalg.generic ins(%x : tensor<8xi64>) outs(%e : tensor<8xi32>) { yield (arith.trunci %in) }
          ...
          %r = linalg.generic ins(%b : tensor<8xi32>) outs(%g : tensor<8xi64>) { yield (arith.extsi %in) }
          return %r : tensor<8xi64>

    After:

        func.func @f(%x: tensor<8xi32>) -> tensor<8xi32> attributes {allo_air.host_buffers = {takes = [tensor<8xi64>],
            holds = [{argument = 0 : i64, cast = "arith.trunci", view = array<i64: 8>}],
            gives = [{cast = "arith.extsi", place = 1 : i64, type = tensor<8xi64>, view = array<i64: 8>}]}} {
          ...
          return %b : tensor<8xi32>
    """

    name = "legalize-boundary-types"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        for function in walk_named(op, "func.func"):
            is_program = KERNEL in function.attributes or not _is_plain(function)
            if not is_program and len(function.regions[0].blocks) == 1 and function.parent == op.operation:
                _legalize_function(function)


def _is_plain(function: ir.Operation) -> bool:
    """Whether each argument contains a caller's array, and each result becomes one, without a conversion."""
    buffers = host_buffers(function)
    if buffers is None:
        return True
    kinds = function_type_of(function).inputs
    shapes = [tuple(k.shape) for k in kinds if isinstance(k, ir.RankedTensorType)]
    is_given = [g.place is not None and not g.cast and g.packing is None for g in buffers.gives or ()]
    is_held = [not h.cast and h.packing is None and h.constant is None for h in buffers.holds]
    return [h.view for h in buffers.holds] == shapes and all(is_held) and all(is_given)


def _legalize_function(function: ir.Operation) -> None:
    [block] = function.regions[0].blocks
    kind = function_type_of(function)
    tensors = [isinstance(t, ir.RankedTensorType) and t.has_static_shape for t in (*kind.inputs, *kind.results)]
    if not all(tensors):
        return
    for argument in list(block.arguments):
        if not is_moved(argument.type):
            _cast_first(argument)
    before = host_buffers(function) or HostBuffers(
        tuple(kind.inputs),
        tuple(BufferContents(n, tuple(t.shape)) for n, t in enumerate(kind.inputs)),
        tuple(HostResult(t, len(kind.inputs) + n, tuple(t.shape)) for n, t in enumerate(kind.results)),
    )
    holds = list[BufferContents]()
    for content, argument in zip(before.holds, list(block.arguments), strict=True):
        holds.append(replace(content, cast=_adopt_cast_type(argument)))
    for n, argument in enumerate(list(block.arguments)):
        if holds[n].cast == "arith.trunci" and str(kind.inputs[n].element_type) == "i64" and _take_high(argument):
            holds.append(replace(holds[n], cast=HIGH))
    gives, high = list[HostResult](), list[tuple[int, Any]]()
    last = block.operations[-1].operation
    for n, value in enumerate(last.operands):
        result = replace((before.gives or ())[n], place=len(holds) + n)
        cast, sources = _source_of_cast(value)
        if cast:
            last.operands[n] = sources[0]
        gives.append(replace(result, cast=cast))
        high += [(n, value) for value in sources[1:]]
    for place, (n, _) in enumerate(high, len(holds) + len(gives)):
        gives[n] = replace(gives[n], high=replace(gives[n], place=place))
    returned = [*last.operands, *(value for _, value in high)]
    if any(h.cast for h in holds) or any(g.cast for g in gives):
        with last.location:
            func.ReturnOp(returned, ip=ir.InsertionPoint(last))
        last.erase()
        set_function_type(function)
        function.attributes[HOST_BUFFERS] = HostBuffers(before.takes, tuple(holds), tuple(gives)).attribute()


def _cast(op: AnyOp) -> str:
    """The cast that a linalg.generic applies to each element, if the caller can do it; else empty."""
    if op.name != "linalg.generic" or len(op.operands) != 2:
        return ""
    *body, last = [o.operation for o in op.regions[0].blocks[0].operations]
    maps = [m.value for m in op.attributes["indexing_maps"]]
    if not body or any(m != ir.AffineMap.get_identity(m.n_dims) for m in maps) or last.operands[0] != body[-1].results[0]:
        return ""
    first = op.regions[0].blocks[0].arguments[0]
    if [o.name for o in body] == ["arith.shrui", "arith.trunci"]:
        is_high = body[0].operands[0] == first and body[1].operands[0] == body[0].results[0]
        return HIGH if is_high and constant_of(body[0].operands[1]) == 32 else ""
    if len(body) != 1 or body[0].name not in CASTS or body[0].operands[0] != first:
        return ""
    flags = str(body[0].attributes["overflowFlags"]) if "overflowFlags" in body[0].attributes else ""
    return EXACT if "nsw" in flags and body[0].name == "arith.trunci" else str(body[0].name)


def _joins(op: AnyOp) -> bool:
    """Whether a linalg.generic composes i64 from two words: high << 32 | low."""
    if op.name != "linalg.generic" or len(op.operands) != 3 or len(op.results) != 1:
        return False
    [low, high, _] = op.regions[0].blocks[0].arguments
    if any(m.value != ir.AffineMap.get_identity(m.value.n_dims) for m in op.attributes["indexing_maps"]):
        return False
    last = defining_op(op.regions[0].blocks[0].operations[-1].operands[0], "arith.ori")
    sides = [] if last is None else [defining_op(v) for v in last.operands]
    if last is None or any(side is None for side in sides):
        return False
    parts = {o.name: o for o in sides}
    if set(parts) != {"arith.shli", "arith.extui"} or parts["arith.extui"].operands[0] != low:
        return False
    wide, by = parts["arith.shli"].operands
    is_high = is_result_of(wide, "arith.extsi") and wide.owner.operands[0] == high
    return is_high and constant_of(by) == 32


def _cast_first(value: ir.Value) -> None:
    """Swaps a reshape and a following cast of `value`."""
    for view in [u.owner.operation for u in value.uses if u.owner.operation.name in _VIEWS]:
        for user in [u.owner.operation for u in view.results[0].uses]:
            if not user.results or not _cast(user):
                continue
            kind = ir.RankedTensorType.get(value.type.shape, user.results[0].type.element_type)
            identity = ir.AffineMapAttr.get(ir.AffineMap.get_identity(len(kind.shape)))
            with ir.InsertionPoint(view), view.location:
                out = empty(kind)
                result = clone(user, {user.operands[0]: value, user.operands[1]: out})
                result.attributes["indexing_maps"] = ir.ArrayAttr.get([identity] * 2)
                result.attributes["iterator_types"] = all_parallel(len(kind.shape))
                result.results[0].set_type(kind)
                new = clone(view, {value: result.results[0]})
                new.results[0].set_type(user.results[0].type)
            user.results[0].replace_all_uses_with(new.results[0])
            user.erase()
        if not list(view.results[0].uses):
            view.erase()


def _adopt_cast_type(argument: ir.Value) -> str:
    """Changes an argument to the type to which all its uses cast it, except uses of its upper words. Returns the cast, empty if
    there is none.
    """
    users = [use.owner.operation for use in argument.uses]
    if is_moved(argument.type) or any(not u.results or u.operands[0] != argument for u in users):
        return ""
    results = {(_cast(u), u.results[0].type) for u in users}
    first = [f for f in results if f[0] != HIGH] or list(results)
    if len(first) != 1 or (len(results) > 1 and first[0][0] != "arith.trunci"):
        return ""
    [(cast, kind)] = first
    if not cast or not is_moved(kind):
        return ""
    for user in [u for u in users if _cast(u) == cast]:
        user.results[0].replace_all_uses_with(argument)
        user.erase()
    argument.set_type(kind)
    return cast


def _take_high(argument: ir.Value) -> bool:
    """Adds an argument for the upper words of an argument that `_adopt_cast_type` changed to the lower words. Returns False if
    they are unused.
    """
    users = [u for use in argument.uses if use.operand_number == 0 and _cast(u := use.owner.operation) == HIGH]
    if not users:
        return False
    result = argument.owner.add_argument(users[0].results[0].type, argument.location)
    for user in users:
        user.results[0].replace_all_uses_with(result)
        user.erase()
    return True


def _narrow(op: AnyOp) -> Any:
    """The i64 constant or splat of `op` in i32; None if i32 cannot represent it, and for other operations."""
    kind = op.results[0].type
    number = _number(op)
    numbers = (
        array_of(op.attributes["value"]) if op.name == "arith.constant" and is_elements(op.attributes["value"]) else number
    )
    if str(kind.element_type) != "i64" or numbers is None:
        return None
    numbers = np.asarray(numbers)
    if numbers.size and (numbers.min() < -(1 << 31) or numbers.max() >= 1 << 31):
        return None
    word = ir.IntegerType.get_signless(32, op.context)
    type_ = ir.RankedTensorType.get(kind.shape, word)
    with ir.InsertionPoint(op), op.location:
        if number is None:
            value = elements_attr(numbers.astype("int32"), type_)
            return arith.constant(type_, value)
        return filled(arith.constant(word, number), type_)


def _number(op: AnyOp) -> int | None:
    """The number that a fill, or a generic without inputs, writes to all elements."""
    if op.name == "linalg.fill":
        return constant_of(op.operands[0])
    if op.name != "linalg.generic" or len(op.operands) != 1:
        return None
    [*_, last] = op.regions[0].blocks[0].operations
    return constant_of(last.operands[0])


def _source_of_cast(value: ir.Value) -> tuple[str, list[Any]]:
    """The cast that computes `value`, and its source in the same shape: a value, or the low and the high words."""
    if is_moved(value.type) or isinstance(value, ir.BlockArgument):
        return "", [value]
    views, op = list[Any](), value.owner.operation
    while op.name in _VIEWS and not isinstance(op.operands[0], ir.BlockArgument):
        views.insert(0, op)
        op = op.operands[0].owner.operation
    if (narrow := _narrow(op)) is not None:
        return "arith.extsi", [_reshaped(narrow, views)]
    cast = "arith.extsi" if _joins(op) else _cast(op)
    if not cast or not is_moved(op.operands[0].type):
        return "", [value]
    return cast, [_reshaped(item, views) for item in list(op.operands)[:-1]]


def _reshaped(value: ir.Value, views: list[AnyOp]) -> Any:
    """`value`, reshaped by copies of the reshapes `views`."""
    for view in views:
        with ir.InsertionPoint(view):
            copy = clone(view, {view.operands[0]: value})
        copy.results[0].set_type(ir.RankedTensorType.get(list(view.results[0].type.shape), value.type.element_type))
        value = copy.results[0]
    return value
