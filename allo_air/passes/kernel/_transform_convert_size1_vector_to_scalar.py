"""`transform.air.convert_size1_vector_to_scalar`: replaces vectors of one element by scalars."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import defining_op, is_unused, walk_pre_order
from allo_air.mlir import arith, ir, memref, vector
from allo_air.transform.operations import Application

_READS = ("vector.transfer_read", "vector.load")
_WRITES = ("vector.transfer_write", "vector.store")


def apply(call: Application) -> list[list[ir.Operation]]:
    """Replaces operations on vectors of one element by scalar operations; returns the targets.

    Before: `%v = vector.transfer_read %m[%i] : vector<1xf32>; %e = math.exp %v`
    After:  `%v = memref.load %m[%i]; %e = math.exp %v : f32`
    """

    def rewrite(target: ir.Operation) -> ir.Operation:
        call.expect_isolated(target)
        for op in walk_pre_order(target):
            _convert(op)
        for op in reversed(walk_pre_order(target)):
            if op.name in ("vector.broadcast", "vector.extract", "arith.constant") and all(is_unused(r) for r in op.results):
                op.erase()
        return target

    return call.each(rewrite)


def _is_single(kind: ir.Type) -> bool:
    return isinstance(kind, ir.VectorType) and all(n == 1 for n in kind.shape)


def _convert(op: ir.Operation) -> None:
    values = [*op.operands, *op.results]
    if op.name in _READS and _is_single(op.results[0].type) and _is_plain_access(op):
        with ir.InsertionPoint(op), op.location:
            loaded = memref.load(op.operands[0], _indices(op, 1))
            op.results[0].replace_all_uses_with(vector.broadcast(op.results[0].type, loaded))
        op.erase()
    elif op.name in _WRITES and _is_single(op.operands[0].type) and _is_plain_access(op) and not len(op.results):
        with ir.InsertionPoint(op), op.location:
            memref.store(_scalar(op.operands[0]), op.operands[1], _indices(op, 2))
        op.erase()
    elif op.name.split(".")[0] in ("arith", "math") and op.name != "arith.constant" and not len(op.regions):
        if values and all(_is_single(v.type) for v in values) and not _has_vectors(op):
            _elementwise(op)
    elif op.name == "vector.broadcast" and _is_single(op.operands[0].type):
        with ir.InsertionPoint(op), op.location:
            result = vector.broadcast(op.results[0].type, _scalar(op.operands[0]))
        op.results[0].replace_all_uses_with(result)
        op.erase()
    elif op.name == "vector.extract" and _is_single(op.operands[0].type) and not isinstance(op.results[0].type, ir.VectorType):
        with ir.InsertionPoint(op), op.location:
            scalar = _scalar(op.operands[0], replaced=op)
        if scalar is not None:
            op.results[0].replace_all_uses_with(scalar)
            op.erase()


def _has_vectors(op: ir.Operation) -> bool:
    """Whether the operation has a vector constant as an attribute."""
    return any(isinstance(op.attributes[name], ir.DenseElementsAttr) for name in op.attributes)


def _is_plain_access(op: ir.Operation) -> bool:
    """Whether a transfer accesses a memref, has no mask, and is in bounds."""
    memref_at = 0 if op.name in _READS else 1
    if not isinstance(op.operands[memref_at].type, ir.MemRefType):
        return False
    if "transfer" not in op.name:
        return True
    masked = list(op.attributes["operandSegmentSizes"])[-1]
    return not masked and all(b.value for b in op.attributes["in_bounds"])


def _indices(op: ir.Operation, first: int) -> list[Any]:
    return list(op.operands)[first : first + op.operands[first - 1].type.rank]


def _scalar(value: ir.Value, replaced: ir.Operation | None = None) -> Any:
    """The scalar element of `value`, a vector of one element.

    Emits a vector.extract if necessary; with `replaced`, a vector.extract that the scalar would replace, returns None instead.
    """
    owner = defining_op(value)
    element = value.type.element_type
    if owner is not None and owner.name == "vector.broadcast" and owner.operands[0].type == element:
        return owner.operands[0]
    if owner is not None and owner.name == "arith.constant":
        splat_value = owner.attributes["value"].get_splat_value()
        return arith.constant(element, splat_value)
    if replaced is not None:
        return None
    return vector.extract(value, [], [0] * value.type.rank)


def _elementwise(op: ir.Operation) -> None:
    with ir.InsertionPoint(op), op.location:
        operands = [_scalar(v) for v in op.operands]
        kinds = [r.type.element_type for r in op.results]
        result = ir.Operation.create(op.name, kinds, operands, dict(op.attributes.items()))
        for old, new in zip(op.results, result.results, strict=True):
            old.replace_all_uses_with(vector.broadcast(old.type, new))
    op.erase()
