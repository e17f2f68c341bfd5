"""round-right-shifts."""

from dataclasses import dataclass
from typing import Any, Literal

from allo_air.core.constants import constant_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import defining_op, walk_named
from allo_air.mlir import AnyOp, arith, ir

_CONTRACTIONS = ("vector.contract", "linalg.matmul", "linalg.batch_matmul", "linalg.generic")


@dataclass(frozen=True)
class RoundRightShifts(Pass):
    """Makes the rounding of i32 arithmetic right shifts explicit if the tool chain lowers them to shift-round-saturate.

    MLIR-AIR's tool chain uses the vector unit's shift. A tie is rounded up (`positive-inf`), or to even in cores that multiply
    bf16 matrices (`conv-even`); a narrower integer that such a shift is truncated to saturates. `hardware` chooses like the
    tool chain, for each herd. The result, a sum, a 64-bit shift and a clamp, computes the same everywhere.

    Before (`round-right-shifts{mode=positive-inf}`):

        air.herd @h ... {
          %r = arith.shrsi %x, %c4 : i32
          %n = arith.trunci %r : i32 to i8

    After:

        air.herd @h ... {
          %w = arith.extsi %x : i32 to i64
          %s = arith.addi %w, %c8 : i64
          %q = arith.shrsi %s, %c4_0 : i64
          %r = arith.trunci %q : i64 to i32
          %l = arith.maxsi %r, %c-128 : i32
          %h = arith.minsi %l, %c127 : i32
          %n = arith.trunci %h : i32 to i8
    """

    name = "round-right-shifts"
    works_on = ("arith.shrsi",)
    anchor = "builtin.module"
    mode: Literal["hardware", "positive-inf", "conv-even"] = "hardware"
    """How halves are rounded; hardware decides for each herd."""

    def run(self, op: AnyOp, /) -> None:
        for herd in walk_named(op, "air.herd"):
            shifts = [s for s in walk_named(herd, "arith.shrsi") if _is_rounded(s)]
            if not shifts:
                continue
            even = self.mode == "conv-even" or (self.mode == "hardware" and _multiplies_bf16(herd))
            for shift in shifts:
                _round(shift, even=even)


def _is_rounded(shift: ir.Operation) -> bool:
    """Whether the tool chain lowers it to shift-round-saturate: scalars, and vectors by a constant."""
    kind = shift.operands[0].type
    if isinstance(kind, ir.VectorType):
        return str(kind.element_type) == "i32" and kind.has_static_shape and _constant_shift(shift) is not None
    return str(kind) == "i32"


def _constant_shift(shift: ir.Operation) -> int | None:
    """The constant number of bits of the shift; None if it is not constant."""
    by = shift.operands[1]
    if not isinstance(by.type, ir.VectorType):
        return constant_of(by)
    owner = defining_op(by, "arith.constant")
    if owner is None:
        return None
    value: Any = owner.attributes["value"]
    return int(value.get_splat_value().value) if isinstance(value, ir.DenseElementsAttr) and value.is_splat else None


def _multiplies_bf16(herd: ir.Operation) -> bool:
    for op in walk_named(herd, *_CONTRACTIONS):
        kinds = [str(getattr(v.type, "element_type", v.type)) for v in list(op.operands)[:2]]
        reduces = op.name != "linalg.generic" or "reduction" in str(op.attributes["iterator_types"])
        if len(kinds) == 2 and kinds == ["bf16", "bf16"] and reduces:
            return True
    return False


def _round(shift: ir.Operation, *, even: bool) -> None:
    amount = _constant_shift(shift)
    if amount is not None and not 0 < amount < 32:
        return
    value, by = shift.operands
    kind = value.type
    with ir.InsertionPoint(shift), shift.location:
        wide = _with_element(kind, ir.IntegerType.get_signless(64))
        big = arith.ExtSIOp(wide, value).result
        far = arith.ExtSIOp(wide, by).result
        one = _constant(wide, 1)
        half = arith.ShRSIOp(arith.ShLIOp(one, far).result, one).result
        if even:  # half minus 1, plus 1 if the quotient is odd
            is_odd = arith.AndIOp(arith.ShRSIOp(big, far).result, one).result
            none = arith.CmpIOp(arith.CmpIPredicate.eq, far, _constant(wide, 0)).result
            added = arith.AddIOp(arith.SubIOp(half, one).result, is_odd).result
            half = arith.SelectOp(none, _constant(wide, 0), added).result
        rounded = arith.TruncIOp(kind, arith.ShRSIOp(arith.AddIOp(big, half).result, far).result).result
    uses = [use.owner.operation for use in shift.results[0].uses]
    shift.results[0].replace_all_uses_with(rounded)
    shift.erase()
    for user in uses:
        if user.name == "arith.trunci":
            _saturate(user)


def _saturate(cut: ir.Operation) -> None:
    """Clamps numbers to the range of the result of `cut`."""
    value, kind = cut.operands[0], cut.results[0].type
    width = getattr(kind, "element_type", kind).width
    if width not in (8, 16):
        return
    with ir.InsertionPoint(cut), cut.location:
        low = arith.MaxSIOp(value, _constant(value.type, -(1 << (width - 1)))).result
        cut.operands[0] = arith.MinSIOp(low, _constant(value.type, (1 << (width - 1)) - 1)).result


def _with_element(kind: ir.Type, element: ir.Type) -> ir.Type:
    return ir.VectorType.get(kind.shape, element) if isinstance(kind, ir.VectorType) else element


def _constant(kind: ir.Type, number: int) -> ir.Value:
    if not isinstance(kind, ir.VectorType):
        return arith.ConstantOp(kind, number).result
    splat = ir.DenseElementsAttr.get_splat(kind, ir.IntegerAttr.get(kind.element_type, number))
    return arith.ConstantOp(kind, splat).result
