"""drop-repeated-results."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.names import callee_of, function_type_of, is_private, sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.host_buffers import HOST_BUFFERS, HostBuffers, HostResult, host_buffers
from allo_air.mlir import AnyOp, func, ir


@dataclass(frozen=True)
class DropRepeatedResults(Pass):
    """Removes repeated results of private functions, so that each value is returned once.

    Such functions arise if two results turn out to be equal. MLIR's `buffer-results-to-out-params` crashes on them.

    Before:

        func.func private @twice(...) -> (memref<8xf32>, memref<8xf32>) { ... return %a, %a }
        %r:2 = call @twice(...)
        use(%r#0, %r#1)

    After:

        func.func private @twice(...) -> memref<8xf32> { ... return %a }
        %r = call @twice(...)
        use(%r, %r)

    The same is done for a program whose `allo_air.host_buffers` describe the results: the caller then finds several results in
    one buffer.
    """

    name = "drop-repeated-results"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        changed: dict[str, list[int]] = {}
        for function in walk_named(op, "func.func"):
            returns = _returns(function)
            if len(returns) != 1:
                continue
            buffers = host_buffers(function)
            if not is_private(function) and (buffers is None or buffers.gives is None):
                continue
            returned = list(returns[0].operands)
            firsts = [returned.index(v) for v in returned]
            if firsts != list(range(len(returned))):
                changed[sym_name_of(function)] = firsts
                if buffers is not None and buffers.gives is not None:
                    _redirect_results(function, buffers, buffers.gives, firsts)
                _keep_results(function, returns[0], sorted(set(firsts)))
        for call in walk_named(op, "func.call"):
            if (name := callee_of(call)) in changed:
                _call(call, changed[name])


def _returns(function: ir.Operation) -> list[ir.Operation]:
    return walk_named(function, "func.return")


def _redirect_results(function: AnyOp, buffers: HostBuffers, gives: tuple[HostResult, ...], firsts: list[int]) -> None:
    """Makes the caller find the second of two equal results in the place of the first one."""
    takes, firsts_in_order = len(buffers.holds), sorted(set(firsts))
    places = {takes + n: takes + firsts_in_order.index(first) for n, first in enumerate(firsts)}
    moved = tuple(g.moved(lambda place: places.get(place, place)) for g in gives)
    function.attributes[HOST_BUFFERS] = HostBuffers(buffers.takes, buffers.holds, moved).attribute()


def _keep_results(function: AnyOp, last: AnyOp, numbers: list[int]) -> None:
    """Keeps only the results numbered `numbers`."""
    kind = function_type_of(function)
    results = [kind.results[n] for n in numbers]
    function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(kind.inputs, results))
    if "res_attrs" in function.attributes:
        function.attributes["res_attrs"] = ir.ArrayAttr.get([function.attributes["res_attrs"][n] for n in numbers])
    with last.location:
        func.ReturnOp([last.operands[n] for n in numbers], ip=ir.InsertionPoint(last))
    last.erase()


def _call(call: ir.Operation, firsts: list[int]) -> None:
    firsts_in_order = sorted(set(firsts))
    attributes = {name: call.attributes[name] for name in call.attributes}
    kinds = [call.results[n].type for n in firsts_in_order]
    op = ir.Operation.create("func.call", kinds, list(call.operands), attributes, loc=call.location, ip=ir.InsertionPoint(call))
    for result, first in zip(call.results, firsts, strict=True):
        result.replace_all_uses_with(op.results[firsts_in_order.index(first)])
    call.erase()
