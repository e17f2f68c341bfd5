"""settle-types."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.host_buffers import CASTS, HOST_BUFFERS, Given, Held, HostBuffers
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.kernels import KERNEL

_VIEWS = ("tensor.expand_shape", "tensor.collapse_shape")


@dataclass(frozen=True)
class SettleTypes(Pass):
    """Leaves casts of arguments and of results whose elements no DMA moves, i1, i64 and f64, to the caller.

    `allo_air.host_buffers` says what the caller has to do.

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

    name = "settle-types"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        for function in walk_named(op, "func.func"):
            known = KERNEL in function.attributes or HOST_BUFFERS in function.attributes
            if not known and len(function.regions[0].blocks) == 1 and function.parent == op.operation:
                _settle(function)


def _settle(function: ir.Operation) -> None:
    [block] = function.regions[0].blocks
    kind = function.attributes["function_type"].value
    tensors = [isinstance(t, ir.RankedTensorType) and t.has_static_shape for t in (*kind.inputs, *kind.results)]
    if not all(tensors):
        return
    holds = [Held(n, tuple(a.type.shape), cast=_take(a)) for n, a in enumerate(block.arguments)]
    last = block.operations[len(block.operations) - 1].operation
    gives = []
    for n, value in enumerate(last.operands):
        given = Given(value.type, len(holds) + n, tuple(value.type.shape))
        cast, source = _given(value)
        if cast:
            last.operands[n] = source
        gives.append(replace(given, cast=cast))
    if any(h.cast for h in holds) or any(g.cast for g in gives):
        new = ir.FunctionType.get([a.type for a in block.arguments], [v.type for v in last.operands])
        function.attributes["function_type"] = ir.TypeAttr.get(new)
        function.attributes[HOST_BUFFERS] = HostBuffers(tuple(kind.inputs), tuple(holds), tuple(gives)).attribute()


def _is_moved(kind: Any) -> bool:
    """Whether DMAs move elements of a type."""
    return str(kind.element_type) not in ("i1", "i64", "f64", "index")


def _cast(op: Any) -> str:
    """The operation that a linalg.generic applies to each element, in its place; empty where it does something else."""
    if op.name != "linalg.generic" or len(op.operands) != 2:
        return ""
    body = [o.operation for o in op.regions[0].blocks[0].operations]
    maps = [m.value for m in op.attributes["indexing_maps"]]
    if len(body) != 2 or body[0].name not in CASTS or any(m != ir.AffineMap.get_identity(m.n_dims) for m in maps):
        return ""
    first = op.regions[0].blocks[0].arguments[0]
    is_all = body[0].operands[0] == first and body[1].operands[0] == body[0].results[0]
    return str(body[0].name) if is_all else ""


def _take(argument: Any) -> str:
    """Makes an argument what all its uses cast it to; returns the cast, empty where there is none."""
    users = [use.owner.operation for use in argument.uses]
    found = {(_cast(u), u.results[0].type) for u in users if u.results}
    if _is_moved(argument.type) or len(found) != 1 or any(not u.results or u.operands[0] != argument for u in users):
        return ""
    [(cast, kind)] = found
    if not cast or not _is_moved(kind):
        return ""
    argument.set_type(kind)
    for user in users:
        user.results[0].replace_all_uses_with(argument)
        user.erase()
    return cast


def _given(value: Any) -> tuple[str, Any]:
    """The cast that makes `value`, and what it is made of in the same shape."""
    if _is_moved(value.type) or isinstance(value.owner, ir.Block):
        return "", value
    views, op = list[Any](), value.owner.operation
    while op.name in _VIEWS and not isinstance(op.operands[0].owner, ir.Block):
        views.insert(0, op)
        op = op.operands[0].owner.operation
    cast = _cast(op)
    if not cast or not _is_moved(op.operands[0].type):
        return "", value
    made = op.operands[0]
    for view in views:
        with ir.InsertionPoint(view):
            copy = clone(view, {view.operands[0]: made})
        copy.results[0].set_type(ir.RankedTensorType.get(list(view.results[0].type.shape), made.type.element_type))
        made = copy.results[0]
    return cast, made
