"""8-bit matrices of checkpoints: integers with a scale for each row, and floats of 8 bits with scales of rows or of blocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from allo_air.errors import ArgumentError

if TYPE_CHECKING:
    from torch import Tensor

SCALES = ("weight_scale", "weight_scale_inv")
FLOATS = (torch.float8_e4m3fn, torch.float8_e5m2)


@dataclass(frozen=True)
class RowsOfBytes:
    """A matrix of 8-bit integers [rows, columns], with scales [rows] in the model's type."""

    numbers: Any
    scales: Any

    @property
    def order(self) -> None:
        """The order of columns: the model's own."""
        return None

    def dense(self) -> Any:
        """The weights as f32."""
        return self.numbers.float() * self.scales.float()[:, None]

    def in_rows(self, rows: Tensor | None) -> RowsOfBytes:
        """The matrix with its rows in another order; the same if `rows` is None."""
        return self if rows is None else RowsOfBytes(self.numbers[rows], self.scales[rows])

    def packed(self, _group: int, _name: str) -> tuple[Any, ...]:
        """The tensors of `allo_air.llm.quantized.packed` for int8."""
        return self.numbers.contiguous(), self.scales.contiguous()


def is_of_bytes(tensors: Mapping[str, Tensor]) -> bool:
    """Whether the tensors of a module are an 8-bit matrix with scales."""
    return "weight" in tensors and any(n in tensors for n in SCALES)


def matrix_of(tensors: Mapping[str, Tensor], like: Tensor, name: str) -> RowsOfBytes | Any:
    """The matrix in the tensors of a module, with the shape of `like`: RowsOfBytes for integers, f32 for floats of 8 bits."""
    rows, columns = like.shape
    weight, kind = tensors["weight"], next(n for n in SCALES if n in tensors)
    scale = tensors[kind].float()
    if tuple(weight.shape) != (rows, columns) or (weight.dtype != torch.int8 and weight.dtype not in FLOATS):
        text = f"{list(weight.shape)} of {str(weight.dtype).removeprefix('torch.')}"
        raise ArgumentError(f"{name}: 'weight' is {text}, expected [{rows}, {columns}] of int8, float8_e4m3fn or float8_e5m2")
    if any(n in tensors for n in ("weight_zero_point", "weight_g_idx")):
        raise ArgumentError(f"{name}: 8-bit weights with zero points or an order of columns are not read")
    flat = scale.reshape(-1)
    if weight.dtype == torch.int8:
        if len(flat) not in (1, rows):
            raise ArgumentError(f"{name}: '{kind}' is {list(scale.shape)}; int8 weights have a scale for each of {rows} rows")
        return RowsOfBytes(weight, flat.expand(rows).to(like.dtype))
    if len(flat) in (1, rows):
        return weight.float() * flat[:, None]
    parts = scale.shape if scale.ndim == 2 else (1, 0)
    if not parts[1] or parts[0] > rows or parts[1] > columns:
        raise ArgumentError(
            f"{name}: '{kind}' is {list(scale.shape)}, expected scales of rows or of blocks of [{rows}, {columns}]"
        )
    sizes = [_block(size, count) for size, count in zip((rows, columns), parts, strict=True)]
    wide = scale.repeat_interleave(sizes[0], 0)[:rows].repeat_interleave(sizes[1], 1)[:, :columns]
    return weight.float() * wide


def _block(size: int, count: int) -> int:
    """The size of `count` blocks that cover `size` elements: a power of two if the last one is not whole."""
    return size // count if size % count == 0 else 1 << (-(-size // count) - 1).bit_length()


def rows_below(parts: list[RowsOfBytes]) -> RowsOfBytes:
    """Matrices concatenated along rows."""
    return RowsOfBytes(torch.cat([p.numbers for p in parts]), torch.cat([p.scales for p in parts]))
