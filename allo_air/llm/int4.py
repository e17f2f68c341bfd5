"""4-bit weights for the products of a token: cores unpack the numbers and scale the sums of groups (`int4.cc`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import torch

from allo_air.llm.quantized import taken_apart
from allo_air.llm.streaming import AT_ONCE, PLANES, Arrangement

if TYPE_CHECKING:
    from torch import Tensor


def is_supported(group: int) -> bool:
    """Whether cores support groups of this size: whole pairs of tiles of eight columns, with exact sums."""
    return group % 16 == 0 and group <= 512


@dataclass(frozen=True)
class Nibbles(Arrangement):
    """Products with 4-bit numbers, and a scale and a zero point for each group."""

    name: ClassVar[str] = "multiply_int4"
    file: ClassVar[str] = "int4.cc"

    @property
    def bytes(self) -> int:
        """Bytes of weights: for each eight rows of a group the numbers, the zero points twice, and the scales."""
        return self.rows // AT_ONCE * (self.columns // self.group) * (AT_ONCE * self.group // 2 + 4 * AT_ONCE)

    @property
    def row_bytes(self) -> int:
        """Bytes of the row: an 8-bit digit in each plane."""
        return PLANES * self.columns

    @property
    def results(self) -> int:
        """Number of results: a sum in f32 for each row."""
        return self.rows

    def row(self, row: Tensor) -> Any:
        """The row as 8-bit digits."""
        return self.digits(row)

    def sums(self, partial_sums: Tensor, row: Tensor, weight: tuple[Tensor, ...]) -> Any:
        """The product, from the scaled partial sums."""
        return self.of_digits(partial_sums, row, len(weight[0]))

    def weights(self, weight: tuple[Tensor, ...]) -> Any:
        """The weights as bytes: numbers (two in a byte), scales, zero points."""
        numbers, (_, scales, zeros) = taken_apart(weight[0]), weight
        (rows, groups, size), (wide, high) = numbers.shape, self.grid
        parts, blocks, per = self.parts(groups * size), self.blocks(rows), self.columns // size
        more = (0, 0, 0, parts * per - groups, 0, blocks * self.block_rows - rows)
        numbers = torch.nn.functional.pad(numbers.to(torch.uint8), more)
        scales, zeros = (torch.nn.functional.pad(t, more[2:]) for t in (scales.to(torch.bfloat16), zeros.to(torch.uint8)))
        shape = (blocks, wide, high, self.rows // AT_ONCE, AT_ONCE, parts, per)
        order = (1, 5, 0, 2, 3, 6)  # column of cores, part, block, row of cores, eight rows, group
        tiles = numbers.reshape(*shape, size // 8, 8).permute(*order, 7, 8, 4)
        tiles = tiles.reshape(wide, parts, blocks, high, -1, per, size * AT_ONCE)
        packed = tiles[..., 0::2] | tiles[..., 1::2] << 4
        own_zeros, own_scales = (t.reshape(shape).permute(*order, 4).contiguous() for t in (zeros, scales))
        scale_bytes = own_scales.view(torch.uint8).reshape(*packed.shape[:-1], 2 * AT_ONCE)
        whole = torch.cat((packed, *[own_zeros.reshape(*packed.shape[:-1], AT_ONCE)] * 2, scale_bytes), -1)
        return whole.reshape(wide, parts * blocks, high * self.bytes).view(torch.int8).contiguous()
