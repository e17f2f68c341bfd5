# mypy: ignore-errors
# ruff: noqa: F821
"""Matrix products for the array: regions for any size that the mapping divides."""

from typing import Any

import allo_air as allo
import allo_air.dataflow as df
from allo_air.errors import AlloAirError, counted
from allo_air.frontend.memory import Layout
from allo_air.frontend.types import Stream

S = Layout.Shard


def GEMM(
    M: int, N: int, K: int, Pm: int, Pn: int, Pk: int, TyI: Any, TyO: Any, col_num: int = 4, row_num: int = 4
) -> tuple[Any, list[tuple[str, list[Any]]]]:
    """C (MxN of TyO) = A (MxK of TyI) B (KxN): returns a region of Pk x Pm x Pn kernels, and the mapping primitives to build it
    with.

    Partial sums over K go from kernel to kernel. The list of primitives is empty, since `df.build` folds a region with more
    kernels than the array has cores. `col_num` and `row_num` are accepted for programs that pass them.
    """
    for size, parts, name in ((M, Pm, "M"), (N, Pn, "N"), (K, Pk, "K")):
        if parts < 1 or size % parts:
            raise AlloAirError(f"{name} = {size} is not divided by its {counted(parts, 'part')}")
    Mt, Nt = M // Pm, N // Pn

    @df.region()
    def top(A: TyI[M, K], B: TyI[K, N], C: TyO[M, N]):
        pipe: Stream[TyO[Mt, Nt], 2][max(Pk - 1, 1), Pm, Pn]

        @df.kernel(mapping=[Pk, Pm, Pn], args=[A, B, C])
        def gemm(a: TyI[M, K] @ [S(1), S(0)], b: TyI[K, N] @ [S(0), S(2)], c: TyO[M, N] @ [S(1), S(2)]):
            pk, pm, pn = df.get_pid()
            total: TyO[Mt, Nt] = 0
            with allo.meta_if(pk > 0):
                total[:, :] = pipe[pk - 1, pm, pn].get()
            total[:, :] = allo.add(allo.matmul(a, b), total)
            with allo.meta_if(pk < Pk - 1):
                pipe[pk, pm, pn].put(total)
            with allo.meta_else():
                c[:, :] = total

    return top, gen_gemm_mapping_primitive(Pm, Pn, Pk, col_num, row_num)


def gen_gemm_mapping_primitive(Pm: int, Pn: int, Pk: int, col_num: int = 4, row_num: int = 4) -> list[tuple[str, list[Any]]]:
    """The primitives that fold Pk x Pm x Pn kernels onto an array: an empty list, since `df.build` finds them for the
    device.
    """
    del Pm, Pn, Pk, col_num, row_num
    return []
