"""Built-in kernels with the names of mlir-aie's `aie_kernels`, found by name and argument types.

Their cycles follow sources.md#timing. Elementwise kernels are limited by one store or two loads per cycle (mlir-aie's golden
trace of vector_scalar_mul has two cycles for 32 lanes of i16, as here). Matrix products work on blocks of C in accumulators,
as `library_matmul.vectorized_cycles` counts. `scalar` in a name means one operation per cycle.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from allo_air.core_model.machine import Machine
from allo_air.sim.cores import library_cascade as cascade
from allo_air.sim.cores import library_elementwise as elementwise
from allo_air.sim.cores.kernel import Kernel, Signature
from allo_air.sim.cores.library_matmul import matmul, matvec


@dataclass(frozen=True)
class Family:
    """Kernels whose names match `pattern` and whose first `memrefs` arguments are memrefs, followed by numbers, if any."""

    pattern: str
    memrefs: int
    make: Callable[[Signature, Machine, bool], Kernel]


def find(signature: Signature, machine: Machine) -> Kernel | None:
    """The built-in kernel for an external function, or None."""
    kinds = [a.kind for a in signature.arguments]
    memrefs = kinds.count("memref")
    if kinds[:memrefs] != ["memref"] * memrefs or signature.results or any(a.dynamic for a in signature.arguments):
        return None
    for family in FAMILIES:
        if family.memrefs == memrefs and re.fullmatch(family.pattern, signature.name):
            return family.make(signature, machine, "scalar" not in signature.name.removeprefix("vector_scalar"))
    return None


_KINDS = "(i8|i16|i32|bf16|f32|f16|int8|int16|int32|uint8|bfloat16|float)"
_HOW = "(_scalar|_vector|_vectorized)?"
_TWO = "(eltwise|vector|vector_vector)_v?"
FAMILIES = (
    Family(f"zero{_HOW}(_{_KINDS})?{_HOW}", 1, elementwise.zero),
    Family(rf"passThrough(Line|Tile)(_{_KINDS})?", 2, elementwise.unary(elementwise.copy, 0)),
    Family(f"(vector_scalar_mul|scale)(_aie)?(_{_KINDS})?{_HOW}", 3, elementwise.scale),
    Family(f"{_TWO}add(_{_KINDS})?{_HOW}", 3, elementwise.binary(np.add)),
    Family(f"{_TWO}sub(_{_KINDS})?{_HOW}", 3, elementwise.binary(np.subtract)),
    Family(f"{_TWO}mul(_{_KINDS})?{_HOW}", 3, elementwise.binary(np.multiply)),
    Family(f"(compute|{_TWO})_?max(_{_KINDS})?{_HOW}", 3, elementwise.binary(np.maximum)),
    Family(f"(compute|{_TWO})_?min(_{_KINDS})?{_HOW}", 3, elementwise.binary(np.minimum)),
    Family(f"bitwise(AND|And)(Line|Tile)(_{_KINDS})?", 3, elementwise.binary(np.bitwise_and)),
    Family(f"bitwise(OR|Or)(Line|Tile)(_{_KINDS})?", 3, elementwise.binary(np.bitwise_or)),
    Family(f"row_wise_bias_add(_{_KINDS}_{_KINDS})?", 3, elementwise.rowwise(np.add)),
    Family(f"reduce_add{_HOW}(_{_KINDS})?", 2, elementwise.reduce(elementwise.wrapping_sum)),
    Family(f"reduce_max{_HOW}(_{_KINDS})?", 2, elementwise.reduce(np.max)),
    Family(f"reduce_min{_HOW}(_{_KINDS})?", 2, elementwise.reduce(np.min)),
    Family(f"(exp(_{_KINDS})?(_1024)?|{_KINDS}_exp)", 2, elementwise.unary(np.exp, 8)),
    Family(f"({_KINDS}_)?relu(_{_KINDS})?", 2, elementwise.unary(elementwise.relu, 1)),
    Family(f"softmax(_{_KINDS})?", 2, elementwise.unary(elementwise.softmax, 12)),
    Family(f"matmul{_HOW}(_[0-9x]+)?_{_KINDS}_{_KINDS}", 3, matmul),
    *(
        Family(f"matmul_scalar_cascade_{part}_{_KINDS}_{_KINDS}", 3, cascade.matmul(part))
        for part in ("put_only", "put_get", "get_only")
    ),
    Family(f"matvec_scalar_{_KINDS}_{_KINDS}", 3, matvec),
)
"""The known kernels. The 8 and 12 vector operations per 512 bits of exp and softmax are assumptions: a table look-up and a few
multiplications each.
"""
