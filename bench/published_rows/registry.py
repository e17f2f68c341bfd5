"""Programs of mlir-air's kernel registry on npu2, compiled by air-npu and estimated, beside what was measured there.

Measurements are of the host's clock around one run, 1.8 GHz, April to September 2026 (mlir-air's kernel_registry; the rows that
are open to this project). Programs here are of the same kind and tiles, not the registry's own texts: the matrix times a vector
is by a kernel of ours. The host waits after each two by two blocks of a product, and after each four of a vector's.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import allo_air
from allo_air.aie_api.kernel import CppKernel

from .air_gemm import fused_cast, gemm
from .air_rows import ADD, GELU, elementwise, gemv, rms_norm
from .row import Row

_FILE = Path(__file__).with_name("registry.cc")


def microseconds(text: str, names: tuple[str, ...] = (), defines: dict[str, object] | None = None, **options: Any) -> float:
    """Of a run of the program, with the launch."""
    program = allo_air.compile(text, pipeline="air-npu", device="npu2", **options)
    kernels = {name: CppKernel(_FILE, defines or {}) for name in names}
    return float(program.estimate(code="compiled", **({"kernels": kernels} if kernels else {})).microseconds)


def product(sizes: tuple[int, int, int], tile: tuple[int, int, int, int], out: str, direct: bool) -> float:
    """Of a matrix product."""
    names = () if direct else (f"zero_{out}", f"matmul_bf16_{out}")
    return _product(gemm(sizes, tile, out, direct=direct), tile, names)


def cast(sizes: tuple[int, int, int], tile: tuple[int, int, int, int]) -> float:
    """Of a matrix product in f32 and of a second configuration that casts it."""
    return _product(fused_cast(sizes, tile), tile, ("zero_f32", "matmul_bf16_f32"))


def _product(text: str, tile: tuple[int, int, int, int], names: tuple[str, ...]) -> float:
    defines: dict[str, object] = {"DIM_M": tile[0], "DIM_K": tile[2], "DIM_N": tile[3]}
    defines["AIE_API_EMULATE_BFLOAT16_MMUL_WITH_BFP16"] = 1
    return microseconds(text, names, defines, runtime_loop_tiling_sizes=(2, 2))


def vector(m: int, k: int, columns: int, tile: int, call: int) -> float:
    """Of a matrix times a vector, after each four blocks of which the host waits: the times show their number's divisors."""
    return microseconds(gemv(m, k, columns, tile, call), ("matvec_bf16", "zero_row"), runtime_loop_tiling_sizes=(4, 4))


ELEMENTS = (
    ("add", ADD, "ab", ((1048576, 8, 1, 2048, 175), (4194304, 8, 1, 2048, 437), (8388608, 8, 1, 2048, 798),
                        (245760, 8, 1, 1920, 112), (4194304, 1, 1, 2048, 2759), (4194304, 2, 1, 2048, 1327),
                        (4194304, 4, 1, 2048, 706), (4194304, 8, 1, 256, 454), (4194304, 8, 1, 512, 448),
                        (4194304, 8, 1, 1024, 444), (4194304, 8, 1, 4096, 440))),
    ("gelu", GELU, "a", ((1048576, 8, 2, 4096, 235), (3145728, 8, 2, 4096, 522), (8388608, 8, 2, 4096, 1244),
                         (3145728, 1, 1, 4096, 7181), (3145728, 2, 1, 4096, 3794), (3145728, 4, 1, 4096, 1834),
                         (3145728, 8, 1, 4096, 947), (3145728, 8, 2, 512, 522), (3145728, 8, 2, 1024, 520),
                         (3145728, 8, 2, 2048, 520), (3145728, 8, 2, 6144, 527))),
)  # fmt: skip
"""Elements, columns, rows of cores, elements of a tile, microseconds."""

ROWS_OF = ((2048, 2048, 8, 911), (2048, 1024, 8, 407), (2048, 128, 8, 155), (2048, 896, 8, 398), (2048, 1536, 8, 570),
           (2048, 2560, 8, 867), (2048, 3072, 8, 1012), (256, 960, 8, 147),
           (2048, 2048, 1, 6801), (2048, 2048, 2, 3426), (2048, 2048, 4, 1788))  # fmt: skip
"""Rows of 2,048 take longer than rows of 2,560: they are of an earlier version of the program."""
VECTORS = ((2048, 2048, 8, 8, 8, 330), (512, 2048, 8, 8, 8, 136), (8192, 2048, 8, 8, 8, 1067), (2048, 8192, 8, 2, 2, 1082),
           (1024, 1024, 8, 8, 8, 147), (128, 896, 8, 16, 16, 84), (4864, 896, 8, 16, 16, 429), (16384, 1536, 8, 16, 16, 1545),
           (2048, 2048, 4, 8, 8, 892), (2048, 2048, 8, 8, 1, 401))  # fmt: skip
