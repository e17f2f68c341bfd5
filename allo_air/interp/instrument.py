"""Instruments a function to record its reads and writes: each memref gets a shadow of bytes, and accesses are checked.

Bit 0 of a shadow byte means that the element was read before this function wrote it, bit 1 that this function wrote it.
"""

from __future__ import annotations

from typing import Any

from allo_air.core.names import set_function_type
from allo_air.core.walking import walk_named, walk_post_order
from allo_air.mlir import arith, ir, memref, ub, vector

_VIEWS = (
    *("memref.subview", "memref.cast", "memref.collapse_shape", "memref.expand_shape", "memref.transpose"),
    *("memref.reinterpret_cast", "memref.memory_space_cast"),
)
_ACCESSES = {"memref.load": 0, "memref.store": 1, "vector.load": 0, "vector.store": 1}
_ACCESSES |= {"vector.transfer_read": 0, "vector.transfer_write": 1}
_HARMLESS = ("memref.dim", "memref.assume_alignment", "memref.prefetch", "memref.alloca")
_READ, _WRITTEN = 1, 2


def accumulate_in_f32(op: ir.Operation) -> None:
    """Contractions and reductions of bf16 and f16 accumulate in f32 and round once, as the hardware's MAC does."""
    small = ("bf16", "f16")
    for item in walk_named(
        op, "vector.contract", "vector.multi_reduction", "vector.reduction", "vector.outerproduct", "vector.fma"
    ):
        result = item.results[0]
        if str(_element(result.type)) not in small:
            continue
        with ir.InsertionPoint(item), item.location:
            operands = [arith.ExtFOp(_with_element(v.type, ir.F32Type.get()), v).result for v in item.operands]
            attributes = {n: item.attributes[n] for n in item.attributes}
            wide = ir.Operation.create(item.name, [_with_element(result.type, ir.F32Type.get())], operands, attributes)
            narrow = arith.TruncFOp(result.type, wide.results[0]).result
        result.replace_all_uses_with(narrow)
        item.erase()


def flatten_loads(op: ir.Operation) -> None:
    """Loads and stores of vectors of several dimensions become transfers, which MLIR lowers."""
    for item in walk_named(op, "vector.load", "vector.store"):
        storing = item.name == "vector.store"
        type_ = (item.operands[0] if storing else item.results[0]).type
        rank = len(type_.shape)
        if rank < 2:
            continue
        with ir.InsertionPoint(item), item.location:
            buffer, *indices = list(item.operands)[1 if storing else 0 :]
            dims = [ir.AffineDimExpr.get(i) for i in range(len(indices))][len(indices) - rank :]
            map_, in_bounds = ir.AffineMap.get(len(indices), 0, dims), [True] * rank
            if storing:
                vector.transfer_write(None, item.operands[0], buffer, indices, map_, in_bounds)
            else:
                padding = ub.poison(type_.element_type)
                read = vector.transfer_read(type_, buffer, indices, map_, padding, in_bounds)
                item.results[0].replace_all_uses_with(read)
        item.erase()


def unmask(op: ir.Operation) -> None:
    """Masked loads and stores become masked transfers; a load takes the lanes that are off from its pass-through value."""
    for item in walk_named(op, "vector.maskedload", "vector.maskedstore"):
        buffer, *rest = list(item.operands)
        *indices, mask, value = rest
        with ir.InsertionPoint(item), item.location:
            map_ = ir.AffineMap.get(len(indices), 0, [ir.AffineDimExpr.get(len(indices) - 1)])
            if item.name == "vector.maskedstore":
                vector.transfer_write(None, value, buffer, indices, map_, [False], mask=mask)
            else:
                padding = ub.poison(value.type.element_type)
                read = vector.transfer_read(value.type, buffer, indices, map_, padding, [False], mask=mask)
                item.results[0].replace_all_uses_with(arith.SelectOp(mask, read, value).result)
        item.erase()


def _element(type_: ir.Type) -> ir.Type:
    return type_.element_type if isinstance(type_, ir.ShapedType) else type_


