"""Runtime parameters: scalar operands of a herd, which airrt-to-npu writes into a buffer of each core."""

from __future__ import annotations

from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.dialects import aie
from allo_air.dialects.air import L1, HerdOp
from allo_air.mlir import AnyOp, arith, ir, memref
from allo_air.passes._ir.hierarchies import PARAMETERS, is_parameter
from allo_air.passes.to_aie._design import RTP, Buffer, Place
from allo_air.passes.to_aie._emit import DeviceBuilder
from allo_air.passes.to_aie._outer_memory import OuterMemory

_WORD = 32
_ALIGNED = 32
"""Alignment of buffer addresses, in bytes."""


class Parameters:
    """The parameters that the core at `place`, with `memory` bytes, reads at the start of its block `body`. Their buffer is
    at the end of the memory, since the instructions that write them need its address.

    Before:
        air.herd @h tile (%x, %y) in (...) args(%n=%i) : index { ... "use"(%n) ... }
    After:
        %p = aie.buffer(%tile) {sym_name = "__air_herd_rtp_0_2"} : memref<1xi32, 2>
        aie.core(%tile) { aie.use_lock(%__air_herd_lock_0_2, ...) %w = memref.load %p[0]; %n = arith.index_cast %w ... }
    """

    def __init__(self, builder: DeviceBuilder, place: Place, memory: int, tile: ir.Value, body: ir.Block, outer: OuterMemory):
        self.outer = outer
        self.builder, self.place, self.memory, self.tile, self.body = builder, place, memory, tile, body
        self.buffers: dict[Any, tuple[Buffer, Any]] = {}
        """The buffer of each herd's parameters."""

    def value(self, argument: ir.BlockArgument, op: AnyOp) -> ir.Value:
        """The value that the core loads for `argument` of a herd, used by `op`. DiagnosticError for memory, and for float
        scalars and scalars wider than 32 bits."""
        herd = argument.owner.owner.opview
        kind = argument.type
        if not (isinstance(kind, ir.IndexType) or (isinstance(kind, ir.IntegerType) and kind.width <= _WORD)):
            if (named := self.outer.value(argument)) is not None:
                return named
            rule = "a herd is passed integers of up to 32 bits when it starts, and memory goes through channels"
            raise error_at(
                op, f"uses argument #{argument.arg_number} ({kind}) of the herd, which is passed at run time; {rule}"
            )
        scalars = [a for a, v in zip(herd.body_args, herd.args, strict=True) if is_parameter(v)]
        if self.buffers and herd not in self.buffers:
            raise error_at(
                op, "uses a parameter of the herd, and another herd on its cores has parameters, too; place them apart"
            )
        herd.attributes[PARAMETERS] = ir.UnitAttr.get()
        _, buffer = self.buffers.get(herd) or self._buffer(herd, len(scalars))
        with op.location, ir.InsertionPoint.at_block_begin(self.body):
            index = arith.ConstantOp(ir.IndexType.get(), scalars.index(argument)).result
            word = memref.LoadOp(buffer, [index]).result
            if isinstance(kind, ir.IndexType):
                return arith.IndexCastOp(kind, word).result
            return word if kind.width == _WORD else arith.TruncIOp(kind, word).result

    def _buffer(self, herd: HerdOp, size: int) -> tuple[Buffer, Any]:
        word = ir.IntegerType.get_signless(_WORD)
        space = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), L1)
        kind = ir.MemRefType.get([size], word, memory_space=space)
        name = f"{RTP}{self.place[0]}_{self.place[1]}"
        buffer = aie.BufferOp(
            tile=self.tile,
            buffer=kind,
            sym_name=name,
            address=self.memory - -(-size * _WORD // 8 // _ALIGNED) * _ALIGNED,
            loc=herd.location,
            ip=self.builder.ip("buffers"),
        ).buffer
        self.buffers[herd] = Buffer(-1, kind, herd), buffer
        return self.buffers[herd]
