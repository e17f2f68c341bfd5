"""The overhead of a kernel's run: before its first data and after its last."""

from __future__ import annotations

from allo_air.arch import Timing

CHANNEL = 1075
"""Cycles of the control processor until a shim's channel is programmed and started (docs/sources.md#timing)."""

FIRST = 1100
"""Cycles until the first words of a cold shim channel (1103 to 1126; docs/sources.md#timing)."""


def with_launch_overhead(cycles: float, channels: int = 0) -> float:
    """Cycles of a run whose work takes `cycles`, while the control processor starts `channels` of the shims one by one."""
    return FIRST + max(cycles, CHANNEL * channels) + Timing.token_tail