def _with_element(type_: ir.Type, element: ir.Type) -> ir.Type:
    if isinstance(type_, ir.VectorType):
        return ir.VectorType.get(type_.shape, element)
    if isinstance(type_, ir.MemRefType):
        return ir.MemRefType.get(type_.shape, element, type_.layout, type_.memory_space)
    return element


def instrument(module: ir.Operation, tracked: tuple[int, ...]) -> list[str]:
    """Adds to function `kernel` a shadow for each of the `tracked` arguments, and an argument for the number of a failed
    check; returns the meaning of the numbers.

    Raises NotImplementedError, which names the access, for unknown accesses.
    """
    [function] = walk_named(module, "func.func")
    block = function.regions[0].blocks[0]
    byte = ir.IntegerType.get_signless(8)
    companions: dict[ir.Value, ir.Value] = {}
    inputs = list(block.arguments)
    for argument in (inputs[n] for n in tracked):
        companions[argument] = block.add_argument(_with_element(argument.type, byte), function.location)
    error = block.add_argument(ir.MemRefType.get([1], ir.IntegerType.get_signless(64)), function.location)
    set_function_type(function, [])
    checks: list[str] = []
    for op in walk_post_order(function):
        shaped = [v for v in op.operands if isinstance(v.type, ir.MemRefType)]
        if op.name in _VIEWS:
            if op.operands[0] in companions:
                companions[op.results[0]] = _view(op, companions[op.operands[0]], byte)
        elif op.name in _ACCESSES:
            _access(op, companions, error, checks)
        elif op.name == "cf.assert":
            checks.append(_assert(op, error, len(checks) + 1))
        elif op.name not in _HARMLESS and (shaped or any(isinstance(r.type, ir.MemRefType) for r in op.results)):
            raise NotImplementedError(op.name)
    return checks


def _assert(op: ir.Operation, error: ir.Value, number: int) -> str:
    """Replaces an assertion: if it fails, its number is stored in `error`. Its entry among the checks is its message."""
    with ir.InsertionPoint(op), op.location:
        _record_failure(op.operands[0], error, number)
    message = str(op.attributes["msg"].value)
    op.erase()
    return f"cf.assert: {message}"


def _record_failure(good: ir.Value, error: ir.Value, number: int) -> None:
    """Leaves `number` in `error` if `good` is not."""
    long, index = ir.IntegerType.get_signless(64), ir.IndexType.get()
    zero = arith.ConstantOp(index, ir.IntegerAttr.get(index, 0)).result
    old = memref.LoadOp(error, [zero]).result
    code = arith.ConstantOp(long, ir.IntegerAttr.get(long, number)).result
    memref.StoreOp(arith.SelectOp(good, old, code).result, error, [zero])


def _view(op: ir.Operation, source: ir.Value, byte: ir.Type) -> Any:
    with ir.InsertionPoint.after(op), op.location:
        attributes = {n: op.attributes[n] for n in op.attributes}
        result = _with_element(op.results[0].type, byte)
        return ir.Operation.create(op.name, [result], [source, *list(op.operands)[1:]], attributes).results[0]


def _access(op: ir.Operation, companions: dict[ir.Value, ir.Value], error: ir.Value, checks: list[str]) -> None:
    number = _ACCESSES[op.name]
    buffer = op.operands[number]
    rank = buffer.type.rank
    checks.append(op.name)
    with ir.InsertionPoint(op), op.location:
        _check_bounds(op, buffer, list(op.operands)[number + 1 : number + 1 + rank], error, len(checks))
        companion = companions.get(buffer)
        if companion is None:  # a buffer of the function's own
            return
        indices = list(op.operands)[number + 1 : number + 1 + rank]
        if op.name in ("memref.load", "memref.store"):
            old = None if number else memref.LoadOp(companion, indices).result
            memref.StoreOp(_marked(old, companion.type.element_type), companion, indices)
            return
        value = op.operands[0] if number else op.results[0]
        type_ = ir.VectorType.get(value.type.shape, companion.type.element_type)
        if op.name in ("vector.load", "vector.store"):
            old = None if number else vector.LoadOp(type_, companion, indices).result
            vector.StoreOp(_marked(old, type_), companion, indices)
            return
        _mark_transfer(op, companion, indices, type_, writes=bool(number))


