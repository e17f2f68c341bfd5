"""Designs of the aie dialect as MLIR-AIE's programs build them: devices, tiles, queues, cores, DMA programs, streams."""

from __future__ import annotations

from typing import Any

from allo_air.aie.building.arrays import mlir_type as _mlir_type
from allo_air.aie.building.functions import call, external_func  # noqa: F401
from allo_air.aie.dialects import (
    _aie_buffers,
    _aie_dma,
    _aie_enum_gen,
    _aie_fifos,
    _aie_streams,
    _aie_tiles,
    _aie_trace,
    _aiex_tasks,
)
from allo_air.aie.extras import types as T
from allo_air.air.dialects._operations import operations
from allo_air.mlir import ir

__all__ = ["T"]


def _gathered() -> None:
    """The generated classes and functions of all operations, over which those that are written here stand."""
    names: dict[str, Any] = operations("aie")
    for module in (_aie_enum_gen, _aie_tiles, _aie_buffers, _aie_fifos, _aie_dma, _aie_streams, _aie_trace):
        own = {n: v for n, v in vars(module).items() if getattr(v, "__module__", "") == module.__name__ and n[0] != "_"}
        names |= own | {n: vars(module)[n] for n in getattr(module, "EXPORTS", ())}
    for name, value in names.items():
        globals().setdefault(name, value)
    __all__.extend(n for n in names if n not in __all__)


_gathered()
end = _aie_tiles.EndOp
bds = _aiex_tasks.bds
Buffer, Tile, Lock = _aie_buffers.buffer, _aie_tiles.tile, _aie_tiles.lock
object_fifo_create = _aie_fifos.object_fifo
ObjectFifoCreateOp = globals()["ObjectFifoOp"]  # the original's name of the class


def ObjectFifoType(kind: Any) -> Any:
    """`!aie.objectfifo<memref>`."""
    return ir.Type.parse(f"!aie.objectfifo<{_mlir_type(kind, 'ObjectFifoType')}>")


def ObjectFifoSubviewType(kind: Any) -> Any:
    """`!aie.objectfifosubview<memref>`."""
    return ir.Type.parse(f"!aie.objectfifosubview<{_mlir_type(kind, 'ObjectFifoSubviewType')}>")


__all__.extend(
    [
        "Buffer",
        "Lock",
        "bds",
        "call",
        "external_func",
        "ObjectFifoCreateOp",
        "ObjectFifoSubviewType",
        "ObjectFifoType",
        "Tile",
        "end",
    ]
)
