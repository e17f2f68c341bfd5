"""Stores tensors of single bits as bytes, since no memory of the array has elements of one bit."""

from __future__ import annotations

from typing import Any

from allo_air.core.elements import array_of, elements_attr, is_elements
from allo_air.core.walking import body_of, defining_op
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.generic import Generic
from allo_air.passes.simplify._boundary import cast_arguments, cast_results

_PLAIN = ("tensor.empty", "tensor.expand_shape", "tensor.collapse_shape", "tensor.extract_slice", "tensor.insert_slice",
          "tensor.concat", "tensor.cast", "func.return")  # fmt: skip
_KNOWN = (*_PLAIN, "arith.constant", "linalg.generic", "linalg.fill", "tensor.pad")


def widen_booleans(function: AnyOp) -> None:
    """Keeps each bit in an i8 of 0 or 1; bodies compute with bits as before. Arguments and results keep their types.

    Before:

        %m = linalg.generic ins(%x) outs(%e : tensor<8xi1>) { yield (arith.cmpf ogt, %in, %zero) : i1 }

    After:

        %m = linalg.generic ins(%x) outs(%e : tensor<8xi8>) { yield (arith.extui (arith.cmpf ogt, %in, %zero)) : i8 }
    """
    ops = body_of(function)
    if not any(_is_bits(v.type) for o in ops for v in (*o.operands, *o.results)):
        return
    if any(o.name not in _KNOWN for o in ops if any(_is_bits(v.type) for v in (*o.operands, *o.results))):
        return
    bit, byte = _type(1), _type(8)
    cast_arguments(function, bit, byte, "arith.extui", "arith.trunci")
    unwidened: list[AnyOp] = [o for o in body_of(function) if _is_boundary(o)]
    unwidened += [_make_own_destination(o) for o in unwidened]
    for op in body_of(function):
        if op in unwidened:
            continue
        for result in op.results:
            if _is_bits(result.type):
                result.set_type(ir.RankedTensorType.get(result.type.shape, byte))
        if op.name == "linalg.generic" and op.results:
            _bytes_outside(Generic.of(op))
        elif op.name == "linalg.fill":
            _fill(op)
        elif op.name == "tensor.pad":
            _pad(op)
        elif op.name == "arith.constant":
            _constant(op)
    cast_results(function, bit, byte, "arith.trunci")


def _type(width: int) -> ir.IntegerType:
    return ir.IntegerType.get_signless(width)


def _is_bits(type_: ir.Type) -> bool:
    return isinstance(type_, ir.RankedTensorType) and type_.element_type == _type(1)


def _is_boundary(op: AnyOp) -> bool:
    """Whether `op` is a cast at the function's boundary: of bytes to returned bits, or of bits of an argument to bytes."""
    if op.name != "linalg.generic" or len(op.operands) != 2 or len(Generic.of(op).body) != 1:
        return False
    name, value, result = Generic.of(op).body[0].name, op.operands[0], op.results[0]
    if name == "arith.extui" and isinstance(value, ir.BlockArgument):
        return _is_bits(value.type)
    returned = all(u.owner.operation.name == "func.return" for u in result.uses)
    return name == "arith.trunci" and _is_bits(result.type) and value.type.element_type == _type(8) and returned


def _make_own_destination(boundary: AnyOp) -> AnyOp:
    """Gives the cast at a boundary a tensor.empty without other uses, whose type stays."""
    result = defining_op(boundary.operands[1])
    if result is None:
        return boundary
    with ir.InsertionPoint(boundary):
        own = result.clone().operation
    boundary.operands[1] = own.results[0]
    return own


def _cast(name: str, width: int, value: ir.Value) -> Any:
    return ir.Operation.create(name, [_type(width)], [value]).results[0]


def _bytes_outside(generic: Generic) -> None:
    """Converts bytes to bits at the start of the body, and bits to bytes at its end."""
    for value, argument in zip((*generic.inputs, *generic.outs), generic.arguments, strict=True):
        if argument.type == _type(1) and isinstance(value.type, ir.RankedTensorType) and not _is_bits(value.type):
            uses = list(argument.uses)
            argument.set_type(_type(8))
            if not uses:
                continue
            with ir.InsertionPoint.at_block_begin(generic.block), generic.op.location:
                bit = _cast("arith.trunci", 1, argument)
            for use in uses:
                use.owner.operands[use.operand_number] = bit
    for op in generic.body:
        if op.name == "tensor.extract" and op.results[0].type == _type(1) and not _is_bits(op.operands[0].type):
            op.results[0].set_type(_type(8))
            with ir.InsertionPoint.after(op), op.location:
                bit = _cast("arith.trunci", 1, op.results[0])
            op.results[0].replace_all_uses_except(bit, bit.owner.operation)
    last = generic.block.operations[-1]
    for n, (value, result) in enumerate(zip(last.operands, generic.op.results, strict=True)):
        if value.type == _type(1) and not _is_bits(result.type):
            with ir.InsertionPoint(last), generic.op.location:
                last.operands[n] = _cast("arith.extui", 8, value)


def _fill(op: AnyOp) -> None:
    from allo_air.mlir import linalg

    if op.operands[0].type == _type(1) and op.results:
        with ir.InsertionPoint(op), op.location:
            result = linalg.fill(_cast("arith.extui", 8, op.operands[0]), outs=[op.operands[1]])
        op.results[0].replace_all_uses_with(result)
        op.erase()


def _constant(op: AnyOp) -> None:
    value, type_ = op.attributes["value"], op.results[0].type
    if is_elements(value) and value.type != type_:
        op.attributes["value"] = elements_attr(array_of(value).astype("int8"), type_)


def _pad(op: AnyOp) -> None:
    block = op.regions[0].blocks[0]
    last = block.operations[-1]
    if last.operands[0].type == _type(1):
        with ir.InsertionPoint(last), op.location:
            last.operands[0] = _cast("arith.extui", 8, last.operands[0])