def _marked(old: ir.Value | None, type_: ir.Type) -> ir.OpResult:
    """The companion's new bytes: after a write, or after a read that found `old`."""
    if old is None:
        return _constant(_WRITTEN, type_)
    one = _constant(1, type_)
    unwritten = arith.XOrIOp(arith.AndIOp(arith.ShRUIOp(old, one).result, one).result, one).result
    return arith.OrIOp(old, unwritten).result


def _constant(value: int, type_: ir.Type) -> ir.OpResult:
    element = _element(type_)
    if isinstance(type_, ir.VectorType):
        return arith.ConstantOp(type_, ir.DenseElementsAttr.get_splat(type_, ir.IntegerAttr.get(element, value))).result
    return arith.ConstantOp(type_, ir.IntegerAttr.get(element, value)).result


def _mark_transfer(
    op: ir.Operation, companion: ir.Value, indices: list[ir.Value], type_: ir.VectorType, *, writes: bool
) -> None:
    """Marks the elements of a transfer; a broadcast dimension is marked once."""
    masked = list(op.attributes["operandSegmentSizes"])[-1]
    map_ = op.attributes["permutation_map"].value
    in_bounds = [bool(a.value) for a in op.attributes["in_bounds"]]
    varying = [i for i, e in enumerate(map_.results) if not isinstance(e, ir.AffineConstantExpr)]
    mask = list(op.operands)[-1] if masked else None
    if len(varying) != len(map_.results):
        if masked:
            raise NotImplementedError(f"{op.name} with a mask and a broadcast dimension")
        type_ = ir.VectorType.get([type_.shape[i] for i in varying], type_.element_type)
        map_ = ir.AffineMap.get(map_.n_dims, map_.n_symbols, [map_.results[i] for i in varying])
        in_bounds = [in_bounds[i] for i in varying]
    old = None
    if not writes:
        padding = _constant(_WRITTEN, companion.type.element_type)
        old = vector.transfer_read(type_, companion, indices, map_, padding, in_bounds, mask=mask)
    vector.transfer_write(None, _marked(old, type_), companion, indices, map_, in_bounds, mask=mask)


def _check_bounds(op: ir.Operation, buffer: ir.Value, indices: list[ir.Value], error: ir.Value, number: int) -> None:
    """Checks an index: if it is out of bounds, its number is stored in `error` and index 0 is used instead."""
    if not indices:
        return
    extents = _extents(op, buffer.type.rank)
    index = ir.IndexType.get()
    good = None
    for dim, (coordinate, extent) in enumerate(zip(indices, extents, strict=True)):
        if not extent:
            continue
        size = memref.DimOp(buffer, arith.ConstantOp(index, ir.IntegerAttr.get(index, dim)).result).result
        if extent > 1:
            less = arith.ConstantOp(index, ir.IntegerAttr.get(index, extent - 1)).result
            size = arith.SubIOp(size, less).result
        small = arith.CmpIOp(arith.CmpIPredicate.ult, coordinate, size).result
        good = small if good is None else arith.AndIOp(good, small).result
    if good is None:
        return
    _record_failure(good, error, number)
    zero = arith.ConstantOp(index, ir.IntegerAttr.get(index, 0)).result
    first = 2 if op.name in ("memref.store", "vector.store", "vector.transfer_write") else 1
    for dim, coordinate in enumerate(indices):
        op.operands[first + dim] = arith.SelectOp(good, coordinate, zero).result


def _extents(op: ir.Operation, rank: int) -> list[int]:
    """The number of elements from the index on that must be in bounds, in each dimension."""
    if op.name in ("memref.load", "memref.store"):
        return [1] * rank
    value = op.operands[0] if op.name in ("vector.store", "vector.transfer_write") else op.results[0]
    shape = list(value.type.shape)
    if op.name in ("vector.load", "vector.store"):
        return [1] * (rank - len(shape)) + shape
    extents = [1] * rank
    flags = [bool(a.value) for a in op.attributes["in_bounds"]] if "in_bounds" in op.attributes else [False] * len(shape)
    for e, n, inside in zip(op.attributes["permutation_map"].value.results, shape, flags, strict=True):
        if isinstance(e, ir.AffineDimExpr):
            extents[e.position] = n if inside else 0
    return extents
