"""The overhead of a kernel's run: before its first data and after its last."""

from __future__ import annotations

from allo_air.arch.control import control_of
from allo_air.device import Device


def with_launch_overhead(cycles: float, device: Device, channels: int = 0) -> float:
    """Cycles of a run whose work takes `cycles`, while the control processor starts `channels` of the shims one by one."""
    control = control_of(device)
    return control.cold + max(cycles, control.channel * channels) + control.tail
