"""Sums of products: the factors and the accumulation of a body; and accumulators that are wide in registers and narrow in
memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.arch import Contraction
from allo_air.arch.core import PART_BITS, PARTS_OF
from allo_air.arch.limits import core_room
from allo_air.core.constants import index_constant
from allo_air.core.walking import defining_op, enclosing, walk_named
from allo_air.device import Device
from allo_air.dialects.mac import form_of
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, arith, ir, vector

_CAST = "builtin.unrealized_conversion_cast"
_WIDE = {"bf16": "f32", "f16": "f32", "i8": "i32", "i16": "i32"}
"""For each narrow type, the type in which a core accumulates (docs/sources.md#core-kernels)."""
_WRAPPING = 16
"""Integer types to which legalize-arithmetic narrows with wrap-around, not with saturation."""
_EXTENSIONS = ("arith.extf", "arith.extsi", "arith.extui")
_PRODUCTS = {"arith.addf": "arith.mulf", "arith.addi": "arith.muli"}
"""For each addition, the corresponding product."""


@dataclass(frozen=True)
class ProductSum:
    """A body that adds the product of its two other operands, of type `element`, to its result.

    `extension` is the cast of the factors to `total`, the type in which a core accumulates; empty if they have that type.
    `short`: the result has a narrower type than the accumulators.
    """

    add: str
    element: str
    extension: str
    total: str
    short: bool

    @property
    def factor(self) -> str:
        """The type that a core multiplies: f32 as bf16 parts, i32 as i16 parts."""
        return self.element if self.extension else PARTS_OF.get(self.element, (self.element, 0))[0]

    @property
    def is_by_parts(self) -> bool:
        """Whether the factors are split into shorter ones (emulate-contractions)."""
        return self.factor != self.element


def product_sum(op: AnyOp) -> ProductSum | None:
    """The product sum of a structured operation with three operands; None for other bodies."""
    [block] = op.regions[0].blocks
    a, b, out = block.arguments
    yielded = block.operations[-1].operands[0]
    add = defining_op(_made_of(yielded, "arith.truncf", "arith.trunci"), *_PRODUCTS)
    if add is None or a.type != b.type:
        return None
    terms = [v for v in add.operands if _made_of(v, *_EXTENSIONS) != out]
    product = defining_op(terms[0], _PRODUCTS[add.name]) if len(terms) == 1 else None
    if product is None or {_made_of(v, *_EXTENSIONS) for v in product.operands} != {a, b}:
        return None
    extensions = {result.name if (result := defining_op(v, *_EXTENSIONS)) else "" for v in product.operands}
    if len(extensions) != 1:
        return None
    [extension] = extensions
    wide = _WIDE.get(str(out.type))
    if wide is None and yielded.owner.name != add.name:
        return None
    if wide is not None and not extension:
        extension = "arith.extf" if add.name == "arith.addf" else "arith.extsi"
    return ProductSum(add.name, str(a.type), extension, wide or str(out.type), wide is not None)


def keeps_signs(item: ProductSum, contraction: Contraction) -> bool:
    """Whether the core multiplies integers of `contraction` by their signs.

    It does so itself, or after passes signed-contractions and legalize-contractions.
    """
    signed = item.extension != "arith.extui"
    if contraction.signed == (signed, signed) or contraction.signed == (False, False):
        return True
    return not all(contraction.signed) and form_of(int(contraction.element[1:]), contraction.shape) is not None


class PartsRoom:
    """The free memory of the cores of `device`, for the bf16 parts into which operands of products are split."""

    def __init__(self, device: Device) -> None:
        self._bits = 8 * core_room(device)
        self._parts: dict[ir.Operation, dict[tuple[int, ir.Type], int]] = {}
        """For each herd: the split operands that operations of one type share (emulate-contractions)."""

    def takes(self, generic: ir.Operation) -> bool:
        """Whether there is room for the parts of `generic` in addition to those of earlier operations. If so, reserves it."""
        herd = enclosing(generic, "air.herd")
        if herd is None:
            return True
        types = [alloc.results[0].type for alloc in walk_named(herd, "memref.alloc")]
        factors = [v.type for v in list(generic.operands)[:2]]
        _, count = PARTS_OF[str(factors[0].element_type)]
        parts = self._parts.get(herd, {}) | {(n, kind): count * PART_BITS * prod(kind.shape) for n, kind in enumerate(factors)}
        if sum(prod(kind.shape) * (element_bits(kind) or 8) for kind in types) + sum(parts.values()) > self._bits:
            return False
        self._parts[herd] = parts
        return True


def accumulate_wide(generic: AnyOp, item: ProductSum) -> Any:
    """Makes a contraction accumulate in a wide buffer, which replaces its short one until `round_accesses`."""
    [block] = generic.regions[0].blocks
    short = generic.operands[2]
    kind = short.type
    with ir.InsertionPoint(generic), generic.location:
        wide = ir.Type.parse(item.total)
        cast = ir.Operation.create(_CAST, [ir.MemRefType.get(kind.shape, wide, kind.layout, kind.memory_space)], [short])
    generic.operands[2] = cast.results[0]
    *old, end = [op.operation for op in block.operations]
    a, b, out = block.arguments
    with ir.InsertionPoint(end), end.location:
        factors = [ir.Operation.create(item.extension, [wide], [v]).results[0] for v in (a, b)]
        product = ir.Operation.create(_PRODUCTS[item.add], [wide], factors).results[0]
        end.operands[0] = ir.Operation.create(item.add, [wide], [out, product]).results[0]
    for op in reversed(old):
        op.erase()
    out.set_type(wide)
    return cast.results[0]


def _made_of(value: ir.Value, *casts: str) -> Any:
    """`value`, or the source of its cast if it is one of `casts`."""
    result = defining_op(value, *casts)
    return value if result is None else result.operands[0]


def round_accesses(buffer: ir.Value) -> None:
    """Reads and writes the buffer that `buffer` replaces, in its type."""
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


def _read(access: AnyOp, short: ir.Value) -> None:
    element = short.type.element_type
    wide = access.results[0].type
    view = access.opview
    integers = isinstance(element, ir.IntegerType)
    nothing = arith.constant(element, 0 if integers else 0.0)
    kind = ir.VectorType.get(wide.shape, element)
    read = vector.transfer_read(kind, short, list(view.indices), view.permutation_map, nothing, view.in_bounds)
    row = ir.VectorType.get([prod(wide.shape)], element)
    extend = arith.extsi if integers else arith.extf
    result = extend(ir.VectorType.get(row.shape, wide.element_type), vector.shape_cast(row, read))
    access.results[0].replace_all_uses_with(vector.shape_cast(wide, result))


def _write(access: AnyOp, short: ir.Value) -> None:
    """Truncates and writes integers: as many at a time as wrap around together (legalize-arithmetic), row by row."""
    view, value = access.opview, access.opview.valueToStore
    element, wide = short.type.element_type, value.type.element_type
    rows, columns = value.type.shape
    integers = isinstance(element, ir.IntegerType)
    height = _WRAPPING // columns if integers and not rows * columns % _WRAPPING and not _WRAPPING % columns else rows
    count = height * columns
    whole = vector.shape_cast(ir.VectorType.get([rows * columns], wide), value)
    for row in range(0, rows, height):
        kind = ir.VectorType.get([count], wide)
        part = whole if height == rows else vector.extract_strided_slice(kind, whole, [row * columns], [count], [1])
        flat = ir.VectorType.get([count], element)
        shortened = (arith.trunci if integers else arith.truncf)(flat, part)
        shaped = vector.shape_cast(ir.VectorType.get([height, columns], element), shortened)
        *outer, first, column = view.indices
        first = arith.addi(first, index_constant(row)) if row else first
        vector.TransferWriteOp(None, shaped, short, [*outer, first, column], view.permutation_map, view.in_bounds)
