"""Attention of a token on the cores that also compute its products: how the cache is divided among them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Any

import torch

from allo_air.arch import arch_of
from allo_air.device import DEVICES
from allo_air.llm.attention import Attention
from allo_air.llm.form import Form

if TYPE_CHECKING:
    from torch import Tensor

ATTEND_BYTES = "attend_bytes"
GIVE_STATE = "give_state"
_VECTOR = 16
_MOST_PARTS = 16


@dataclass(frozen=True)
class CachedAttention(Attention):
    """Attention in chunks of `bytes` bytes: those of the weights that the same core multiplies, or of 16 keys if they are more.

    A head's keys are divided into `divided` parts. Cores are numbered part by part, and within a part head by head: the keys
    and values of a token belong to one part, and are a regular transfer. A column computes `launches_of` groups of cores, one
    after another.
    """

    bytes: int = 0
    divided: int = 1

    @property
    def keys(self) -> int:
        """Number of keys in a chunk."""
        return self.bytes // (4 * self.head) // _VECTOR * _VECTOR

    @property
    def elements(self) -> int:
        """The number of bf16 elements of a chunk in the cache: its keys, its values and its padding."""
        return self.bytes // 2

    @property
    def parts(self) -> int:
        """Number of parts into which a head's keys are divided."""
        return self.divided

    @property
    def places(self) -> int:
        """Number of heads, with those that are not used: a divisor or a multiple of the number of rows of cores."""
        if self.heads >= self.high:
            return ceil(self.heads / self.high) * self.high
        return next(n for n in range(self.heads, self.high + 1) if self.high % n == 0)

    @property
    def groups(self) -> int:
        """Number of groups of cores, each of which fills a column."""
        return ceil(self.places * self.parts / self.high)

    @property
    def launches(self) -> int:
        """The largest number of groups of a column."""
        return ceil(self.groups / self.columns)

    def launches_of(self, column: int) -> int:
        """Number of groups of a column."""
        return min(self.launches, max(0, self.groups - column * self.launches))

    @property
    def chunks(self) -> int:
        """Number of chunks of a part."""
        return ceil(self.context / (self.keys * self.parts))

    @property
    def vectors(self) -> int:
        """Number of vectors of a core's results."""
        return self.state[0] // _VECTOR

    @property
    def group_elements(self) -> int:
        """Elements of the cache of a group of cores in a layer, with the chunk of queries."""
        return (self.chunks + 1) * self.high * self.elements

    def core(self, head: int, part: int) -> int:
        """The number of the core with a part of a head's keys."""
        return part * self.places + head

    def offset(self, core: int) -> int:
        """The first element of a core's cache in a layer."""
        return core // self.high * self.group_elements + core % self.high * self.elements

    @property
    def read(self) -> float:
        """Bytes that a column transfers from memory."""
        return 2.0 * self.launches * self.group_elements

    def cache(self, layers: int) -> Any:
        """An empty cache [layers, groups, chunks with that of the queries, cores of a group, elements]."""
        return torch.zeros((layers, self.groups, self.chunks + 1, self.high, self.elements), dtype=torch.bfloat16)

    def add(self, cache: Any, begin: int, keys: Tensor, values: Tensor) -> None:
        """Writes the keys and values [heads, tokens, head] of tokens from `begin` on into a layer's cache."""
        place = torch.arange(begin, begin + keys.shape[1])
        part, chunk, lane = place // (self.chunks * self.keys), place // self.keys % self.chunks, place % self.keys
        core = torch.arange(self.heads)[:, None] + part * self.places
        group, row = core // self.high, core % self.high
        chunks = cache[:, 1:, :, : 2 * self.head * self.keys].unflatten(-1, (2, -1))
        pairs = keys.to(cache.dtype).unflatten(-1, (-1, 2))
        chunks[..., 0, :].unflatten(-1, (self.head // 2, self.keys, 2))[group, chunk, row, :, lane] = pairs
        chunks[..., 1, :].unflatten(-1, (self.keys, self.head))[group, chunk, row, lane] = values.to(cache.dtype)

    @cached_property
    def time(self) -> float:
        """Cycles of the transfers of a layer's attention: keys and values, then the parts' results."""
        arch = arch_of(DEVICES[self.device])
        used = ceil(self.groups / self.launches)
        read = self.launches * 2 * self.group_elements / min(arch.channel_bytes, arch.read_bytes / used)
        return read + self.heads * self.parts * self.state[0]


def cached_attention(device: str, columns: int, form: Form, context: int, chunk: int) -> CachedAttention:
    """The CachedAttention of a model with chunks of at least `chunk` bytes, in the parts that take the least time."""
    size = max(chunk, 4 * form.head * _VECTOR)
    one = CachedAttention(device, columns, form.kv_heads, form.group, form.head, context, form.scale, size)
    return min(
        (replace(one, divided=n) for n in range(1, min(_MOST_PARTS, ceil(context / one.keys)) + 1)), key=lambda a: a.time
    )
