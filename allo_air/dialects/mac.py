"""AIE2's MAC instruction on integers, `xllvm.intr.aie2...acc32.mac.conf`: its configuration word and its semantics.

The word (sources.md#vector-kernels): bit 9 A signed, bit 8 B signed, bits 7:5 variant, 4:3 bmode, 2:1 amode, bit 0 zero the
accumulator. A is in the low lanes of the first operand, B in those of the second, both row by row.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.walking import defining_op, walk_named
from allo_air.mlir import arith, ir, vector

MAC = "xllvm.intr.aie2.I512.I512.ACC1024.acc32.mac.conf"
PLAIN = ((0, 2), (2, 1), (0, 1))
"""Loops (m, n, k) of the three maps of a plain matrix multiplication."""
PARTIAL = "allo.partial"
"""Attribute of contractions of parts of factors, except one for each product, which represents all of them in counts."""

_SIGNED_A, _SIGNED_B, _ZERO = 1 << 9, 1 << 8, 1
_MODE = 0xFE


@dataclass(frozen=True)
class Form:
    """A product of micro-tiles: the width of the factors' elements, and M, K, N."""

    bits: int
    shape: tuple[int, int, int]


FORMS = {0x08: Form(8, (4, 8, 8)), 0x18: Form(16, (4, 2, 8))}
"""By the word without signs and zero: 8 is the word of i8 as run through mlir-aie (776 with both signs), 24 that of i16
(docs/sources.md#vector-kernels and 4x2x8 in docs/sources.md#core-kernels; the pair of word and shape on AIE2 is derived)."""


@dataclass(frozen=True)
class Mac:
    """The fields of a configuration word."""

    form: Form
    signed_a: bool
    signed_b: bool
    zero: bool = False

    @property
    def word(self) -> int:
        mode = next(word for word, form in FORMS.items() if form == self.form)
        return mode | _SIGNED_A * self.signed_a | _SIGNED_B * self.signed_b | _ZERO * self.zero


def decoded(word: int) -> Mac | None:
    """The meaning of `word`; None if it is unknown."""
    form = FORMS.get(word & _MODE)
    if form is None or word & ~(_MODE | _SIGNED_A | _SIGNED_B | _ZERO):
        return None
    return Mac(form, bool(word & _SIGNED_A), bool(word & _SIGNED_B), bool(word & _ZERO))


def form_of(bits: int, shape: tuple[int, int, int]) -> Form | None:
    """The instruction for factors of that width and shape, or None."""
    return next((form for form in FORMS.values() if form == Form(bits, shape)), None)


def expand_macs(root: ir.Operation) -> None:
    """Turns the MAC instructions in `root` into the contractions that they compute. DiagnosticError for an unknown word.

    Before:

        %r = "xllvm.intr.aie2.I512.I512.ACC1024.acc32.mac.conf"(%a, %b, %c, %c776_i32)

    After:

        %x = arith.extsi %a_low : vector<4x8xi8> to vector<4x8xi32>
        %y = arith.extsi %b_low : vector<8x8xi8> to vector<8x8xi32>
        %s = vector.contract {...} %x, %y, %c_as_4x8xi32
        %r = the lanes of %s
    """
    for op in walk_named(root, MAC):
        with ir.InsertionPoint(op), op.location:
            op.results[0].replace_all_uses_with(_expanded(op, _expansion(op)))
        op.erase()


def _expansion(op: ir.Operation) -> Mac:
    word = constant_of(op.operands[3])
    if word is None:
        raise error_at(op, "has a configuration word that is not a constant; write it as arith.constant")
    if (mac := decoded(word)) is None:
        words = ", ".join(str(Mac(form, True, True).word) for form in FORMS.values())
        raise error_at(
            op, f"has configuration word {word}, which is not simulated; known are {words}, their unsigned and zeroing variants"
        )
    return mac


def _expanded(op: ir.Operation, mac: Mac) -> Any:
    m, k, n = mac.form.shape
    i32, element = ir.IntegerType.get_signless(32), ir.IntegerType.get_signless(mac.form.bits)
    a = _extended(_low_elements(op.operands[0], [m, k], element), mac.signed_a)
    b = _extended(_low_elements(op.operands[1], [k, n], element), mac.signed_b)
    kind, flat = ir.VectorType.get([m, n], i32), ir.VectorType.get([m * n], i32)
    if mac.zero:
        c = arith.constant(kind, ir.DenseElementsAttr.get_splat(kind, ir.IntegerAttr.get(i32, 0)))
    else:
        c = vector.shape_cast(kind, vector.bitcast(flat, op.operands[2]))
    result = contract(a, b, c, partial=PARTIAL in op.attributes)
    return vector.bitcast(op.results[0].type, vector.shape_cast(flat, result))


def contract(a: ir.Value, b: ir.Value, c: ir.Value, *, partial: bool = False) -> ir.OpResult:
    """The matrix product of `a` and `b`, added to `c`; with `partial`, a part of a product that another operation counts."""
    maps = [ir.AffineMap.get(3, 0, [ir.AffineDimExpr.get(i) for i in loops]) for loops in PLAIN]
    iterators = [f"#vector.iterator_type<{kind}>" for kind in ("parallel", "parallel", "reduction")]
    indexing_maps = ir.ArrayAttr.get([ir.AffineMapAttr.get(m) for m in maps])
    iterator_types = ir.ArrayAttr.get([ir.Attribute.parse(kind) for kind in iterators])
    op = vector.ContractionOp(c.type, a, b, c, indexing_maps, iterator_types, kind=ir.Attribute.parse("#vector.kind<add>"))
    if partial:
        op.operation.attributes[PARTIAL] = ir.UnitAttr.get()
    return op.result


def _low_elements(register: ir.Value, shape: list[int], element: ir.IntegerType) -> Any:
    """The first elements of a register as a matrix, without the padding of the register."""
    bits = prod(shape) * element.width
    kind = ir.VectorType.get([prod(shape)], element)
    lanes = bits // register.type.element_type.width
    value = register
    owner = defining_op(register, "vector.shuffle")
    if owner is not None and list(owner.attributes["mask"])[:lanes] == [*range(lanes)]:
        value = owner.operands[0]
    if value.type.shape[0] != lanes:
        part = ir.VectorType.get([lanes], value.type.element_type)
        value = vector.extract_strided_slice(part, value, [0], [lanes], [1])
    return vector.shape_cast(ir.VectorType.get(shape, element), value if value.type == kind else vector.bitcast(kind, value))


def _extended(value: ir.Value, signed: bool) -> Any:
    kind = ir.VectorType.get(value.type.shape, ir.IntegerType.get_signless(32))
    return arith.extsi(kind, value) if signed else arith.extui(kind, value)
