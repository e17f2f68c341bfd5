"""Legality of arith operations. Each rule was found by running mlir-aie's lowering (docs/sources.md#vector-kernels)."""

from __future__ import annotations

from collections.abc import Callable

from allo_air.arch import core_of
from allo_air.passes.kernel._op_signature import Legality, OpSignature, lowered_to_scalars, not_lowered

Rule = Callable[[OpSignature, str], Legality | None]
FULL = 512
"""Bits of a vector register."""

_UNSIGNED = range(6, 10)  # arith.cmpi: ult, ule, ugt, uge
_NO_SCALE = "scale in bf16, or with scalar code"
_GENERIC = "stays a generic vector operation, for which Peano has no rule"


def _subi(form: OpSignature, arch: str) -> Legality | None:
    if form.bits == FULL or (form.source == "i32" and form.lanes == 32):
        return not_lowered("add a negated constant, or use scalars")
    if form.lanes and not core_of(arch).forms.differences:
        return not_lowered("add a negated constant, or use scalars", f"has no vector form on {arch}")
    return None


def _muli(form: OpSignature, arch: str) -> Legality | None:
    is_supported = ("i8", 32), ("i16", 32), ("i32", 16)
    if not core_of(arch).forms.products:
        return not_lowered("use a vector.contract, or scalars") if (form.source, form.lanes) in is_supported else None
    if (form.source, form.lanes) == ("i32", 32):
        return not_lowered("use 16 lanes", "crashes mlir-aie's lowering")
    if (form.source, form.lanes) in is_supported:
        return Legality("depends", "saturates where the product does not fit, instead of wrapping", "keep products in range")
    return None


def _addi(form: OpSignature, arch: str) -> Legality | None:
    if form.lanes and form.bits != FULL and form.source != "index" and not core_of(arch).forms.short_sums:
        return not_lowered(f"use vectors of {FULL} bits", f"{_GENERIC} except for {FULL} bits")
    return None


def _full(instead: str) -> Rule:
    return lambda form, arch: not_lowered(instead) if form.lanes and form.bits == FULL else None


def _shrsi(form: OpSignature, arch: str) -> Legality | None:
    if form.lanes:
        return not_lowered("shift scalars of type index, or before a trunci by a constant") if form.bits == FULL else None
    if form.source == "i32":
        return Legality(
            "wrong", "rounds by the core's rounding mode instead of down", "shift an index (arith.index_cast), or an i16"
        )
    return None


def _scalar_extreme(form: OpSignature, arch: str) -> Legality | None:
    if form.lanes or form.source not in ("i8", "i16", "i32"):
        return None
    return lowered_to_scalars("goes through two broadcasts and a vector", "compare and select, or use vectors")


def _negf(form: OpSignature, arch: str) -> Legality | None:
    return not_lowered("subtract from a zero constant") if form.lanes == 16 and form.source in ("bf16", "f32") else None


def _mulf(form: OpSignature, arch: str) -> Legality | None:
    if form.source != "f32" or not form.lanes:
        return None
    has_products = core_of(arch).forms.f32_products
    if form.lanes == 16:
        return None if has_products else not_lowered(_NO_SCALE)
    return not_lowered("use 16 lanes" if has_products else _NO_SCALE, _GENERIC)


def _extreme(form: OpSignature, arch: str) -> Legality | None:
    if form.source == "bf16" and form.lanes in (16, 32):
        return not_lowered("write arith.minimumf") if form.name == "arith.minnumf" else None
    if form.source == "f32" and form.lanes == 16:
        return not_lowered(
            "bitcast to i32 and use arith.maxsi or arith.minsi, which is right where one side is not negative, or use bf16"
        )
    return None


def _cmpi(form: OpSignature, arch: str) -> Legality | None:
    if form.source == "i8" and form.lanes == 64:
        return not_lowered("use i16 at 32 lanes")
    is_compared = (form.source, form.lanes) in (("i16", 16), ("i16", 32), ("i32", 16))
    if is_compared and form.predicate in _UNSIGNED:
        return Legality("wrong", "becomes a signed comparison", "compare as signed with both sides offset, or use scalars")
    return None


def _cmpf(form: OpSignature, arch: str) -> Legality | None:
    if form.source == "f32" and form.lanes == 16:
        return not_lowered("bitcast to i32 and compare there, or use bf16")
    return None


def _select(form: OpSignature, arch: str) -> Legality | None:
    return not_lowered("bitcast both values to i32 and select there") if (form.source, form.lanes) == ("f32", 16) else None


def _divf(form: OpSignature, arch: str) -> Legality | None:
    return lowered_to_scalars("divides lane by lane", "multiply by a reciprocal") if form.lanes else None


def _library(form: OpSignature, arch: str) -> Legality | None:
    return lowered_to_scalars("becomes a library call for each lane") if form.lanes else None


def _extsi(form: OpSignature, arch: str) -> Legality | None:
    if form.source == "i8" and form.lanes == 16 and form.result in ("i16", "i32", "i64"):
        return Legality("wrong", "reads the bits of i8 lanes as i16", "extend 32 lanes at a time")
    narrow = not core_of(arch).forms.wide_casts
    if form.lanes == 64 and narrow and (form.source, form.result) in (("i8", "i16"), ("i8", "i32"), ("i16", "i32")):
        return not_lowered("extend 32 lanes at a time")
    wide = form.result == "i64" and form.lanes == 32
    if wide and (form.source == "i32" or (form.source == "i16" and narrow)):
        return not_lowered("extend 16 lanes at a time")
    return None


def _trunci(form: OpSignature, arch: str) -> Legality | None:
    lane_counts = core_of(arch).forms.truncated.get((form.source, form.result))
    if lane_counts is None or form.lanes not in (16, 32, 64):
        return None
    if form.lanes not in lane_counts:
        return not_lowered(f"truncate {' or '.join(map(str, lane_counts))} lanes at a time, or scalars")
    return Legality(
        "depends",
        "saturates where the value does not fit, instead of wrapping",
        "clamp before (arith.maxsi, arith.minsi), or truncate scalars",
    )


def _float_cast(form: OpSignature, arch: str) -> Legality | None:
    pair = {form.source, form.result} == {"bf16", "f32"}
    wide = pair and form.lanes == 64
    return not_lowered("convert 32 lanes at a time") if wide and not core_of(arch).forms.wide_casts else None


RULES: dict[str, Rule] = {
    "arith.addi": _addi,
    "arith.subi": _subi,
    "arith.muli": _muli,
    "arith.andi": _full("use 256 or 1024 bits, or scalars"),
    "arith.ori": _full("use 256 or 1024 bits, or scalars"),
    "arith.xori": _full("use other lengths, or scalars"),
    "arith.shrsi": _shrsi,
    "arith.maxsi": _scalar_extreme,
    "arith.minsi": _scalar_extreme,
    "arith.negf": _negf,
    "arith.mulf": _mulf,
    **dict.fromkeys(("arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf"), _extreme),
    "arith.cmpi": _cmpi,
    "arith.cmpf": _cmpf,
    "arith.select": _select,
    "arith.divf": _divf,
    **dict.fromkeys(("arith.sitofp", "arith.uitofp", "arith.fptosi", "arith.fptoui", "arith.remf"), _library),
    "arith.extsi": _extsi,
    "arith.trunci": _trunci,
    **dict.fromkeys(("arith.extf", "arith.truncf"), _float_cast),
}


def verdict(form: OpSignature, arch: str) -> Legality | None:
    """The defect of the tool chain's lowering of an arith operation by itself; None if it is right."""
    rule = RULES.get(form.name)
    return None if rule is None else rule(form, arch)
