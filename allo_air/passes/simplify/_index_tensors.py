"""Changes tensors of index to tensors of i64, which a later pass narrows to i32 if the values fit."""

from __future__ import annotations

from allo_air.core.elements import array_of, elements_attr, is_elements
from allo_air.core.walking import body_of
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._ir.generic import Generic

_CASTS = {"arith.index_cast": (arith.extsi, arith.trunci), "arith.index_castui": (arith.extui, arith.trunci)}


def store_indices_as_i64(function: AnyOp) -> None:
    """Stores indices in tensors as i64; bodies compute with index as before, with casts at their elements and positions.

    Before:

        %i = linalg.generic ins(%n : tensor<7xi32>) outs(%e : tensor<7xindex>) { yield (arith.index_cast %in : i32 to index) }

    After:

        %i = linalg.generic ins(%n : tensor<7xi32>) outs(%e : tensor<7xi64>) { yield (arith.extsi %in : i32 to i64) }
    """
    ops = body_of(function)
    index_ops = [op for op in ops if any(_is_held(v.type) for v in (*op.operands, *op.results))]
    for op in index_ops:
        for result in op.results:
            if _is_held(result.type):
                result.set_type(ir.RankedTensorType.get(result.type.shape, _i64()))
    for op in index_ops:
        if op.name == "linalg.generic":
            _retype(Generic.of(op))
        elif op.name == "arith.constant" and is_elements(op.attributes["value"]):
            op.attributes["value"] = elements_attr(array_of(op.attributes["value"]).astype("int64"), op.results[0].type)
        elif op.name == "tensor.extract":
            _cast_to_index(op)
        elif op.name in ("linalg.fill", "tensor.splat", "tensor.from_elements", "tensor.insert"):
            _give(op)
    for op in ops:
        if op not in index_ops and op.name == "linalg.generic":
            for inner in Generic.of(op).body:
                if inner.name == "tensor.extract" and inner.operands[0].type.element_type == _i64():
                    _cast_to_index(inner)


def _i64() -> ir.IntegerType:
    return ir.IntegerType.get_signless(64)


def _is_held(kind: ir.Type) -> bool:
    return isinstance(kind, ir.RankedTensorType) and isinstance(kind.element_type, ir.IndexType)


def _cast_to_index(extract: AnyOp) -> None:
    """Casts an extracted element, now i64, to index for its users."""
    result = extract.results[0]
    if not isinstance(result.type, ir.IndexType):
        return
    result.set_type(_i64())
    with ir.InsertionPoint.after(extract), extract.location:
        cast = arith.index_cast(ir.IndexType.get(), result)
    result.replace_all_uses_except(cast, cast.owner.operation)


def _give(op: AnyOp) -> None:
    for n, value in enumerate(op.operands):
        at_place = op.name == "tensor.insert" and n > 1
        if isinstance(value.type, ir.IndexType) and not at_place:
            with ir.InsertionPoint(op), op.location:
                op.operands[n] = arith.index_cast(_i64(), value)


def _retype(generic: Generic) -> None:
    """Computes the body's index arithmetic in i64."""
    for argument in generic.arguments:
        if isinstance(argument.type, ir.IndexType):
            argument.set_type(_i64())
    for op in generic.body:
        _compute(op)
    end = generic.block.operations[-1].operation
    for n, value in enumerate(end.operands):
        if isinstance(value.type, ir.IndexType):
            with ir.InsertionPoint(end), end.location:
                end.operands[n] = arith.index_cast(_i64(), value)


def _compute(op: AnyOp) -> None:
    if op.name in _CASTS:
        _cast(op)
    elif op.name == "tensor.extract":
        if op.operands[0].type.element_type == _i64():
            _cast_to_index(op)
        _convert(op, _i64(), ir.IndexType.get(), 1)
    elif op.name == "arith.constant" and isinstance(op.results[0].type, ir.IndexType):
        op.attributes["value"] = ir.IntegerAttr.get(_i64(), op.attributes["value"].value)
        op.results[0].set_type(_i64())
    elif op.name.startswith("arith."):
        _convert(op, ir.IndexType.get(), _i64(), 0)
        for result in op.results:
            if isinstance(result.type, ir.IndexType):
                result.set_type(_i64())


def _convert(op: AnyOp, old: ir.Type, new: ir.Type, first: int) -> None:
    """Casts operands of type `old`, from number `first` on, if the operation needs type `new` for all."""
    kinds = {v.type for v in (*list(op.operands)[first:], *op.results)}
    if old not in kinds:
        return
    for n, value in enumerate(op.operands):
        if n >= first and value.type == old:
            with ir.InsertionPoint(op), op.location:
                op.operands[n] = arith.index_cast(new, value)


def _cast(op: AnyOp) -> None:
    """A cast to or from index whose other side is now i64."""
    source, result = op.operands[0], op.results[0]
    extend, truncate = _CASTS[op.name]
    if isinstance(source.type, ir.IndexType):
        return
    kind = _i64() if isinstance(result.type, ir.IndexType) else result.type
    with ir.InsertionPoint(op), op.location:
        wide, narrow = source.type.width < kind.width, source.type.width > kind.width
        new = extend(kind, source) if wide else truncate(kind, source) if narrow else source
    result.replace_all_uses_with(new)
    op.erase()
