"""`air.api`: MLIR-AIR's DSL of August 2026. Programs declare tensors, open a launch, and register bodies, which are traced."""

from __future__ import annotations

from typing import Any

from allo_air.air.api import errors, ops, types
from allo_air.air.api.alloc import alloc, dealloc
from allo_air.air.api.announced import (
    Adjacency,
    BlockType,
    Broadcast,
    CacheDomain,
    Cascade,
    Disjoint,
    Fabric,
    Field,
    Scratchpad,
    jit,
    parallel,
    requires,
)  # fmt: skip
from allo_air.air.api.buffer import Buffer
from allo_air.air.api.channel import Channel, channel
from allo_air.air.api.compiled import CompiledKernel
from allo_air.air.api.expression import BufferSlice
from allo_air.air.api.extern import ExternKernel, extern
from allo_air.air.api.herd import HerdContext, herd
from allo_air.air.api.launch import LaunchContext, launch
from allo_air.air.api.legality import HardwareWarning
from allo_air.air.api.packed import MicroTile, PackedShape, micro_tile
from allo_air.air.api.scope import Scope
from allo_air.air.api.segment import SegmentContext, segment
from allo_air.air.api.sequential import sequential
from allo_air.air.api.symbol import Symbol, symbol
from allo_air.air.api.tensor import Tensor, TensorSlice, tensor
from allo_air.air.api.token import Token, wait
from allo_air.air.api.types import DType, bf16, dtype_of, f16, f32, i8, i16, i32, ui8, ui16, ui32

__all__ = [
    "Adjacency", "BlockType", "Broadcast", "Buffer", "BufferSlice", "CacheDomain", "Cascade", "Channel", "CompiledKernel",
    "DType", "Disjoint", "ExternKernel", "Fabric", "Field", "HardwareWarning", "HerdContext", "LaunchContext", "MicroTile",
    "PackedShape", "Scope", "Scratchpad", "SegmentContext", "Symbol", "Tensor", "TensorSlice", "Token", "alloc", "bf16",
    "channel", "compile", "dealloc", "dtype_of", "extern", "f16", "f32", "herd", "i16", "i32", "i8", "jit", "launch",
    "micro_tile", "ops", "parallel", "requires", "segment", "sequential", "symbol", "tensor", "types", "ui16", "ui32", "ui8",
    "wait",
]  # fmt: skip


def compile(launch: LaunchContext, **options: Any) -> CompiledKernel:
    """`launch.compile(**options)`."""
    if not isinstance(launch, LaunchContext):
        raise errors.TypeError(f"compile takes a launch, got {launch!r}")
    return launch.compile(**options)
