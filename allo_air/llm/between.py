"""The core that computes the operations between a token's products: its design, its commands, and the layouts of its chunks.
A command is a chunk; its data follow, and then one chunk for each chunk that the core sends back (`between.cc`). The residual
and the units of a row's digits stay in the core.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil, log
from pathlib import Path

import numpy as np

from allo_air.aie_api.kernel import CppKernel
from allo_air.device import DEVICES
from allo_air.llm.cached_attention import CachedAttention
from allo_air.llm.form import Form
from allo_air.llm.streaming import PLANES, Arrangement
from allo_air.sim.cores.kernels import given_kernels
from allo_air.sim.cores.script_calls import aligned_zeros

NAME = "between_chunk"
_MAGIC = 0x616C6C6F
_MODES = {"gated": 0, "norm": 1, "rotate": 2, "join": 3}
_FIELDS = (
    "data",
    "gives",
    "size",
    "bias",
    "chunks",
    "parts",
    "after",
    "reset",
    "source",
    "target",
    "part",
    "sent",
    "gelu",
    "head_norms",
)
_COUNT = 19
"""The index of the number of chunks in the core's state."""
_ACTIVATIONS = ("silu", "gelu_tanh")
_FLOATS = 512
_HEADER = 64
_MOST_PARTS = 32
_GATED = 4096
"""Number of elements of the feed-forward's row that a command computes."""
_LONG_CHUNKS = 2
"""The same for chunks with two dimensions: with the command and the following chunks, they fill a task queue."""
_ROOM = 60 * 1024
"""Bytes of a core's memory without its stack."""
_MOST_WORDS = 1023
"""Largest size of a dimension of a buffer descriptor."""


def unsupported_features(form: Form) -> list[str]:
    """The features of a model that this core does not compute, a sentence each."""
    cases = {
        "experts are chosen on the host": form.experts > 0,
        "blocks have no norm before them": not form.before_norms,
        "a norm is of all heads together": form.whole_norms,
        "each head has a norm with weights of its own": form.norm_of_each_head,
        "norms subtract the mean": form.centered,
        "attention and feed-forward are side by side": form.parallel,
        "the feed-forward has biases": form.inner_bias or form.down_bias,
        "the feed-forward has no gate": not form.gate,
        f"the activation is {form.activation}, not {' or '.join(_ACTIVATIONS)}": form.activation not in _ACTIVATIONS,
        f"{form.rotary} elements of a head are rotated, not a multiple of 32": form.rotary <= 0 or form.rotary % 32 > 0,
    }
    return [sentence for sentence, holds in cases.items() if holds]


