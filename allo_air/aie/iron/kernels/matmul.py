"""Products of tiles."""

from __future__ import annotations

import numpy as np

from allo_air.aie.building.errors import IronValueError
from allo_air.aie.iron.current import get_current_device
from allo_air.aie.iron.kernel import ExternalFunction
from allo_air.aie.iron.kernels.library import array, c_type, element, kernel
from allo_air.arch import core_of
from allo_air.dtypes import element_of

MAC_DIMS = {
    "AIE2": {"i8": (4, 8, 8), "i16": (4, 4, 4), "bf16": (4, 8, 4)},
    "AIE2p": {"i8": (8, 8, 8), "i16": (4, 4, 8), "bf16": (4, 8, 8)},
}
"""R, S, T of the matrix instruction, by architecture and type."""
_RESULTS = {"i8": ("i8", "i16", "i32"), "i16": ("i16", "i32"), "bf16": ("bf16", "f32")}


class Matmul(ExternalFunction):
    """A kernel of a matrix product; `zero` clears the accumulator, `mac_dims` are the block sizes of the operands."""

    zero: ExternalFunction
    mac_dims: tuple[int, int, int]


class CascadeMatmul(Matmul):
    """A part of a product whose sums move over the cascade, with the kernels of the other parts."""

    put_only: Matmul
    put_get: Matmul
    get_only: Matmul


def mm(
    dim_m: int = 64, dim_k: int = 64, dim_n: int = 64, input_dtype: object = np.int16, output_dtype: object = None, *,
    vectorized: bool = True, b_col_maj: bool = False, c_col_maj: bool = False, use_chess: bool = False,
    emulate_bf16_mmul_with_bfp16: bool = False,
) -> Matmul:  # fmt: skip
    """(a, b, c), flat: c += a b, operands in blocks of `mac_dims`.

    With `b_col_maj` and `c_col_maj`, blocks and the elements inside them are column-major. `use_chess` selects the compiler
    of an NPU's tools, and has no effect. `emulate_bf16_mmul_with_bfp16` (npu2) uses the larger blocks of block floating
    point, but multiplies in bf16, which is more exact.
    """
    kind = element(input_dtype, ("i8", "i16", "bf16"), "mm")
    of_c = element_of(output_dtype) if output_dtype is not None else _RESULTS[kind][-1]
    if of_c not in _RESULTS[kind]:
        raise IronValueError(f"kernels.mm: {kind} does not go to {of_c}; there are {', '.join(_RESULTS[kind])}")
    r, s, t = dims = MAC_DIMS[get_current_device().arch][kind] if vectorized else (1, 1, 1)
    if emulate_bf16_mmul_with_bfp16 and vectorized:
        if kind != "bf16" or not core_of(get_current_device().arch).has_blocks:
            raise IronValueError("kernels.mm: emulate_bf16_mmul_with_bfp16 is for bf16 on npu2")
        r, s, t = dims = (8, 8, 8)
    for size, unit, name in ((dim_m, r, "dim_m"), (dim_k, s, "dim_k"), (dim_n, t, "dim_n")):
        if size % unit:
            raise IronValueError(f"kernels.mm: {name} is {size}, not a multiple of {unit}")
    shape = {"DIM_M": dim_m, "DIM_K": dim_k, "DIM_N": dim_n, "BLOCK_R": r, "BLOCK_S": s, "BLOCK_T": t}
    flags = {n: None for n, on in (("B_COL_MAJ", b_col_maj), ("C_COL_MAJ", c_col_maj)) if on}
    macros = {**shape, **flags, "OF_AB": c_type(kind), "OF_C": c_type(of_c), "ACCUMULATOR": "accauto"}
    types = [array(kind, dim_m * dim_k), array(kind, dim_k * dim_n), array(of_c, dim_m * dim_n)]
    result = kernel(f"matmul_{kind}_{of_c}", "matmul.cc", macros, types)
    return _with_zero(result, of_c, dim_m * dim_n, dims)


def mv(
    dim_m: int = 32, dim_k: int = 32, input_dtype: object = np.int16, output_dtype: object = np.int32, vectorized: bool = True
) -> Matmul:
    """(A, b, c): c += A b, i16 to i32; if vectorized, A is stored in pairs of columns, [k / 2][m][2]."""
    kinds = element(input_dtype, ("i16",), "mv"), element(output_dtype, ("i32",), "mv")
    macros = {"MV": None, "DIM_M": dim_m, "DIM_K": dim_k, "OF_AB": "int16_t", "OF_C": "int32_t"}
    if vectorized:
        if dim_k % 2:
            raise IronValueError(f"kernels.mv: dim_k is {dim_k}, expected an even number")
        macros["PAIRS"] = None
    types = [array(kinds[0], dim_m * dim_k), array(kinds[0], dim_k), array(kinds[1], dim_m)]
    symbol = f"matvec_{'vectorized' if vectorized else 'scalar'}_i16_i32"
    return _with_zero(kernel(symbol, "matmul.cc", macros, types), "i32", dim_m, (1, 1, 1))


_CASCADES = {"put_only": ("PUT",), "put_get": ("PUT", "GET"), "get_only": ("GET",)}


def cascade_mm(
    mode: str = "put_get", dim_m: int = 16, dim_k: int = 16, dim_n: int = 16, input_dtype: object = np.int16,
    output_dtype: object = np.int32,
) -> CascadeMatmul:  # fmt: skip
    """(a, b, c), row by row: a core's part of c += a b. `mode` says whether the core gets sums from its neighbour and puts
    sums to the next one: the first core is "put_only", those in the middle are "put_get", and the last one, which writes c,
    is "get_only". Each kernel has the others, and `zero`, as attributes.
    """
    if mode not in _CASCADES:
        raise IronValueError(f"kernels.cascade_mm: mode is {mode!r}; there are {', '.join(_CASCADES)}")
    kind = element(input_dtype, ("i8", "i16", "bf16"), "cascade_mm")
    of_c = element(output_dtype, ("i16", "i32", "bf16", "f32"), "cascade_mm")
    if dim_m * dim_n % 16:
        raise IronValueError(f"kernels.cascade_mm: {dim_m} x {dim_n} sums; expected a multiple of 16")
    shape = {"DIM_M": dim_m, "DIM_K": dim_k, "DIM_N": dim_n, "OF_AB": c_type(kind), "OF_C": c_type(of_c)}
    shape["OF_SUM"] = "float" if kind == "bf16" else "int32_t"
    types = [array(kind, dim_m * dim_k), array(kind, dim_k * dim_n), array(of_c, dim_m * dim_n)]
    results = {}
    for name, flags in _CASCADES.items():
        symbol = f"matmul_scalar_cascade_{name}_{kind}_{of_c}"
        cascade_matmul = kernel(symbol, "cascade.cc", {**shape, **dict.fromkeys(flags)}, types)
        results[name] = _with_zero(cascade_matmul, of_c, dim_m * dim_n, (1, 1, 1))
    for each in results.values():
        each.__class__ = CascadeMatmul
        vars(each).update(results)
    cascade_matmul = results[mode]
    assert isinstance(cascade_matmul, CascadeMatmul)
    return cascade_matmul


def _with_zero(product: ExternalFunction, kind: str, count: int, dims: tuple[int, int, int]) -> Matmul:
    product.__class__ = Matmul
    assert isinstance(product, Matmul)
    macros = {"ZERO": None, "OF_C": c_type(kind), "COUNT": count}
    product.zero = kernel(f"zero_{kind}", "matmul.cc", macros, [array(kind, count)])
    product.mac_dims = dims
    return product
