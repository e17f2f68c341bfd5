"""Products of tiles."""

from __future__ import annotations

from typing import Any

import numpy as np

from allo_air.aie.building.errors import IronMissing, IronValueError
from allo_air.aie.iron.current import get_current_device
from allo_air.aie.iron.kernel import ExternalFunction
from allo_air.aie.iron.kernels.library import array, c_type, element, kernel
from allo_air.dtypes import element_of

MAC_DIMS = {
    "AIE2": {"i8": (4, 8, 8), "i16": (4, 4, 4), "bf16": (4, 8, 4)},
    "AIE2p": {"i8": (8, 8, 8), "i16": (4, 4, 8), "bf16": (4, 8, 8)},
}
"""R, S, T of the matrix instruction, by architecture and type."""
_RESULTS = {"i8": ("i8", "i16", "i32"), "i16": ("i16", "i32"), "bf16": ("bf16", "f32")}


class Matmul(ExternalFunction):
    """A product's kernel; `zero` clears the accumulator, `mac_dims` are the blocks that operands come in."""

    zero: ExternalFunction
    mac_dims: tuple[int, int, int]


def mm(
    dim_m: int = 64, dim_k: int = 64, dim_n: int = 64, input_dtype: Any = np.int16, output_dtype: Any = None, *,
    vectorized: bool = True, b_col_maj: bool = False, c_col_maj: bool = False, use_chess: bool = False,
    emulate_bf16_mmul_with_bfp16: bool = False,
) -> Matmul:  # fmt: skip
    """(a, b, c), flat: c += a b, operands in blocks of `mac_dims`.

    With `b_col_maj` and `c_col_maj` blocks, and the elements inside of them, go down columns first. `use_chess` names the
    compiler of an NPU's tools, and changes nothing here.
    """
    if emulate_bf16_mmul_with_bfp16:
        raise IronMissing("kernels.mm: emulate_bf16_mmul_with_bfp16 is not there yet")
    kind = element(input_dtype, ("i8", "i16", "bf16"), "mm")
    of_c = element_of(output_dtype) if output_dtype is not None else _RESULTS[kind][-1]
    if of_c not in _RESULTS[kind]:
        raise IronValueError(f"kernels.mm: {kind} does not go to {of_c}; there are {', '.join(_RESULTS[kind])}")
    r, s, t = dims = MAC_DIMS[get_current_device().arch][kind] if vectorized else (1, 1, 1)
    for size, unit, name in ((dim_m, r, "dim_m"), (dim_k, s, "dim_k"), (dim_n, t, "dim_n")):
        if size % unit:
            raise IronValueError(f"kernels.mm: {name} is {size}, no multiple of {unit}")
    shape = {"DIM_M": dim_m, "DIM_K": dim_k, "DIM_N": dim_n, "BLOCK_R": r, "BLOCK_S": s, "BLOCK_T": t}
    flags = {n: None for n, on in (("B_COL_MAJ", b_col_maj), ("C_COL_MAJ", c_col_maj)) if on}
    macros = {**shape, **flags, "OF_AB": c_type(kind), "OF_C": c_type(of_c), "ACCUMULATOR": "accauto"}
    types = [array(kind, dim_m * dim_k), array(kind, dim_k * dim_n), array(of_c, dim_m * dim_n)]
    made = kernel(f"matmul_{kind}_{of_c}", "matmul.cc", macros, types)
    return _with_zero(made, of_c, dim_m * dim_n, dims)


def mv(dim_m: int = 32, dim_k: int = 32) -> Matmul:
    """(A, b, c): c += A b, i16 to i32."""
    macros = {"MV": None, "DIM_M": dim_m, "DIM_K": dim_k, "OF_AB": "int16_t", "OF_C": "int32_t"}
    types = [array("i16", dim_m * dim_k), array("i16", dim_k), array("i32", dim_m)]
    return _with_zero(kernel("matvec_vectorized_i16_i32", "matmul.cc", macros, types), "i32", dim_m, (1, 1, 1))


def _with_zero(made: ExternalFunction, kind: str, count: int, dims: tuple[int, int, int]) -> Matmul:
    made.__class__ = Matmul
    assert isinstance(made, Matmul)
    macros = {"ZERO": None, "OF_C": c_type(kind), "COUNT": count}
    made.zero = kernel(f"zero_{kind}", "matmul.cc", macros, [array(kind, count)])
    made.mac_dims = dims
    return made
