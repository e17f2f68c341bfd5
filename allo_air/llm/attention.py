"""Attention of one token to the cache: the program for the array, and the layout of its arguments in memory.

A core takes the queries that share a key, and a part of the keys and values, which arrive in chunks; sums continue from chunk
to chunk (`attend.cc`). The cache is stored in the order in which cores read it; a token adds a column of keys, of pairs of
elements, and a row of values. Each part begins with its queries, and with the number of hidden keys, as two numbers. They
use the same channel as the chunks, so that a column of cores needs only its own memtile.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from allo_air.aie_api.kernel import CppKernel
from allo_air.arch import core_of
from allo_air.device import DEVICES
from allo_air.llm.form import Form

if TYPE_CHECKING:
    from torch import Tensor

KERNEL = Path(__file__).with_name("attend.cc")
NAME = "attend_chunk"
_CHUNK = 4096
"""Elements of keys in a chunk, and of values. A core holds one chunk of each at a time."""
_REPEATS = 64
"""Largest repeat count of a shim's task."""
_HEADER = 64
_LANES = 16


def is_supported(form: Form) -> bool:
    """Whether cores compute attention for a model: heads are whole vectors, scores are not capped, and keys are bf16."""
    return (
        form.dtype == "bfloat16"
        and not form.has_mask
        and form.head % _LANES == 0
        and _CHUNK // form.head >= _LANES
        and form.group <= 8
    )