HELD_VECTORS = (
    (2048, 1024, 8, 8, 8, 231), (16384, 896, 8, 16, 16, 1031), (896, 4864, 8, 4, 4, 331), (8960, 1536, 8, 16, 16, 1099),
    (1536, 8960, 8, 2, 2, 900), (256, 2048, 8, 8, 8, 104), (11008, 2048, 8, 8, 8, 1414), (2560, 4096, 8, 4, 4, 712),
    (2560, 9728, 8, 2, 2, 1608), (3072, 1024, 8, 16, 16, 277), (3072, 8192, 8, 2, 2, 1710), (8192, 3072, 8, 8, 8, 1563),
)  # fmt: skip
"""Rows that no mechanism was checked with before it was chosen."""
PRODUCTS = (
    ("f32 external", "f32", False, ((512, 512, 512, 32, 256, 150), (1024, 1024, 1024, 64, 256, 343),
                                    (2048, 2048, 512, 64, 256, 585),
                                    (2048, 2048, 2048, 64, 512, 2019), (2048, 8192, 2048, 64, 256, 7014))),
    ("f32 direct", "f32", True, ((512, 512, 512, 32, 256, 175), (1024, 1024, 1024, 64, 256, 487),
                                    (2048, 2048, 512, 64, 256, 877),
                                 (2048, 2048, 2048, 64, 512, 3115), (2048, 8192, 2048, 64, 256, 11434))),
    ("bf16 direct", "bf16", True, ((512, 512, 512, 64, 256, 153), (1024, 1024, 1024, 64, 256, 482),
                                   (2048, 1024, 3072, 64, 256, 2574), (2048, 2048, 512, 64, 256, 901),
                                   (2048, 2048, 2048, 64, 512, 3285), (2048, 8192, 2048, 64, 256, 12289))),
)  # fmt: skip
CASTS = (
    (512, 512, 512, 32, 256, 557), (1024, 1024, 1024, 64, 256, 858), (2048, 2048, 512, 64, 256, 1052),
    (2048, 1024, 2048, 64, 256, 1941), (2048, 1024, 3072, 64, 256, 2735), (2048, 2048, 2048, 64, 512, 2764),
    (2048, 8192, 2048, 64, 256, 7723),
)  # fmt: skip
"""M, K, N, tile of m and of k in L2 (of k in L1 32, of n 128), microseconds; no mechanism was checked with the casts."""

_SOURCE = "mlir-air kernel_registry"


def _sweeps(family: str, total: int, columns: int, rows: int, tile: int) -> tuple[str, ...]:
    """The sweeps around the family's own setting, from which a row differs in one number at most."""
    size, default, most = {"add": (4194304, 2048, 1), "gelu": (3145728, 4096, 2)}[family]
    same = {"elements": total == size, "columns": (columns, rows) == (8, most), "tile": tile == default}
    names = [name for name in same if all(is_own for other, is_own in same.items() if other != name)]
    if rows == 1 < most and same["elements"] and same["tile"]:
        names = ["columns of one core"]
    return tuple(f"{family}, {name}" for name in names)


ROWS = (
    *(Row(f"registry: {family}", f"{n} by {c}x{r} cores, tiles of {t}", us, "us", "informed", _SOURCE,
          lambda body=body, inputs=inputs, n=n, c=c, r=r, t=t: microseconds(elementwise(body, inputs, n, c, r, t)),
          sweeps=_sweeps(family, n, c, r, t))
      for family, body, inputs, known in ELEMENTS for n, c, r, t, us in known),
    *(Row("registry: RMS norm", f"{m} x {n} by {c} cores", us, "us", "informed", _SOURCE,
          lambda m=m, n=n, c=c: microseconds(rms_norm(m, n, c)),
          sweeps=(*["RMS norm, columns"] * (n == 2048), *["RMS norm, length of rows"] * ((m, c) == (2048, 8))))
      for m, n, c, us in ROWS_OF),
    *(Row(f"registry: {family}", f"{m} x {k} by {c} cores, tiles of {t} rows, {a} a call", us, "us", kind, _SOURCE,
          lambda m=m, k=k, c=c, t=t, a=a: vector(m, k, c, t, a))
      for family, kind, known in (("GEMV", "informed", VECTORS), ("GEMV, held out", "prediction", HELD_VECTORS))
      for m, k, c, t, a, us in known),
    *(Row(f"registry: GEMM {family}", f"{M} x {K} x {N}, tile {m}/{k}/32/128", us, "us", "informed", _SOURCE,
          partial(product, (M, K, N), (m, k, 32, 128), out, direct), slow=True, problem=f"{M} x {K} x {N} in {out}")
      for family, out, direct, known in PRODUCTS for M, K, N, m, k, us in known),
    *(Row("registry: GEMM fused-cast", f"{M} x {K} x {N}, tile {m}/{k}/32/128", us, "us", "prediction", _SOURCE,
          partial(cast, (M, K, N), (m, k, 32, 128)), slow=True, problem=f"{M} x {K} x {N} in bf16")
      for M, K, N, m, k, us in CASTS),
)  # fmt: skip
