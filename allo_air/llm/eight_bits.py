"""8-bit matrices of checkpoints: integers with a scale for each row, and floats of 8 bits with scales of rows or of blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from allo_air.errors import ArgumentError, counted

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


def matrix_of(tensors: Mapping[str, Tensor], like: Tensor, name: str, block: Sequence[int] | None = None) -> RowsOfBytes | Any:
    """The matrix in the tensors of a module, with the shape of `like`: RowsOfBytes for integers, f32 for floats of 8 bits.

    `block` is the size of blocks with a scale; None for the smallest powers of two with as many blocks.
    """
    rows, columns = like.shape
    weight, kind = tensors["weight"], next(n for n in SCALES if n in tensors)
    scale = tensors[kind].float()
    if tuple(weight.shape) != (rows, columns) or (weight.dtype != torch.int8 and weight.dtype not in FLOATS):
        text = f"{list(weight.shape)} of {str(weight.dtype).removeprefix('torch.')}"
        raise ArgumentError(f"{name}: 'weight' is {text}, expected [{rows}, {columns}] of int8, float8_e4m3fn or float8_e5m2")
    if any(n in tensors for n in ("weight_zero_point", "weight_g_idx")):
        raise ArgumentError(f"{name}: 8-bit weights with zero points or an order of columns are not read")
    if all(n in tensors for n in SCALES):
        raise ArgumentError(f"{name} has both '{SCALES[0]}' and '{SCALES[1]}', expected one of them")
    flat = scale.reshape(-1)
    if scale.ndim == 2 and scale.shape[1] != 1:
        flat = flat[:0]
    if weight.dtype == torch.int8:
        if len(flat) not in (1, rows):
            raise ArgumentError(
                f"{name}: '{kind}' is {list(scale.shape)}; int8 weights have a scale for each of {counted(rows, 'row')}"
            )
        return RowsOfBytes(weight, flat.expand(rows).to(like.dtype))
    if len(flat) in (1, rows):
        return weight.float() * flat[:, None]
    parts = scale.shape if scale.ndim == 2 else (1, 0)
    if not parts[1] or parts[0] > rows or parts[1] > columns:
        raise ArgumentError(
            f"{name}: '{kind}' is {list(scale.shape)}, expected scales of rows or of blocks of [{rows}, {columns}]"
        )
    sizes = block or [1 << (-(-s // n) - 1).bit_length() for s, n in zip((rows, columns), parts, strict=True)]
    counts = [-(-s // b) for s, b in zip((rows, columns), sizes, strict=True)]
    if counts != list(parts):
        raise ArgumentError(
            f"{name}: '{kind}' is {list(scale.shape)}, but [{rows}, {columns}] has {counts[0]} by "
            f"{counted(counts[1], 'block')} of"
            f" {sizes[0]} by {sizes[1]}; the entry weight_block_size of quantization_config is the size of blocks"
        )
    wide = scale.repeat_interleave(sizes[0], 0)[:rows].repeat_interleave(sizes[1], 1)[:, :columns]
    return weight.float() * wide


def rows_below(parts: list[RowsOfBytes]) -> RowsOfBytes:
    """Matrices concatenated along rows."""
    return RowsOfBytes(torch.cat([p.numbers for p in parts]), torch.cat([p.scales for p in parts]))
