"""Finds the matches of `transform.foreach_match` without running its actions."""

from __future__ import annotations

from typing import Any

from allo_air.dialects.transform_air import HandInOp, HandOutOp
from allo_air.mlir import ir
from allo_air.transform.handles import Handle
from allo_air.transform.segments import _module, apply_main

_BASE = -1


def record_matches(interpreter: Any, op: ir.Operation, actions: list[ir.Operation]) -> list[tuple[int, list[Handle]]]:
    """For each match: the number of its pair (matcher and action), and the handles that the matcher yields for the action."""
    matchers = {m.value for m in op.attributes["matchers"]}
    module, block = _module(interpreter._closure(matchers))
    body = module.regions[0].blocks[0]
    i64 = ir.IntegerType.get_signless(64)
    exchange: dict[int, Any] = {}
    with ir.Location.unknown():
        names = [_recorder(body, number, action, i64) for number, action in enumerate(actions)]
        with ir.InsertionPoint(block):
            handles = []
            for slot, value in enumerate(op.operands):
                handle = interpreter.use(value, op)
                exchange[slot] = (handle.kind, list(handle.items))
                handles.append(HandInOp(handle=value.type, slot=ir.IntegerAttr.get(i64, slot)).operation.results[0])
            clone = op.clone()
            for n, value in enumerate(handles):
                clone.operands[n] = value
            clone.attributes["actions"] = ir.ArrayAttr.get([ir.FlatSymbolRefAttr.get(name) for name in names])
            if len(clone.results) > 1:  # the actions did not run yet
                new = ir.Operation.create(
                    clone.name, [clone.results[0].type], list(clone.operands), dict(clone.attributes.items())
                )
                clone.erase()
                clone = new
            ir.Operation.create("transform.yield")
    apply_main(module, interpreter.root, exchange, {})
    return _matches(exchange, [len(a.regions[0].blocks[0].arguments) for a in actions])


def _recorder(body: ir.Block, number: int, action: ir.Operation, i64: ir.Type) -> str:
    """A sequence that stores its arguments in the exchange, in order, in a slot for pair `number`."""
    name = f"__allo_record_{number}"
    kinds = ", ".join(f"%a{n}: {a.type} {{transform.readonly}}" for n, a in enumerate(action.regions[0].blocks[0].arguments))
    sequence = f"transform.named_sequence @{name}({kinds}) {{ transform.yield }}"
    text = f"module attributes {{transform.with_named_sequence}} {{ {sequence} }}"
    parsed = ir.Operation.parse(text)  # keep it alive as long as the copy
    clone = parsed.regions[0].blocks[0].operations[0].operation.clone(ip=ir.InsertionPoint.at_block_begin(body))
    block = clone.regions[0].blocks[0]
    with ir.InsertionPoint.at_block_begin(block):
        for argument in block.arguments:
            HandOutOp(handle=argument, slot=ir.IntegerAttr.get(i64, _BASE - number))
    return name


def _matches(exchange: dict[int, Any], counts: list[int]) -> list[tuple[int, list[Handle]]]:
    matches = []
    for number, count in enumerate(counts):
        entries = exchange.get(_BASE - number, [])
        for first in range(0, len(entries), max(count, 1)):
            matches.append((number, [Handle(kind, items) for kind, items in entries[first : first + count]]))
    return matches
