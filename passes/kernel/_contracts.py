"""Verdicts on vector.contract: docs/sources.md#core-kernels and docs/sources.md#vector-kernels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from allo_air.dialects.mac import PLAIN
from allo_air.passes.kernel._factors import adds, loops_of
from allo_air.passes.kernel._form import Verdict, element_of, refused

INTEGERS = {
    ("AIE2", "i8", "i32", (4, 8, 8)): (False, True),
    ("AIE2", "i16", "i32", (4, 2, 8)): (False, True),
    ("AIE2", "i16", "i64", (4, 4, 4)): (False, True),
    ("AIE2p", "i8", "i32", (8, 8, 8)): (True, True),
    ("AIE2p", "i16", "i32", (8, 2, 8)): (False, False),
}
"""Contractions of integers that become MAC instructions, M x K x N, and whether these take A and B as signed (16-bit sums of 64
bits: taken to be as those of 32)."""

BF16 = {"AIE2": ((4, 8, 4),), "AIE2p": ((8, 8, 4), (4, 8, 4), (8, 8, 8), (4, 8, 8))}
_EXTENSIONS = {"arith.extsi": True, "arith.extui": False, "arith.extf": True}


def verdicts(op: Any, arch: str) -> Iterator[Verdict]:
    """What the tool chain makes of a contraction other than the IR says."""
    maps = [loops_of(m.value) for m in op.attributes["indexing_maps"]]
    shapes = [_matrix(v.type.shape) for v in list(op.operands)[:3]]
    first, second, _ = shapes if len(shapes) == 3 else (None, None, None)
    if first is None or second is None or not adds(op):
        yield refused("write one product of two matrices, added up, for each micro-tile")
        return
    if all(len(v.type.shape) == 2 for v in list(op.operands)[:3]) and maps != [*PLAIN]:
        if not (arch == "AIE2" and maps == [PLAIN[0], (1, 2), PLAIN[2]] and _factor(op.operands[1])[0] == "bf16"):
            yield refused("transpose the factor before, and use the maps (m, k), (k, n), (m, n)")
            return
        second = (second[1], second[0])
    (m, k), (_, n) = first, second
    (a, signed_a), (b, signed_b) = (_factor(v) for v in list(op.operands)[:2])
    total = element_of(op.operands[2].type)
    if a == b == "bf16" and total == "f32" and (m, k, n) in BF16[arch]:
        return
    taken = INTEGERS.get((arch, a, total, (m, k, n))) if a == b else None
    if taken is None:
        known = [f"{e} {'x'.join(map(str, s))}" for (where, e, _, s) in INTEGERS if where == arch]
        known += [f"bf16 {'x'.join(map(str, s))}" for s in BF16[arch]]
        yield refused(f"the factors must be extended to the sum's type; {arch} has MxKxN {', '.join(known)}")
    elif taken != (signed_a, signed_b):
        words = ["signed" if s else "unsigned" for s in (signed_a, signed_b, *taken)]
        yield Verdict(
            "wrong",
            f"multiplies {words[0]} A by {words[1]} B, and becomes a MAC of {words[2]} A by {words[3]} B",
            "run signed-contractions (AIE2) or unsigned-contractions (i16 on AIE2p), or call a kernel"
            if a == "i16" or arch == "AIE2"
            else "extend to i16 first, or call a kernel",
        )


def _matrix(shape: Any) -> tuple[int, int] | None:
    """Rows and columns of a factor, whose leading dimensions of size 1 are dropped."""
    sizes = list(shape)
    while len(sizes) > 2 and sizes[0] == 1:
        sizes.pop(0)
    return (sizes[0], sizes[1]) if len(sizes) == 2 else None


def _factor(value: Any) -> tuple[str, bool]:
    """The type of a factor before its extension, and whether that keeps the sign."""
    owner = getattr(value.owner, "name", "")
    if owner not in _EXTENSIONS:
        return f"{element_of(value.type)} without an extension", True
    return element_of(value.owner.operands[0].type), _EXTENSIONS[owner]
