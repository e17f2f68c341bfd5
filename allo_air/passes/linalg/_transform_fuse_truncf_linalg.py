"""`transform.air.fuse_truncf_linalg`: fuses a truncation into the operation that computes its operand."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import defining_op
from allo_air.mlir import arith, ir, linalg
from allo_air.passes._ir.generic import Generic
from allo_air.passes._ir.tensors import empty, filled
from allo_air.passes.linalg._generic import copy_body, generic_on_tensors
from allo_air.transform.operations import Application
from allo_air.transform.segments import run_snippet


def apply(call: Application) -> list[list[ir.Operation]]:
    """Fuses a truncation into its producer and returns the producer: the result has the narrow type, the arithmetic the wide
    one.

    Before:

        %p = linalg.matmul ins(%a, %b) outs(%zero : tensor<24x40xf32>)
        %t = linalg.generic ins(%p) outs(%n : tensor<24x40xbf16>) { arith.truncf }

    After:

        %t = linalg.matmul ins(%a, %b) outs(%narrow_zero : tensor<24x40xbf16>)
    """
    cast, producer = generic_on_tensors(call.one(0)), call.one(1)
    if cast is None or [o.name for o in cast.body] != ["arith.truncf"] or len(cast.inputs) != 1:
        raise call.refuse("expects a linalg.generic whose body is one arith.truncf as the first operation", call.one(0))
    if not producer.name.startswith("linalg.") or len(producer.results) != 1 or cast.inputs[0] != producer.results[0]:
        raise call.refuse("expects the linalg operation that makes the truncated value as the second", cast.op, producer)
    if cast.maps[0] != cast.maps[1]:
        raise call.refuse("expects a truncation element by element, without transposition", cast.op)
    if len(list(producer.results[0].uses)) != 1:
        raise call.refuse("expects that nothing but the truncation uses the producer's result", producer)
    narrow = cast.op.results[0].type
    with ir.InsertionPoint(producer), producer.location:
        init = _narrow_init(call, producer, narrow)
        new = _narrow(call, producer, init)
    cast.op.results[0].replace_all_uses_with(new.results[0])
    cast.op.erase()
    producer.erase()
    return [[new]]


def _narrow_init(call: Application, producer: ir.Operation, narrow: Any) -> Any:
    """A tensor of the narrow type with the value of the producer's init."""
    init = list(producer.operands)[-1]
    owner = defining_op(init)
    if owner is not None and owner.name == "tensor.empty":
        return empty(narrow)
    if owner is not None and owner.name == "linalg.fill":
        return filled(arith.truncf(narrow.element_type, owner.operands[0]), narrow)
    generic = generic_on_tensors(producer)
    if generic is not None and not generic.reads_outs:
        return empty(narrow)
    raise call.refuse("expects an init that is filled or not read: other values would have to be truncated first", producer)


def _narrow(call: Application, producer: ir.Operation, init: object) -> ir.Operation:
    if producer.name == "linalg.matmul":
        return _matmul(producer, init)
    generic = generic_on_tensors(producer)
    if generic is None:
        [[result]] = run_snippet(
            call.root,
            "%r = transform.structured.generalize %t : (!transform.any_op) -> !transform.any_op",
            {"t": [producer]},
            ("r",),
        )
        generic = Generic.of(result)
    return _with_casts(generic, init)


def _matmul(producer: ir.Operation, init: Any) -> ir.Operation:
    operands = [*list(producer.operands)[:-1], init]
    attributes = dict(producer.attributes.items())
    element = init.type.element_type
    kinds = [v.type.element_type for v in operands]
    new = ir.Operation.create("linalg.matmul", [init.type], operands, attributes, regions=1)
    block = new.regions[0].blocks.append(*kinds, arg_locs=[producer.location] * 3)
    with ir.InsertionPoint(block):
        a, b, c = block.arguments
        wide = [v if v.type == element else _resized(v, element) for v in (a, b)]
        total = arith.addf(c, arith.mulf(*wide))
        linalg.YieldOp([total])
    return new


def _resized(value: Any, element: Any) -> Any:
    return arith.extf(element, value) if value.type.width < element.width else arith.truncf(element, value)


def _with_casts(generic: Generic, init: Any) -> ir.Operation:
    wide = list(generic.op.operands)[-1].type.element_type
    narrow = init.type.element_type
    attributes = dict(generic.op.attributes.items())
    operands = [*generic.inputs, init]
    new = ir.Operation.create("linalg.generic", [init.type], operands, attributes, regions=1)
    kinds = [v.type.element_type if isinstance(v.type, ir.ShapedType) else v.type for v in operands]
    block = new.regions[0].blocks.append(*kinds, arg_locs=[generic.op.location] * len(kinds))
    with ir.InsertionPoint(block):
        *ins, out = block.arguments
        argument = arith.extf(wide, out) if generic.reads_outs else out
        if not generic.reads_outs:
            argument = generic.arguments[len(generic.inputs)]
        [value] = copy_body(generic, [*ins, argument])
        linalg.YieldOp([arith.truncf(narrow, value)])
    return new
