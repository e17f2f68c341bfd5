"""Fourier transforms as products with matrices of cosines and sines, and spectrograms as convolutions with them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from types import ModuleType

    from torch import Tensor


def _scale(count: int, sign: int, norm: str | None) -> float:
    """The factor of a transform of `count` elements; `sign` is -1 for the forward one."""
    if norm == "ortho":
        return 1 / math.sqrt(count)
    return 1.0 if (norm == "forward") == (sign > 0) else 1 / count


def _waves(rows: int, columns: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Cosines and sines of 2 pi i j / count."""
    angles = np.arange(rows)[:, None] * np.arange(columns) % count * (2 * math.pi / count)
    return np.cos(angles), np.sin(angles)


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

    factors = np.full((rows, 1), _scale(count, sign, norm))
    if from_half:
        factors *= np.where((np.arange(rows) == 0) | (2 * np.arange(rows) == count), 1.0, 2.0)[:, None]
    cosine_table, sine_table = (w * factors for w in _waves(rows, columns, count))
    cosines, sines = (torch.tensor(table.tolist(), dtype=real.dtype) for table in (cosine_table, sign * sine_table))
    x = part(real)
    if imag is None:
        return (x @ cosines).movedim(-1, axis), None if from_half else (x @ sines).movedim(-1, axis)
    y = part(imag)
    result = x @ cosines - y @ sines
    rest = None if from_half else (x @ sines + y @ cosines).movedim(-1, axis)
    return result.movedim(-1, axis), rest


def spectrum(
    torch: ModuleType,
    x: Tensor,
    size: int,
    hop: int,
    length: int,
    window: Tensor | list[float] | None,
    half: bool,
    normalized: bool,
) -> tuple[Tensor, Tensor]:
    """The short-time Fourier transform of each row of `x`, in frames of `size` elements: a convolution with windowed waves."""
    columns, before = size // 2 + 1 if half else size, (size - length) // 2
    room = (before, size - length - before)
    cosines, sines = _waves(columns, size, size)
    filters = np.concatenate([cosines, -sines]) * (1 / math.sqrt(size) if normalized else 1.0)
    weights = [1.0] * length if window is None else window
    if isinstance(weights, (list, tuple)):
        table = torch.tensor((filters * np.pad(weights, room)).tolist(), dtype=x.dtype)
    else:
        table = torch.tensor(filters.tolist(), dtype=x.dtype) * torch.nn.functional.pad(weights.to(x.dtype), room)
    rows = x if x.dim() == 2 else x[None]
    result = torch.nn.functional.conv1d(rows[:, None], table[:, None], stride=hop)
    real, imag = result[:, :columns], result[:, columns:]
    return (real, imag) if x.dim() == 2 else (real[0], imag[0])


def signal(
    torch: ModuleType,
    real: Tensor,
    imag: Tensor,
    size: int,
    hop: int,
    length: int,
    window: Tensor | list[float] | None,
    *,
    center: bool,
    normalized: bool,
    count: int | None,
) -> Tensor:
    """The inverse of `spectrum` of half the columns: a transposed convolution that adds up frames, divided by the sums of the
    squared window.

    `count` is the number of elements of the result, None for all that the frames give.
    """
    rows, imag_rows = (part if part.dim() == 3 else part[None] for part in (real, imag))
    columns, frames, before = rows.shape[1], rows.shape[2], (size - length) // 2
    cosines, sines = _waves(columns, size, size)
    number, factor = np.arange(columns)[:, None], (math.sqrt(size) if normalized else 1.0) / size
    factors = factor * np.where((number == 0) | (2 * number == size), 1.0, 2.0)
    room, weights = (before, size - length - before), [1.0] * length if window is None else window
    if not isinstance(weights, (list, tuple)):
        raise NotImplementedError("a window that is computed has no form")
    shape = np.pad(np.asarray(weights, np.float64), room)
    filters = np.concatenate([factors * cosines, -factors * sines]) * shape
    table = torch.tensor(filters.tolist(), dtype=real.dtype)
    result = torch.nn.functional.conv_transpose1d(torch.cat([rows, imag_rows], 1), table[:, None], stride=hop)[:, 0]
    total = np.zeros(size + hop * (frames - 1))
    for frame in range(frames):
        total[frame * hop : frame * hop + size] += shape**2
    start = size // 2 if center else 0
    end = len(total) - (size // 2 if center else 0) if count is None else start + count
    inner = total[start : min(end, len(total))]
    result = result[:, start : start + len(inner)] * torch.tensor((1 / inner).tolist(), dtype=real.dtype)
    if end - start > len(inner):
        result = torch.nn.functional.pad(result, (0, end - start - len(inner)))
    return result if real.dim() == 3 else result[0]
