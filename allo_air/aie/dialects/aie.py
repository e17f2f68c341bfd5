"""Builders of the aie dialect under MLIR-AIE's names: devices, tiles, objectFifos, cores, DMA programs, streams."""

from __future__ import annotations

from typing import Any

from allo_air.aie.building.arrays import mlir_type as _mlir_type
from allo_air.aie.building.functions import call, external_func
from allo_air.aie.dialects import (
    _aie_buffers,
    _aie_dma,
    _aie_enum_gen,
    _aie_fifos,
    _aie_streams,
    _aie_target,
    _aie_tiles,
    _aie_trace,
    _aie_translate,
    _aiex_tasks,
)
from allo_air.aie.extras import types as T
from allo_air.air.dialects._operations import operations
from allo_air.mlir import ir

__all__ = ["T"]


def _gathered() -> None:
    """The generated classes and functions of all operations, of which the functions in this package replace some."""
    names: dict[str, Any] = operations("aie")
    for module in (
        _aie_enum_gen,
        _aie_tiles,
        _aie_buffers,
        _aie_fifos,
        _aie_dma,
        _aie_streams,
        _aie_trace,
        _aie_target,
        _aie_translate,
    ):
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
ObjectFifoCreateOp = globals()["ObjectFifoOp"]  # the class's name in mlir-aie


class _Typed:
    """A type of the dialect that wraps a memref; a call, or `get`, creates it."""

    def __init__(self, name: str):
        self.name = name

    def get(self, kind: object, context: ir.Context | None = None) -> Any:
        """The type."""
        return ir.Type.parse(f"!aie.{self.name}<{_mlir_type(kind, self.name)}>", context)

    __call__ = get


ObjectFifoType, ObjectFifoSubviewType = _Typed("objectfifo"), _Typed("objectfifosubview")
S2MM, MM2S = _aie_enum_gen.DMAChannelDir.S2MM, _aie_enum_gen.DMAChannelDir.MM2S
DMA = _aie_enum_gen.WireBundle.DMA
Acquire, AcquireGreaterEqual, Release = (
    getattr(_aie_enum_gen.LockAction, name) for name in ("Acquire", "AcquireGreaterEqual", "Release")
)

__all__ += [
    "DMA", "MM2S", "S2MM", "Acquire", "AcquireGreaterEqual", "Buffer", "Lock", "ObjectFifoCreateOp", "ObjectFifoSubviewType",
    "ObjectFifoType", "Release", "Tile", "bds", "call", "end", "external_func",
]  # fmt: skip
