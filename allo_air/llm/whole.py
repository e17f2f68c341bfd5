"""Weights of bf16 and of eight bits for the products of a token (`rows.cc`)."""

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
    """Products with weights of bf16: the cores' lanes are rows of weights."""

    name: ClassVar[str] = "multiply_bf16"
    file: ClassVar[str] = "rows.cc"

    @property
    def bytes(self) -> int:
        """Two for each weight."""
        return 2 * self.rows * self.columns

    @property
    def row_bytes(self) -> int:
        """The row as it is."""
        return 2 * self.columns

    @property
    def results(self) -> int:
        """A sum in f32 for each row."""
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
        """The sums of all parts."""
        return partial_sums.double().reshape(self.parts(row.shape[1]), -1).sum(0)[: len(weight[0])]


@dataclass(frozen=True)
class Bytes(Arrangement):
    """Products with numbers of eight bits, which are exact; the host scales them, row by row."""

    name: ClassVar[str] = "multiply_int8"
    file: ClassVar[str] = "rows.cc"

    @property
    def bytes(self) -> int:
        """One for each weight."""
        return self.rows * self.columns

    @property
    def row_bytes(self) -> int:
        """A digit of eight bits in each plane."""
        return PLANES * self.columns

    @property
    def results(self) -> int:
        """A sum in f32 for each row."""
        return self.rows

    def weights(self, weight: tuple[Tensor, ...]) -> Any:
        """Tiles of eight columns and eight rows."""
        return self.in_order(weight[0], (1, 2, 0), AT_ONCE)

    def row(self, row: Tensor) -> Any:
        """The row as digits."""
        return self.digits(row)

    def sums(self, partial_sums: Tensor, row: Tensor, weight: tuple[Tensor, ...]) -> Any:
        """The product, scaled."""
        return self.of_digits(partial_sums, row, len(weight[0])) * weight[1].double()
