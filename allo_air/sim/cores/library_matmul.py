"""Built-in matrix products C += A B on core tiles: row-major in the scalar kernels, in micro-tiles in the vectorized ones."""

from __future__ import annotations

from math import ceil, isqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.core_model.machine import Machine
from allo_air.errors import AlloAirError
from allo_air.sim.cores.kernel import Kernel, Signature

if TYPE_CHECKING:
    from allo_air.mlir import ir

MICRO_TILES = {
    "AIE2": {"bf16": (4, 8, 4), "i8": (4, 8, 8), "i16": (4, 4, 4)},
    "AIE2p": {"bf16": (4, 8, 8), "i8": (8, 8, 8), "i16": (4, 4, 8)},
}
"""M x K x N in which the vectorized kernels expect their operands (docs/sources.md#timing: mmul shapes used by whole_array)."""


def matmul(signature: Signature, machine: Machine, vectorized: bool) -> Kernel:
    """The kernel for `matmul_<in>_<out>(A, B, C)`."""
    element = signature.arguments[0].element

    def run(a: Any, b: Any, c: Any, *_: object) -> None:
        m, k, n = sizes(a, b, c)
        tile = MICRO_TILES[machine.arch].get(element) if vectorized else None
        wide = np.float32 if element in ("bf16", "f16", "f32") else np.int64
        rows = _rows(a, m, k, tile and (tile[0], tile[1])).astype(wide)
        columns = _rows(b, k, n, tile and (tile[1], tile[2])).astype(wide)
        into = tile and (tile[0], tile[2])
        total = _rows(c, m, n, into).astype(wide) + rows @ columns
        c[...] = _packed(total, into, c.shape).astype(c.dtype)

    def cycles(a: np.ndarray, b: np.ndarray, c: np.ndarray, *_: object) -> float:
        m, k, n = sizes(a, b, c)
        if not vectorized:
            return m * k * n * 2 + m * n * (machine.scalar_load + machine.store)
        return vectorized_cycles(machine, element, (m, k, n), c.itemsize)

    return Kernel(run, (0, 1, 2), (2,), cycles)


def matvec(signature: Signature, machine: Machine, vectorized: bool) -> Kernel:
    """The kernel for `matvec_scalar_<in>_<out>(A, b, c)`: c += A b, A row-major with rows as long as b."""
    element = signature.arguments[0].element

    def run(a: np.ndarray, b: np.ndarray, c: np.ndarray, *_: object) -> None:
        if a.size != b.size * c.size:
            raise AlloAirError(f"kernel {signature.name}: {a.size} elements are not a matrix of {c.size} x {b.size}")
        wide = np.float32 if element in ("bf16", "f16", "f32") else np.int64
        product = a.reshape(c.size, b.size).astype(wide) @ b.reshape(-1).astype(wide)
        c[...] = (c.astype(wide) + product.reshape(c.shape)).astype(c.dtype)

    def cycles(a: np.ndarray, b: object, c: np.ndarray, *_: object) -> float:
        return a.size * 2 + c.size * (machine.scalar_load + machine.store)

    return Kernel(run, (0, 1, 2), (2,), cycles)


def vectorized_cycles(machine: Machine, element: str, sizes: tuple[int, int, int], result_bytes: int) -> float:
    """Cycles of a kernel that computes C in blocks that fill the accumulator registers, with one loop over k for each block.

    A block waits for its first operands and for those accumulators that load too late for the loop, multiplies, stores each
    accumulator after its last product, and jumps back.
    """
    m, k, n = sizes
    mm, kk, nn = machine.mac_shapes.get((element, element), (1, 1, machine.lanes.get(element, 16)))
    count = max(1, min(machine.accumulator_bits // (32 * mm * nn), ceil(m / mm) * ceil(n / nn)))
    loads = ceil(mm * nn * result_bytes / machine.load_bytes / machine.unit_a_loads)
    stores = ceil(mm * nn * result_bytes / machine.store_bytes / machine.stores)
    late = max(0, count * (loads - 1) - (machine.mac - machine.accumulate))
    drain = machine.mac + machine.store - 1 + max(stores, count * (stores - 1) + 1)
    each = machine.vector_load + late + ceil(k / kk) * count + drain + machine.jump
    return ceil(ceil(m / mm) * ceil(n / nn) / count) * each


def sizes(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> tuple[int, int, int]:
    """M, K and N, computed from the numbers of elements of the three operands, which may be flat."""
    m = isqrt(a.size * c.size // b.size)
    if m == 0 or a.size % m or c.size % m or (a.size // m) * (c.size // m) != b.size:
        raise AlloAirError(f"matmul kernel: operands of {a.size}, {b.size} and {c.size} elements are no m x k, k x n and m x n")
    return m, a.size // m, c.size // m


def _rows(view: ir.OpView, rows: int, columns: int, tile: tuple[int, int] | None) -> Any:
    """`view` as a matrix; elements stored in micro-tiles of `tile` are reordered."""
    if tile is None or rows % tile[0] or columns % tile[1]:
        return view.reshape(rows, columns)
    r, c = tile
    return view.reshape(rows // r, columns // c, r, c).transpose(0, 2, 1, 3).reshape(rows, columns)


def _packed(matrix: Any, tile: tuple[int, int] | None, shape: tuple[int, ...]) -> Any:
    rows, columns = matrix.shape
    if tile is None or rows % tile[0] or columns % tile[1]:
        return matrix.reshape(shape)
    r, c = tile
    return matrix.reshape(rows // r, r, columns // c, c).transpose(0, 2, 1, 3).reshape(shape)