@dataclass(frozen=True)
class Between:
    """The core of a model whose products have the arrangement `order`."""

    form: Form
    order: Arrangement
    attend: CachedAttention

    @property
    def floats(self) -> int:
        """Number of floats of a chunk."""
        form, attend = self.form, self.attend
        most = max(attend.state[0], attend.queries * form.head, 2 * form.head, 2 * form.rotary + 16 * attend.parts, _FLOATS)
        return ceil(most / 64) * 64

    @property
    def bytes(self) -> int:
        """Bytes of a chunk."""
        return 4 * self.floats

    @property
    def is_dense(self) -> bool:
        """Whether rows are bf16 instead of digits."""
        return self.order.row_bytes == 2 * self.order.columns

    @cached_property
    def room(self) -> int:
        """Number of floats of the longest row that the core holds."""
        form, columns = self.form, self.order.columns
        wide = form.heads * form.head
        gated = self.chunks(self.gated_parts * columns) * self.floats
        rows = [*(self.order.parts(n) * columns for n in (form.hidden, wide)), gated]
        return ceil(max(*rows, form.linears["qkv"][0]) / 16) * 16

    @property
    def gated_parts(self) -> int:
        """Number of parts of the feed-forward's row that a command computes."""
        most = _LONG_CHUNKS * self.floats if self.has_long_chunks else _GATED
        return max(1, min(self.order.parts(self.form.inner), most // self.order.columns))

    @property
    def has_long_chunks(self) -> bool:
        """Whether chunks take two dimensions of a descriptor, so that each chunk of the gate's sums is a transfer."""
        return self.floats > _MOST_WORDS and self.order.parts(self.form.hidden) > 1

    @property
    def state(self) -> int:
        """Number of floats of the core's state."""
        attend, hidden = self.attend, ceil(self.form.hidden / 16) * 16
        return 32 + 2 * _MOST_PARTS + 16 * attend.parts + 32 * attend.queries + hidden + self.floats + self.room

    @property
    def fits(self) -> bool:
        """Whether the core can compute the operations between this model's products."""
        form = self.form
        return (
            not unsupported_features(form)
            and (not self.has_long_chunks or self.chunks(self.gated_parts * self.order.columns) <= _LONG_CHUNKS)
            and self.order.parts(max(form.inner, form.hidden, form.heads * form.head)) <= _MOST_PARTS
            and 4 * self.state + 4 * self.bytes <= _ROOM
        )

    def chunks(self, floats: int) -> int:
        """Number of chunks of this many floats."""
        return ceil(floats / self.floats)

    def row_chunks(self, parts: int) -> int:
        """Number of chunks that a row of this many parts fills."""
        return ceil(parts * self.order.row_bytes / self.bytes)

    @property
    def head_bytes(self) -> tuple[int, int]:
        """Bytes of the header and queries of one core of attention, and of all keys of a token."""
        attend = self.attend
        return _HEADER + 4 * attend.queries * attend.head, 2 * attend.heads * attend.head

    @property
    def cache_chunks(self) -> int:
        """Number of chunks of a token's queries, keys and values."""
        unit, keys = self.head_bytes
        return ceil((self.attend.heads * self.attend.parts * unit + 2 * keys) / self.bytes)

    def command(self, mode: str, **values: int) -> np.ndarray:
        """The chunk of a command; missing entries are 0."""
        factor = 1.0 if values.get("reset") else self.form.residual
        result = np.zeros(self.floats, np.int32)
        result[:2] = _MAGIC, _MODES[mode]
        for place, name in enumerate(_FIELDS, 2):
            result[place] = values.pop(name, 0)
        assert not values
        scale = self.form.scale / (log(2) if self.attend.powers_of_two else 1)
        result[16:19] = np.array([self.form.eps, scale, factor], np.float32).view(np.int32)
        return result.view(np.float32)

    def in_chunks(self, values: np.ndarray) -> np.ndarray:
        """Floats, padded with zeros to whole chunks."""
        flat = np.asarray(values, np.float32).reshape(-1)
        return np.pad(flat, (0, -len(flat) % self.floats))

    def kernel(self) -> CppKernel:
        """The core's function, with its macros."""
        form, attend = self.form, self.attend
        defines = {
            "FLOATS": self.floats, "HIDDEN": form.hidden, "ROOM": self.room, "COLUMNS": self.order.columns,
            "PLANES": 0 if self.is_dense else PLANES, "QUERIES": attend.queries, "HEAD": form.head, "KV_HEADS": form.kv_heads,
            "ROTARY": form.rotary, "PARTS": attend.parts,
        }  # fmt: skip
        return CppKernel(Path(__file__).with_name("between.cc"), defines)

    def cycles(self, constants: np.ndarray) -> float:
        """The mean cycles of a chunk, of the commands in `constants` with data of zeros."""
        device = DEVICES[self.order.device]
        function = given_kernels({NAME: self.kernel()}, device.arch)[NAME].function
        chunks = constants[: len(constants) // self.floats * self.floats].reshape(-1, self.floats)
        commands = {c.tobytes(): c for c in chunks if c[:1].view(np.int32)[0] == _MAGIC}
        floats = np.dtype(np.float32)
        zeros, chunk_in, state = (aligned_zeros((n,), floats) for n in (self.floats, self.floats, self.state))
        out = aligned_zeros((self.bytes,), np.dtype(np.int8))
        cycles: list[float] = []
        for _ in range(2):  # the first time, calls are recorded from the second new kind on
            cycles.clear()
            for command in commands.values():
                data, gives = map(int, command[2:4].view(np.int32))
                chunk_in[:] = command
                cycles += [function(chunk, state, out) for chunk in (chunk_in, *[zeros] * (data + gives))]
        return sum(cycles) / max(1, len(cycles))

    def text(self, column: int) -> str:
        """The tiles, flows and core in a column, as text inside of a device."""
        row = DEVICES[self.order.device].core_rows[0]
        return _TEXT.format(column=column, row=row, floats=self.floats, state=self.state, bytes=self.bytes, count=_COUNT)


_TEXT = """%between_shim = aie.tile({column}, 0)
%between = aie.tile({column}, {row})
%between_in_free = aie.lock(%between, 0) {{init = 2 : i32}}
%between_in_full = aie.lock(%between, 1) {{init = 0 : i32}}
%between_out_free = aie.lock(%between, 2) {{init = 2 : i32}}
%between_out_full = aie.lock(%between, 3) {{init = 0 : i32}}
%between_in0 = aie.buffer(%between) {{sym_name = "between_in0"}} : memref<{floats}xf32>
%between_in1 = aie.buffer(%between) {{sym_name = "between_in1"}} : memref<{floats}xf32>
%between_out0 = aie.buffer(%between) {{sym_name = "between_out0"}} : memref<{bytes}xi8>
%between_out1 = aie.buffer(%between) {{sym_name = "between_out1"}} : memref<{bytes}xi8>
%between_state = aie.buffer(%between) {{sym_name = "between_state"}} : memref<{state}xf32>
func.func private @between_chunk(memref<{floats}xf32>, memref<{state}xf32>, memref<{bytes}xi8>)
  attributes {{link_with = "between.o"}}
%between_dma = aie.mem(%between) {{
  %c1 = arith.constant 1 : i32
  %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
^bb1:
  aie.use_lock(%between_in_free, AcquireGreaterEqual, %c1)
  aie.dma_bd(%between_in0 : memref<{floats}xf32> offset = 0 len = {floats})
  aie.use_lock(%between_in_full, Release, %c1)
  aie.next_bd ^bb2
^bb2:
  aie.use_lock(%between_in_free, AcquireGreaterEqual, %c1)
  aie.dma_bd(%between_in1 : memref<{floats}xf32> offset = 0 len = {floats})
  aie.use_lock(%between_in_full, Release, %c1)
  aie.next_bd ^bb1
^bb3:
  %1 = aie.dma_start(MM2S, 0, ^bb4, ^bb6)
^bb4:
  aie.use_lock(%between_out_full, AcquireGreaterEqual, %c1)
  aie.dma_bd(%between_out0 : memref<{bytes}xi8> offset = 0 len = {bytes})
  aie.use_lock(%between_out_free, Release, %c1)
  aie.next_bd ^bb5
^bb5:
  aie.use_lock(%between_out_full, AcquireGreaterEqual, %c1)
  aie.dma_bd(%between_out1 : memref<{bytes}xi8> offset = 0 len = {bytes})
  aie.use_lock(%between_out_free, Release, %c1)
  aie.next_bd ^bb4
^bb6:
  aie.end
}}
%between_code = aie.core(%between) {{
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %magic = arith.constant 0 : index
  %mode = arith.constant 1 : index
  %count = arith.constant {count} : index
  memref.store %zero, %between_state[%magic] : memref<{state}xf32>
  memref.store %zero, %between_state[%mode] : memref<{state}xf32>
  memref.store %zero, %between_state[%count] : memref<{state}xf32>
  cf.br ^bb1
^bb1:
  aie.use_lock(%between_in_full, AcquireGreaterEqual, %c1)
  aie.use_lock(%between_out_free, AcquireGreaterEqual, %c1)
  func.call @between_chunk(%between_in0, %between_state, %between_out0) :
    (memref<{floats}xf32>, memref<{state}xf32>, memref<{bytes}xi8>) -> ()
  aie.use_lock(%between_in_free, Release, %c1)
  aie.use_lock(%between_out_full, Release, %c1)
  aie.use_lock(%between_in_full, AcquireGreaterEqual, %c1)
  aie.use_lock(%between_out_free, AcquireGreaterEqual, %c1)
  func.call @between_chunk(%between_in1, %between_state, %between_out1) :
    (memref<{floats}xf32>, memref<{state}xf32>, memref<{bytes}xi8>) -> ()
  aie.use_lock(%between_in_free, Release, %c1)
  aie.use_lock(%between_out_full, Release, %c1)
  cf.br ^bb1
}} {{link_with = "between.o"}}
aie.flow(%between_shim, DMA : 0, %between, DMA : 0)
aie.flow(%between, DMA : 0, %between_shim, DMA : 0)
aie.shim_dma_allocation @between_in(%between_shim, MM2S, 0)
aie.shim_dma_allocation @between_out(%between_shim, S2MM, 0)
"""
