"""Fourier transforms as products with matrices of cosines and sines, and spectrograms as convolutions with them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    from torch import Tensor, dtype


def _scale(count: int, sign: int, norm: str | None) -> float:
    """The factor of a transform of `count` elements; `sign` is -1 for the forward one."""
    if norm == "ortho":
        return 1 / math.sqrt(count)
    return 1.0 if (norm == "forward") == (sign > 0) else 1 / count


def _waves(torch: ModuleType, rows: int, columns: int, count: int, kind: dtype) -> tuple[Tensor, Tensor]:
    """Cosines and sines of 2 pi i j / count, with exact arguments."""
    turns = torch.arange(rows)[:, None] * torch.arange(columns)[None] % count
    angles = turns.to(torch.float64) * (2 * math.pi / count)
    return torch.cos(angles).to(kind), torch.sin(angles).to(kind)


def transformed(
    torch: ModuleType,
    real: Tensor,
    imag: Tensor | None,
    axis: int,
    length: int | None,
    sign: int,
    norm: str | None,
    *,
    to_half: bool = False,
    from_half: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """The discrete Fourier transform along `axis`, of `length` elements. `imag` is None for real numbers.

    With `to_half` only the first half of the spectrum results; with `from_half` it is the input, and the result is real.
    """
    size = real.shape[axis]
    count = length or (2 * (size - 1) if from_half else size)
    rows = count // 2 + 1 if from_half else count
    columns = count // 2 + 1 if to_half else count

    def part(value: Tensor) -> Tensor:
        value = value.movedim(axis, -1)
        return value[..., :rows] if size >= rows else torch.nn.functional.pad(value, (0, rows - size))

    cosines, sines = (w * _scale(count, sign, norm) for w in _waves(torch, rows, columns, count, real.dtype))
    sines = sines * sign
    if from_half:
        weights = torch.full((rows, 1), 2.0, dtype=real.dtype)
        weights[0] = 1.0
        if count % 2 == 0:
            weights[-1] = 1.0
        cosines, sines = cosines * weights, sines * weights
    x = part(real)
    if imag is None:
        return (x @ cosines).movedim(-1, axis), None if from_half else (x @ sines).movedim(-1, axis)
    y = part(imag)
    result = x @ cosines - y @ sines
    rest = None if from_half else (x @ sines + y @ cosines).movedim(-1, axis)
    return result.movedim(-1, axis), rest


def spectrum(
    torch: ModuleType, x: Tensor, size: int, hop: int, length: int, window: Tensor | None, half: bool, normalized: bool
) -> tuple[Tensor, Tensor]:
    """The short-time Fourier transform of each row of `x`, in frames of `size` elements: a convolution with windowed waves."""
    columns = size // 2 + 1 if half else size
    weights = torch.ones(length, dtype=x.dtype) if window is None else window.to(x.dtype)
    before = (size - length) // 2
    weights = torch.nn.functional.pad(weights, (before, size - length - before))
    cosines, sines = _waves(torch, columns, size, size, x.dtype)
    filters = torch.cat([cosines, -sines]) * weights * (1 / math.sqrt(size) if normalized else 1.0)
    rows = x if x.dim() == 2 else x[None]
    result = torch.nn.functional.conv1d(rows[:, None], filters[:, None], stride=hop)
    real, imag = result[:, :columns], result[:, columns:]
    return (real, imag) if x.dim() == 2 else (real[0], imag[0])
