"""Legality of vector.contract: docs/sources.md#core-kernels and docs/sources.md#vector-kernels."""

from __future__ import annotations

from collections.abc import Iterator

from allo_air.arch import Core, core_of
from allo_air.dialects.mac import PLAIN
from allo_air.mlir import ir
from allo_air.passes._analysis.element_types import element_of
from allo_air.passes.kernel._factors import adds, loops_of, shape_of
from allo_air.passes.kernel._op_signature import Legality, not_lowered

_EXTENSIONS = {"arith.extsi": True, "arith.extui": False, "arith.extf": True}


def legality_of(op: ir.Operation, arch: str) -> Iterator[Legality]:
    """Yields each defect of the tool chain's lowering of the contraction."""
    maps = [loops_of(m.value) for m in op.attributes["indexing_maps"]]
    shapes = [_matrix(v.type.shape) for v in list(op.operands)[:3]]
    first, second, _ = shapes if len(shapes) == 3 else (None, None, None)
    if first is None or second is None or not adds(op):
        yield not_lowered("write one product of two matrices, added up, for each micro-tile")
        return
    if all(len(v.type.shape) == 2 for v in list(op.operands)[:3]) and maps != [*PLAIN]:
        if not (
            core_of(arch).forms.transposes and maps == [PLAIN[0], (1, 2), PLAIN[2]] and factor(op.operands[1])[0] == "bf16"
        ):
            yield not_lowered("transpose the factor before, and use the maps (m, k), (k, n), (m, n)")
            return
        second = (second[1], second[0])
    (m, k), (_, n) = first, second
    (a, signed_a), (b, signed_b) = (factor(v) for v in list(op.operands)[:2])
    total = element_of(op.operands[2].type)
    contraction = core_of(arch).contraction(a, (m, k, n), total) if a == b else None
    if contraction is None:
        supported = [f"{c.element} {'x'.join(map(str, c.shape))}" for c in core_of(arch).contractions]
        yield not_lowered(f"the factors must be extended to the sum's type; {arch} has MxKxN {', '.join(supported)}")
    elif contraction.signed != (signed_a, signed_b):
        words = ["signed" if s else "unsigned" for s in (signed_a, signed_b, *contraction.signed)]
        yield Legality(
            "wrong",
            f"multiplies {words[0]} A by {words[1]} B, and becomes a MAC of {words[2]} A by {words[3]} B",
            "run signed-contractions (AIE2) or legalize-contractions (i16 on AIE2p), or call a kernel"
            if a == "i16" or core_of(arch).mixes_signs
            else "extend to i16 first, or call a kernel",
        )


def instructions(contract: ir.Operation, core: Core) -> int:
    """The number of instructions of a contraction; one if the core has none for it."""
    if any(len(contract.operands[number].type.shape) != 2 for number in range(2)):
        return 1
    contraction = core.contraction(factor(contract.operands[0])[0], shape_of(contract))
    return contraction.instructions if contraction else 1


def makes_blocks(contract: ir.Operation, core: Core) -> bool:
    """Whether a contraction rounds its factors to blocks with shared exponents."""
    if any(len(contract.operands[number].type.shape) != 2 for number in range(2)):
        return False
    contraction = core.contraction(factor(contract.operands[0])[0], shape_of(contract))
    return contraction is not None and contraction.blocks


def _matrix(shape: list[int]) -> tuple[int, int] | None:
    """Rows and columns of a factor, without leading dimensions of size 1."""
    sizes = list(shape)
    while len(sizes) > 2 and sizes[0] == 1:
        sizes.pop(0)
    return (sizes[0], sizes[1]) if len(sizes) == 2 else None


def factor(value: ir.Value) -> tuple[str, bool]:
    """The type of a factor before its extension, and whether the extension is signed."""
    owner = getattr(value.owner, "name", "")
    if owner not in _EXTENSIONS:
        return f"{element_of(value.type)} without an extension", True
    return element_of(value.owner.operands[0].type), _EXTENSIONS[owner]
