"""Copies the arrays of a call to the device's buffers and back, for one kernel or for several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from allo_air.program.host import arrays
from allo_air.program.host.signature import Argument

if TYPE_CHECKING:
    import numpy as np

    from allo_air.program.lowering import Lowered


def to_device(lowered: Lowered, arguments: Sequence[Argument], bound: Sequence[np.ndarray]) -> list[Any]:
    """The device's arrays for the arrays of a call."""
    if lowered.linked is not None:
        return lowered.linked.to_device(bound, lowered.constants)
    return [arrays.to_device(argument, array) for argument, array in zip(arguments, bound, strict=True)]


def constants_of(lowered: Lowered) -> dict[int, Any]:
    """The device's arrays that no caller passes, such as weights, by the number of the buffer."""
    import numpy as np

    if lowered.linked is None:
        return {}
    buffers = enumerate(lowered.linked.buffers)
    return {
        n: np.array(lowered.constants[b.constant], order="C").reshape(b.shape) for n, b in buffers if b.constant is not None
    }


def from_device(
    lowered: Lowered, arguments: Sequence[Argument], device: Sequence[np.ndarray], bound: Sequence[np.ndarray]
) -> None:
    """Copies the device's results into the arrays of a call."""
    if lowered.linked is not None:
        lowered.linked.from_device(arguments, device, bound, lowered.constants)
        return
    for argument, array, moved in zip(arguments, bound, device, strict=True):
        if argument.role != "in":
            arrays.from_device(argument, moved, array)