@dataclass(frozen=True)
class Attention:
    """Attention with `heads` keys of `head` elements for each token, each shared by `queries` queries, to `context` tokens, on
    `columns` columns.
    """

    device: str
    columns: int
    heads: int
    queries: int
    head: int
    context: int
    scale: float

    @property
    def keys(self) -> int:
        """Number of keys in a chunk."""
        return _CHUNK // self.head // _LANES * _LANES

    @property
    def high(self) -> int:
        """Number of rows of cores."""
        return len(DEVICES[self.device].core_rows)

    @property
    def parts(self) -> int:
        """Number of parts into which a head's keys are divided; each part has a core."""
        return max(1, min(self.columns * self.high // self.heads, ceil(self.context / self.keys)))

    @property
    def launches(self) -> int:
        """Number of launches; in each, the cores process one part each."""
        return ceil(self.heads * self.parts / (self.columns * self.high))

    @property
    def chunks(self) -> int:
        """Number of chunks of a part. With the chunk of queries, they must form transfers with equal repeat counts."""
        count = 1 + ceil(self.context / (self.keys * self.parts))
        transfers = ceil(count / _REPEATS)
        return transfers * ceil(count / transfers) - 1

    @property
    def state(self) -> tuple[int, int]:
        """Number of elements of a core's results, and of its whole state."""
        results = self.queries * (self.head + 2 * _LANES)
        return results, results + self.queries * (self.keys * 3 // 2 + self.head) + _HEADER // 4

    @property
    def read(self) -> float:
        """Bytes that the cores transfer from and to memory."""
        size = (self.chunks + 1) * 4 * self.head * self.keys + 4 * self.state[0]
        return float(self.launches * self.columns * self.high * size)

    def kernel(self) -> CppKernel:
        """The cores' function, with its macros."""
        return CppKernel(
            KERNEL, {"QUERIES": self.queries, "HEAD": self.head, "KEYS": self.keys, "TOTAL": self.keys * self.chunks}
        )

    def cache(self, layers: int) -> Any:
        """An empty cache. For each layer, launch and column: space for the queries of its cores, then the chunks of each core,
        interleaved.
        """
        shape = (layers, self.launches, self.columns, self.chunks + 1, self.high, 2 * self.head * self.keys)
        return torch.zeros(shape, dtype=torch.bfloat16)

    def add(self, cache: Any, begin: int, keys: Tensor, values: Tensor) -> None:
        """Writes the keys and values [heads, tokens, head] of tokens from `begin` on into a layer's cache."""
        place = torch.arange(begin, begin + keys.shape[1])
        part, chunk, lane = place // (self.chunks * self.keys), place // self.keys % self.chunks, place % self.keys
        core = torch.arange(self.heads)[:, None] * self.parts + part
        column, row = core // self.high, core % self.high
        chunks = cache.flatten(0, 1)[:, 1:].unflatten(-1, (2, -1))
        pairs = keys.to(cache.dtype).unflatten(-1, (-1, 2))
        chunks[..., 0, :].unflatten(-1, (self.head // 2, self.keys, 2))[column, chunk, row, :, lane] = pairs
        chunks[..., 1, :].unflatten(-1, (self.keys, self.head))[column, chunk, row, lane] = values.to(cache.dtype)

    def ask(self, cache: Any, q: Tensor, begin: int, end: int) -> None:
        """Writes queries [heads * queries, 1, head], in two bf16 parts, and the range of visible keys into a layer's cache."""
        scale = self.scale / (log(2) if self.powers_of_two else 1)
        wide = q.reshape(self.heads, 1, -1).float() * scale
        high = wide.bfloat16()
        both = torch.cat((high, (wide - high.float()).bfloat16()), 2).expand(-1, self.parts, -1)
        header = self.headers(begin, end).repeat(self.heads, 1, 1)
        whole = torch.cat((header.view(torch.bfloat16), both), 2).flatten(0, 1)
        core = torch.arange(len(whole))
        cache.flatten(0, 1)[core // self.high, 0, core % self.high, : whole.shape[1]] = whole

    @property
    def powers_of_two(self) -> bool:
        """Whether the cores compute powers of 2 instead of e."""
        return core_of(DEVICES[self.device].arch).powers_of_two

    def headers(self, begin: int, end: int) -> Any:
        """For each part of a head's keys, how many of them are hidden at its begin and at its end."""
        size = self.chunks * self.keys
        offset = torch.arange(self.parts) * size
        result = torch.zeros(self.parts, _HEADER // 4, dtype=torch.int32)
        result[:, 0], result[:, 1] = (begin - offset).clamp(0, size), size - (end - offset).clamp(0, size)
        return result

    def joined(self, states: Tensor) -> Any:
        """The outputs [1, heads * queries * head] in f32, from the states of all parts."""
        own = states.reshape(-1, self.state[0])[: self.heads * self.parts].reshape(self.heads, self.parts, -1)
        size = self.queries * self.head
        outputs = own[:, :, :size].reshape(self.heads, self.parts, self.queries, self.head)
        greatest, sums = own[:, :, size:].reshape(self.heads, self.parts, 2, self.queries, _LANES).unbind(2)
        less = greatest[..., 0] - greatest[..., 0].amax(1, keepdim=True)
        factor = torch.exp2(less) if self.powers_of_two else torch.exp(less)
        total = (sums.sum(3) * factor).sum(1)
        return ((outputs * factor[..., None]).sum(1) / total[..., None]).reshape(1, -1)

    def text(self) -> str:
        """The program in AIR. The rows of cores form two herds, each of which gets its keys over its own shim channel."""
        wide, high, (results, state) = self.columns, self.high // 2, self.state
        chunks, size = self.chunks + 1, 2 * self.head * self.keys
        numbers = {
            "name": NAME, "wide": wide, "high": high, "chunk": size, "results": results, "all_chunks": high * size,
            "outputs": high * results, "K": f"memref<{self.launches}x{wide}x{chunks}x{2 * high}x{size}xbf16>",
            "R": f"memref<{self.launches}x{wide}x{2 * high * results}xf32>",
            "k2": f"memref<{wide}x{high}x{size}xbf16, 1>", "r2": f"memref<{wide}x{high * results}xf32, 1>",
            "k1": f"memref<{size}xbf16, 2>", "s1": f"memref<{state}xf32, 2>",
        }  # fmt: skip

        def halves(text: str) -> str:
            return "".join(text.format(half=h, first=h * high, to=h * high * results, **numbers) for h in range(2))

        return _TEXT.format(
            launches=self.launches, chunks=chunks, all_rows=2 * high * size, column=2 * high * chunks * size,
            launch=2 * wide * high * chunks * size, all_outputs=2 * high * results,
            launch_outputs=2 * wide * high * results, allocations=halves(_ALLOCATIONS), chunk_herds=halves(_CHUNK_HERD),
            result_herds=halves(_RESULT_HERD), **numbers,
        )  # fmt: skip


def attention(device: str, columns: int, form: Form, context: int) -> Attention:
    """The Attention of a model."""
    return Attention(device, columns, form.kv_heads, form.group, form.head, context, form.scale)


_ALLOCATIONS = """
      %k2_{half} = memref.alloc() : {k2}
      %r2_{half} = memref.alloc() : {r2}
      %state_{half} = memref.alloc() : {s1}
      %first_{half} = arith.constant {first} : index
      %to_{half} = arith.constant {to} : index"""

_CHUNK_HERD = """
        air.dma_memcpy_nd (%k2_{half}[] [] [], %sa[%si, %c0, %n, %first_{half}, %c0] [%c1, %wide, %c1, %high, %chunk]
          [%launch, %column, %all_rows, %chunk, %c1]) : ({k2}, {K})
        air.herd @attention_{half} tile (%tx, %ty) in (%sx=%wide, %sy=%high) args(%hs=%state_{half}, %hk=%k2_{half}, %hn=%n) :
            {s1}, {k2}, index attributes {{link_with = "attend.o"}} {{
          %h0 = arith.constant 0 : index
          %h1 = arith.constant 1 : index
          %hc = arith.constant {chunk} : index
          %hcol = arith.constant {all_chunks} : index
          %k1 = memref.alloc() : {k1}
          air.dma_memcpy_nd (%k1[] [] [], %hk[%tx, %ty, %h0] [%h1, %h1, %hc] [%hcol, %hc, %h1]) : ({k1}, {k2})
          %number = arith.index_cast %hn : index to i32
          func.call @{name}(%number, %k1, %hs) : (i32, {k1}, {s1}) -> ()
          memref.dealloc %k1 : {k1}
        }}"""

_RESULT_HERD = """
      air.herd @attention_{half} tile (%tx, %ty) in (%sx=%wide, %sy=%high) args(%hs=%state_{half}, %hr=%r2_{half}) : {s1}, {r2}
          attributes {{link_with = "attend.o"}} {{
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %hn = arith.constant {results} : index
        %hall = arith.constant {outputs} : index
        %to = affine.apply affine_map<()[s0] -> (s0 * {results})>()[%ty]
        air.dma_memcpy_nd (%hr[%tx, %to] [%h1, %hn] [%hall, %h1], %hs[%h0] [%hn] [%h1]) : ({r2}, {s1})
      }}
      air.dma_memcpy_nd (%sb[%si, %c0, %to_{half}] [%c1, %wide, %outputs] [%launch_outputs, %all_outputs, %c1],
        %r2_{half}[] [] []) : ({R}, {r2})
      memref.dealloc %k2_{half} : {k2}
      memref.dealloc %r2_{half} : {r2}
      memref.dealloc %state_{half} : {s1}"""

_TEXT = """
func.func private @{name}(i32, {k1}, {s1}) attributes {{link_with = "attend.o", llvm.emit_c_interface}}
func.func @attend(%a: {K}, %b: {R}) {{
  %launches = arith.constant {launches} : index
  %one = arith.constant 1 : index
  air.launch (%i, %j) in (%li=%launches, %lj=%one) args(%la=%a, %lb=%b) : {K}, {R} {{
    air.segment @heads args(%si=%i, %sa=%la, %sb=%lb) : index, {K}, {R} {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %wide = arith.constant {wide} : index
      %high = arith.constant {high} : index
      %chunks = arith.constant {chunks} : index
      %chunk = arith.constant {chunk} : index
      %all_rows = arith.constant {all_rows} : index
      %column = arith.constant {column} : index
      %launch = arith.constant {launch} : index
      %outputs = arith.constant {outputs} : index
      %all_outputs = arith.constant {all_outputs} : index
      %launch_outputs = arith.constant {launch_outputs} : index{allocations}
      scf.for %n = %c0 to %chunks step %c1 {{{chunk_herds}
      }}{result_herds}
    }}
  }}
  return
}}
"""
