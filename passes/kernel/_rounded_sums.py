"""Sums that a buffer keeps in a short type: wide while they are in registers."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.mlir import AnyOp, arith, ir, vector

_CAST = "builtin.unrealized_conversion_cast"
_WIDE = {"bf16": "f32", "f16": "f32", "i8": "i32", "i16": "i32"}
"""What a core sums in, of the types that are shorter (docs/sources.md#core-kernels)."""
_EXTENSIONS = ("arith.extf", "arith.extsi", "arith.extui")


_PRODUCTS = {"arith.addf": "arith.mulf", "arith.addi": "arith.muli"}
"""The product that goes with an addition."""


@dataclass(frozen=True)
class ShortSum:
    """A body that adds a product to what its result holds, and keeps the sum in a type shorter than `wide`, that of registers.

    `extension` is how the factors, which the body may extend by itself, come to be of `wide`.
    """

    wide: ir.Type
    extension: str


def short_sum(generic: AnyOp) -> ShortSum | None:
    """What `generic`, of two operands and a result, sums in a type shorter than a core's registers; None for other bodies."""
    [block] = generic.regions[0].blocks
    a, b, out = block.arguments
    if _WIDE.get(str(out.type)) is None:
        return None
    total = _made_of(block.operations[len(block.operations) - 1].operands[0], "arith.truncf", "arith.trunci")
    add = None if isinstance(total.owner, ir.Block) else total.owner
    if add is None or add.name not in _PRODUCTS:
        return None
    terms = [v for v in add.operands if _made_of(v, *_EXTENSIONS) != out]
    if len(terms) != 1 or isinstance(terms[0].owner, ir.Block) or terms[0].owner.name != _PRODUCTS[add.name]:
        return None
    factors = list(terms[0].owner.operands)
    extensions = {v.owner.name for v in factors if not isinstance(v.owner, ir.Block)}
    if {_made_of(v, *_EXTENSIONS) for v in factors} != {a, b} or len(extensions) > 1:
        return None
    with generic.context:
        wide = ir.Type.parse(_WIDE[str(out.type)])
    return ShortSum(wide, *extensions or ("arith.extf" if add.name == "arith.addf" else "arith.extsi",))


def widened(generic: AnyOp, found: ShortSum) -> Any:
    """Lets a contraction add into a buffer of wide sums, which stands for its own, of short ones, till `round_accesses`."""
    [block] = generic.regions[0].blocks
    short = generic.operands[2]
    kind = short.type
    with ir.InsertionPoint(generic), generic.location:
        cast = ir.Operation.create(_CAST, [ir.MemRefType.get(kind.shape, found.wide, kind.layout, kind.memory_space)], [short])
    generic.operands[2] = cast.results[0]
    *old, end = [op.operation for op in block.operations]
    a, b, out = block.arguments
    with ir.InsertionPoint(end), end.location:
        add = next(op.name for op in old if op.name in _PRODUCTS)
        factors = [ir.Operation.create(found.extension, [found.wide], [v]).results[0] for v in (a, b)]
        product = ir.Operation.create(_PRODUCTS[add], [found.wide], factors).results[0]
        end.operands[0] = ir.Operation.create(add, [found.wide], [out, product]).results[0]
    for op in reversed(old):
        op.erase()
    out.set_type(found.wide)
    return cast.results[0]


def _made_of(value: Any, *casts: str) -> Any:
    """What `value` is, or what one of `casts` makes it of."""
    made = not isinstance(value.owner, ir.Block) and value.owner.name in casts
    return value.owner.operands[0] if made else value


def round_accesses(buffer: Any) -> None:
    """Reads and writes what `buffer` stands for, in its type."""
    cast = buffer.owner
    [short] = cast.operands
    for use in list(buffer.uses):
        access = use.owner.operation
        with ir.InsertionPoint(access), access.location:
            if access.name == "vector.transfer_read":
                _read(access, short)
            else:
                _write(access, short)
        access.erase()
    cast.operation.erase()


def _read(access: AnyOp, short: Any) -> None:
    element = short.type.element_type
    wide = access.results[0].type
    view = access.opview
    integers = isinstance(element, ir.IntegerType)
    nothing = arith.constant(element, 0 if integers else 0.0)
    kind = ir.VectorType.get(wide.shape, element)
    read = vector.transfer_read(kind, short, list(view.indices), view.permutation_map, nothing, view.in_bounds)
    row = ir.VectorType.get([prod(wide.shape)], element)
    extend = arith.extsi if integers else arith.extf
    found = extend(ir.VectorType.get(row.shape, wide.element_type), vector.shape_cast(row, read))
    access.results[0].replace_all_uses_with(vector.shape_cast(wide, found))


def _write(access: AnyOp, short: Any) -> None:
    view = access.opview
    value = view.valueToStore
    row = ir.VectorType.get([prod(value.type.shape)], value.type.element_type)
    element = short.type.element_type
    shorten = arith.trunci if isinstance(element, ir.IntegerType) else arith.truncf
    rounded = shorten(ir.VectorType.get(row.shape, element), vector.shape_cast(row, value))
    kind = ir.VectorType.get(value.type.shape, element)
    shaped = vector.shape_cast(kind, rounded)
    vector.TransferWriteOp(None, shaped, short, list(view.indices), view.permutation_map, view.in_bounds)
