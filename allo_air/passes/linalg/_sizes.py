"""The sizes of a plan that the user sets (options of `plan-gemm`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from allo_air.device import Device
from allo_air.errors import counted
from allo_air.passes.linalg._limits import MIN_PIECE
from allo_air.passes.linalg._plan import L2_PIECE, Panel


@dataclass(frozen=True)
class Sizes:
    """Sizes that the user sets; the planner chooses those that are 0.

    Once a size is set, operands have panels in L2 only if `panel` asks for it.
    """

    herd_m: int = 0
    """Rows of a core's tile of the result."""
    herd_n: int = 0
    """Columns of a core's tile."""
    k_step: int = 0
    """Elements along k that a core receives at a time."""
    cores_m: int = 0
    """Cores along the rows of the result."""
    cores_n: int = 0
    """Cores along its columns."""
    panel: Literal["auto", "none", "a", "b"] = "auto"
    """The operand with a panel in L2."""
    channels: int = 0
    """Shim channels that the kernel may use, of all columns."""

    @property
    def is_empty(self) -> bool:
        """Whether tiles, cores and steps are all left to the planner."""
        return not (self.herd_m or self.herd_n or self.k_step or self.cores_m or self.cores_n)

    def allows_pairs(self, device: Device) -> bool:
        """Whether pieces of B may go to pairs of memtiles: not if sizes are set or the shim channels are limited."""
        return self.is_empty and not 0 < self.channels < device.columns * device.tiles["shim_noc"].channels[1]

    @property
    def min_pieces(self) -> tuple[int, ...]:
        """Lower bounds of the pieces to try: elements along k of an L2 buffer."""
        if self.is_empty or any(self.allowed_panels):
            return tuple(MIN_PIECE << power for power in range(6))
        return (L2_PIECE,)

    @property
    def allowed_panels(self) -> tuple[Panel, ...]:
        """The panels to try; "" stands for none."""
        match self.panel:
            case "auto":
                return ("", "a", "b") if self.is_empty else ("",)
            case "none":
                return ("",)
        return (self.panel,)


def size_error(sizes: Sizes, micro: tuple[int, int, int], device: Device) -> str | None:
    """Why `sizes` do not suit a micro-tile of m x n x k elements and a device: one is negative, not a multiple, or needs more
    cores in a line than any plan has; None if they do.
    """
    for name, size, unit in zip(("herd-m", "herd-n", "k-step"), (sizes.herd_m, sizes.herd_n, sizes.k_step), micro, strict=True):
        if size < 0 or size % unit:
            return f"{name}={size} is not a multiple of {unit}, the size of the micro-tile of this type and device"
    for name, cores in (("cores-m", sizes.cores_m), ("cores-n", sizes.cores_n)):
        if cores < 0:
            return f"{name}={cores} is negative; 0 leaves it open"
        columns, rows = device.columns, len(device.core_rows)
        if cores > max(columns, rows) and (cores % rows or cores > columns * rows):
            return (
                f"{name}={cores} does not fit: {device.name} has {counted(columns, 'column')} of "
                f"{counted(rows, 'core')}; expected at most "
                f"{max(columns, rows)}, or all {columns * rows}"
            )
    return None
