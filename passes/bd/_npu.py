"""Which devices have descriptors with several dimensions."""

from __future__ import annotations

from allo_air.device import DEVICES
from allo_air.dialects._enums import DEVICE
from allo_air.errors import PassError


def check_npu(name: str, device: str) -> None:
    """Raises PassError unless option `device` of pass `name` is an NPU."""
    known = DEVICES.get(DEVICE.aliases.get(device, device))
    npus = ", ".join(n for n, d in DEVICES.items() if d.is_npu)
    if known is None:
        raise PassError(f"pass '{name}': option 'device' is '{device}', wanted one of {npus}")
    if not known.is_npu:
        raise PassError(
            f"pass '{name}': option 'device' is '{device}', whose descriptors walk one dimension, and no pass behind this one"
            f" lowers it to a program; wanted one of {npus}"
        )
