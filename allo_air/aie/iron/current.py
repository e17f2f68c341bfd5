"""The default device of designs."""

from __future__ import annotations

from contextvars import ContextVar

from allo_air.aie.iron.device import Device, from_name
from allo_air.device import default_npu

_DEVICE: ContextVar[Device | None] = ContextVar("allo_air_iron_device", default=None)


def set_current_device(device: Device | None) -> None:
    """Makes `device` the current one; None restores the default."""
    _DEVICE.set(device)


def get_current_device() -> Device:
    """The device that was set, else npu1, or npu2 where the environment has NPU2=1."""
    return _DEVICE.get() or from_name(default_npu())


ensure_current_device = get_current_device
