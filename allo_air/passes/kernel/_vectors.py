"""Legality of other operations of the vector dialect (docs/sources.md#vector-kernels)."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from allo_air.arch import core_of
from allo_air.mlir import ir
from allo_air.passes._analysis.element_types import bit_width, element_of
from allo_air.passes.kernel._op_signature import Legality, lanes_of, lowered_to_scalars, not_lowered

_SHUFFLE_TRANSPOSES = {8: ((4, 16), (16, 4), (8, 8)), 16: ((2, 16), (16, 2), (4, 8), (8, 4)), 32: ((4, 4),)}
"""By the bits of an element: the 512-bit matrices that AIE2 transposes by one shuffle."""


def legality_of(op: ir.Operation, arch: str) -> Iterator[Legality]:
    """Yields each defect of the tool chain's lowering of a vector operation."""
    rule = _RULES.get(op.name)
    result = None if rule is None else rule(op, arch)
    if result is not None:
        yield result


def _reduction(op: ir.Operation, arch: str) -> Legality | None:
    kind = str(op.attributes["kind"])
    source = op.operands[0].type
    element, lanes = element_of(source), lanes_of(source)
    bits, accumulates = lanes * bit_width(element), len(op.operands) > 1
    signless = element[0] == "i"
    if "<minui>" in kind or "<maxui>" in kind:
        return Legality("wrong", "becomes the signed reduction", "use scalars") if bits == 512 else None
    if "<add>" in kind:
        if element == "f32" and lanes == 32:
            return not_lowered("add the halves first")
        full = signless and (bits == 512 or (element == "i32" and lanes == 32))
        return not_lowered("add halves by vector.shuffle and arith.addi, or scalars") if full else None
    if any(word in kind for word in ("<minsi>", "<maxsi>")):
        if (bits == 512 and accumulates) or (element == "i32" and lanes == 32):
            return not_lowered("reduce 512 bits without an accumulator")
        return None
    if "f>" in kind and element == "f32" and lanes in (16, 32):
        return not_lowered("reduce in bf16")
    return None if any(word in kind for word in ("min", "max")) else lowered_to_scalars("stays a generic reduction")


def _multi_reduction(op: ir.Operation, arch: str) -> Legality | None:
    return not_lowered("run lower-vector-multi-reduction before")


def has_transpose_instruction(kind: ir.VectorType, arch: str) -> bool:
    """Whether `arch` has an instruction that transposes a matrix of that type."""
    return core_of(arch).forms.transposes and _fills_register(kind)


def _fills_register(kind: ir.VectorType) -> bool:
    """Whether a matrix has a shape that a shuffle can transpose, on architectures with such an instruction."""
    return tuple(kind.shape) in _SHUFFLE_TRANSPOSES.get(bit_width(element_of(kind)), ())


def _transpose(op: ir.Operation, arch: str) -> Legality | None:
    kind = op.operands[0].type
    if list(op.attributes["permutation"]) == sorted(op.attributes["permutation"]) or has_transpose_instruction(kind, arch):
        return None
    message = f"becomes an instruction of AIE2, which {arch} does not have" if _fills_register(kind) else ""
    return not_lowered("write it as vector.shuffle of one dimension", message)


def _slice(op: ir.Operation, arch: str) -> Legality | None:
    whole, part = op.operands[0].type, op.results[0].type
    if len(whole.shape) != 1:
        return None
    bits = lanes_of(whole) * bit_width(element_of(whole))
    half = 2 * lanes_of(part) == lanes_of(whole)
    if half and bits == 1024:
        return None
    return not_lowered("write it as vector.shuffle") if bits in (512, 1024) else None


def _broadcast(op: ir.Operation, arch: str) -> Legality | None:
    owner = getattr(op.operands[0].owner, "name", "")
    return not_lowered("load the element (memref.load) and broadcast it") if owner == "vector.extract" else None


def _fma(op: ir.Operation, arch: str) -> Legality | None:
    kind = op.results[0].type
    lanes, element = prod(kind.shape), element_of(kind)
    if element == "bf16" and lanes in (16, 32):
        return None
    extended = all(getattr(v.owner, "name", "") == "arith.extf" for v in list(op.operands)[:2])
    if element == "f32" and lanes == 16 and extended:
        return None
    return (
        not_lowered("multiply 16 lanes of bf16, extended to f32")
        if element == "f32" and lanes in (16, 32)
        else lowered_to_scalars("stays a generic vector operation")
    )


def _has_no_form(op: ir.Operation, arch: str) -> Legality | None:
    return lowered_to_scalars("has no AIE form, and stays a generic vector operation")


_RULES = {
    "vector.reduction": _reduction,
    "vector.multi_reduction": _multi_reduction,
    "vector.transpose": _transpose,
    "vector.extract_strided_slice": _slice,
    "vector.broadcast": _broadcast,
    "vector.fma": _fma,
    **dict.fromkeys(
        ("vector.gather", "vector.scatter", "vector.maskedload", "vector.maskedstore", "vector.step", "vector.outerproduct"),
        _has_no_form,
    ),
    **dict.fromkeys(("vector.expandload", "vector.compressstore", "vector.scan"), _has_no_form),
}
