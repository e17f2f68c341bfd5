"""Moves operations into a function of their own, as text, for the JIT."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.core.walking import walk_named, walk_post_order
from allo_air.interp.values import dtype_of
from allo_air.mlir import AnyOp, arith, func, ir, memref, vector


@dataclass(frozen=True)
class Outlined:
    """`text` holds `func.func @kernel(inputs, outputs)`; values other than indices and memrefs go through memrefs."""

    text: str
    inputs: tuple[ir.Value, ...]
    outputs: tuple[Any, ...]
    scalars: tuple[Any, ...]
    """For each input its numpy type if it is a scalar that is passed through memory, otherwise None."""


def outline(ops: list[AnyOp], outputs: Sequence[ir.Value]) -> Outlined:
    """The function that does the work of `ops`, consecutive operations of a block; `outputs` are their results with other
    users.
    """
    inputs, constants = _outside_values(ops)
    with ops[0].context, ir.Location.unknown():
        module = ir.Module.create()
        types = [_passed(v.type) for v in inputs] + [_passed(v.type, output=True) for v in outputs]
        with ir.InsertionPoint(module.body):
            function = func.FuncOp("kernel", (types, []))
        function.operation.attributes["llvm.emit_c_interface"] = ir.UnitAttr.get()
        block = function.add_entry_block()
        with ir.InsertionPoint(block):
            mapping = dict(zip(inputs, (_unpack(v, a) for v, a in zip(inputs, block.arguments, strict=False)), strict=True))
            mapping |= {c: c.owner.operation.clone().results[0] for c in constants}
            for op in ops:
                _copy(op, mapping)
            for value, cell in zip(outputs, list(block.arguments)[len(inputs) :], strict=True):
                _pack(mapping[value], cell)
            func.ReturnOp([])
        text = module.operation.get_asm(print_generic_op_form=True, use_local_scope=True)
    scalars = (None if isinstance(v.type, ir.ShapedType | ir.IndexType) else dtype_of(v.type) for v in inputs)
    return Outlined(text, tuple(inputs), tuple(outputs), tuple(scalars))


def _outside_values(ops: list[AnyOp]) -> tuple[list[ir.Value], list[Any]]:
    """The values and the constants that `ops` use from outside; constants are copied."""
    defined: set[ir.Value] = set()
    used: dict[ir.Value, None] = {}
    for top in ops:
        for op in walk_post_order(top):
            defined.update(op.results)
            for region in op.regions:
                for block in region.blocks:
                    defined.update(block.arguments)
            used.update(dict.fromkeys(op.operands))
    free = [v for v in used if v not in defined]
    constants = [v for v in free if goes_along(v)]
    return [v for v in free if v not in constants], constants


def goes_along(value: ir.Value) -> bool:
    """Whether an outer value is copied into the function: constants are, except tensors, which are passed as buffers."""
    constant = isinstance(value, ir.OpResult) and value.owner.operation.name in ("arith.constant", "ub.poison")
    return constant and not isinstance(value.type, ir.RankedTensorType)


def _copy(op: AnyOp, mapping: dict[ir.Value, ir.Value]) -> None:
    """Clones `op`; linalg operations on tensors become the same on buffers, their destinations updated in place."""
    clone = op.clone()
    for original, copy_op in zip(walk_post_order(op), walk_post_order(clone), strict=True):
        for i, value in enumerate(original.operands):
            if value in mapping:
                copy_op.operands[i] = mapping[value]
    if not op.name.startswith("linalg.") or not len(op.results):
        mapping.update(zip(op.results, clone.results, strict=True))
        return
    _load_elements(clone)
    attributes = {n: clone.attributes[n] for n in clone.attributes}
    operands = list(clone.operands)
    again = ir.Operation.create(op.name, [], operands, attributes, regions=len(clone.regions))
    for new, old in zip(again.regions, clone.regions, strict=True):
        for block in list(old.blocks):
            block.append_to(new)
    first = len(operands) - len(op.results)
    mapping.update(zip(op.results, operands[first:], strict=True))
    clone.erase()


def _load_elements(op: AnyOp) -> None:
    """`tensor.extract` in a region whose tensors are buffers now becomes a load."""
    for item in walk_named(op, "tensor.extract"):
        buffer, *indices = item.operands
        with ir.InsertionPoint(item), item.location:
            item.results[0].replace_all_uses_with(memref.LoadOp(buffer, indices).result)
        item.erase()


def _passed(type_: ir.Type, *, output: bool = False) -> ir.Type:
    """The type in which a value is passed: indices and memrefs unchanged, other values in memory."""
    if isinstance(type_, ir.MemRefType) or (isinstance(type_, ir.IndexType) and not output):
        return type_
    if isinstance(type_, ir.RankedTensorType):
        return ir.MemRefType.get(type_.shape, type_.element_type)
    if isinstance(type_, ir.VectorType):
        return ir.MemRefType.get(type_.shape, _stored(type_.element_type))
    return ir.MemRefType.get([], type_)


def _stored(element: ir.Type) -> Any:
    """Bits are stored as bytes."""
    bit = isinstance(element, ir.IntegerType) and element.width == 1
    return ir.IntegerType.get_signless(8) if bit else element


def _unpack(value: ir.Value, argument: ir.Value) -> Any:
    type_ = value.type
    if argument.type == type_ or isinstance(type_, ir.RankedTensorType):
        return argument
    if not isinstance(type_, ir.VectorType):
        return memref.LoadOp(argument, []).result
    stored = ir.VectorType.get(type_.shape, argument.type.element_type)
    read = vector.LoadOp(stored, argument, _zeros(len(type_.shape))).result
    return read if stored == type_ else arith.TruncIOp(type_, read).result


def _pack(value: ir.Value, argument: ir.Value) -> None:
    type_ = value.type
    if isinstance(type_, ir.MemRefType):
        return
    if not isinstance(type_, ir.VectorType):
        memref.StoreOp(value, argument, [])
        return
    stored = ir.VectorType.get(type_.shape, argument.type.element_type)
    vector.StoreOp(value if stored == type_ else arith.ExtUIOp(stored, value).result, argument, _zeros(len(type_.shape)))


def _zeros(count: int) -> list[Any]:
    index = ir.IndexType.get()
    return [arith.ConstantOp(index, ir.IntegerAttr.get(index, 0)).result for _ in range(count)]
