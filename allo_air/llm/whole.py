"""bf16 and 8-bit weights for the products of a token (`rows.cc`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import torch

from allo_air.llm.streaming import AT_ONCE, PLANES, Arrangement

if TYPE_CHECKING:
    from torch import Tensor

_LANES = 16


@dataclass(frozen=True)
class Floats(Arrangement):
    """Products with bf16 weights. The cores' lanes are rows of weights."""

    name: ClassVar[str] = "multiply_bf16"
    file: ClassVar[str] = "rows.cc"

    @property
    def bytes(self) -> int:
        """Bytes of the weights: two for each."""
        return 2 * self.rows * self.columns

    @property
    def row_bytes(self) -> int:
        """Bytes of the row, which is bf16."""
        return 2 * self.columns

    @property
    def results(self) -> int:
        """Number of results: a sum in f32 for each row."""
        return self.rows

    def weights(self, weight: tuple[Tensor, ...]) -> Any:
        """The weights, column by column."""
        return self.in_order(weight[0].bfloat16(), (1, 2, 0), _LANES).view(torch.int8)

    def row(self, row: Tensor) -> Any:
        """The row, padded with zeros."""
        size = self.parts(row.shape[1]) * self.columns
        padded = torch.nn.functional.pad(row[0].bfloat16(), (0, size - row.shape[1]))
        return padded.reshape(-1, self.columns).view(torch.int8)

    def sums(self, partial_sums: Tensor, row: Tensor, weight: tuple[Tensor, ...]) -> Any:
        """The sum over all parts."""
        return partial_sums.double().reshape(self.parts(row.shape[1]), -1).sum(0)[: len(weight[0])]


@dataclass(frozen=True)
class Bytes(Arrangement):
    """Products with 8-bit numbers, which are exact. The host scales the results, row by row."""

    name: ClassVar[str] = "multiply_int8"
    file: ClassVar[str] = "rows.cc"

    @property
    def bytes(self) -> int:
        """Bytes of the weights: one for each."""
        return self.rows * self.columns

    @property
    def row_bytes(self) -> int:
        """Bytes of the row: an 8-bit digit in each plane."""
        return PLANES * self.columns

    @property
    def results(self) -> int:
        """Number of results: a sum in f32 for each row."""
        return self.rows

    def weights(self, weight: tuple[Tensor, ...]) -> Any:
        """The weights, in tiles of eight columns and eight rows."""
        return self.in_order(weight[0], (1, 2, 0), AT_ONCE)

    def row(self, row: Tensor) -> Any:
        """The row as 8-bit digits."""
        return self.digits(row)

    def sums(self, partial_sums: Tensor, row: Tensor, weight: tuple[Tensor, ...]) -> Any:
        """The product, scaled."""
        return self.of_digits(partial_sums, row, len(weight[0])) * weight[1].double()
