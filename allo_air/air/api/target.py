"""Which device a launch is traced for."""

from __future__ import annotations

from allo_air.air.api.errors import ValueError
from allo_air.air.backend.target import detect_target_device, is_npu
from allo_air.device import DEVICES


def target_of(target: object, who: str) -> str:
    """The device that `target` names; None and "auto" ask the machine. ValueError for an unknown one."""
    name = detect_target_device() if target in (None, "auto") else target
    if not isinstance(name, str) or not is_npu(name):
        names = ", ".join(d for d in DEVICES if is_npu(d))
        raise ValueError(f"{who}: target is {name!r}, expected 'auto' or one of {names}")
    return name


def default_shape(counts: tuple[int, ...], target: str) -> tuple[int, ...]:
    """The physical shape of a herd that gives none: along each axis the largest divisor of the count within the device's limit.

    The limits let three tensors stream through the shims of the columns that the herd stands in.
    """
    wide = DEVICES[target].arch == DEVICES["npu2"].arch
    limits = ((8,) if wide else (4,)) if len(counts) == 1 else ((2, 4) if wide else (1, 4))
    limits = (min(limits[0], DEVICES[target].columns), *limits[1:])  # of a part of a device
    return tuple(max(d for d in range(1, limit + 1) if count % d == 0) for count, limit in zip(counts, limits, strict=True))
