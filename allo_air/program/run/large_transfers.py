"""Splits transfers of a runtime sequence that exceed the fields of a BD, before a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.access.decompose import fits_bd
from allo_air.core.walking import walk_named
from allo_air.dialects._places import size_stride_pairs
from allo_air.dialects.memrefs import element_bits

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

_BY = "aie.device(aie-unroll-runtime-sequence-loops,aie-decompose-large-dma-bd)"


def lower_large_transfers(module: AnyOp, sequence: AnyOp) -> None:
    """Runs aie-decompose-large-dma-bd, as aiecc does, if `sequence` has such transfers; in the active context."""
    from allo_air import asm
    from allo_air.core import driver, pipeline
    from allo_air.core.registry import Registry
    from allo_air.core.settings import Settings

    transfers = walk_named(sequence, "aiex.npu.dma_memcpy_nd", "aie.dma_bd")
    walks = {walk for op in transfers if (walk := _walk_of(op.opview)) is not None}
    if not all(fits_bd([n for n, _ in dims], [t for _, t in dims], bits) for dims, bits in walks):
        driver.run(pipeline.parse(_BY, Registry()), module, Settings(verify=asm.verify, write=asm.write))


def _walk_of(op: Any) -> tuple[tuple[tuple[int, int], ...], int] | None:
    """Sizes and strides, outermost first, and the bits of an element; None if they are not all known."""
    if op.OPERATION_NAME == "aie.dma_bd":
        bits, dims = element_bits(op.buffer.type), size_stride_pairs(op.dimensions) if op.dimensions is not None else []
        if not op.is_static or len(dims) > 4:
            return None
        dims = [(1, 0)] * (4 - len(dims)) + dims
    else:
        bits, dims = element_bits(op.memref.type), list(zip(op.static_sizes, op.static_strides, strict=True))
    if bits is None or bits > 32 or len(dims) != 4 or not all(n > 0 and t >= 0 for n, t in dims):
        return None
    return tuple((int(n), int(t)) for n, t in dims), bits
