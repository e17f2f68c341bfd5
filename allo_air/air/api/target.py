"""The device for which a launch is traced."""

from __future__ import annotations

from allo_air.air.api.errors import ValueError
from allo_air.air.backend.target import detect_target_device, is_npu
from allo_air.device import DEVICES


def target_of(target: object, who: str) -> str:
    """The device called `target`; None and "auto" detect the machine's NPU. ValueError for an unknown name."""
    name = detect_target_device() if target in (None, "auto") else target
    if not isinstance(name, str) or not is_npu(name):
        names = ", ".join(d for d in DEVICES if is_npu(d))
        raise ValueError(f"{who}: target is {name!r}, expected 'auto' or one of {names}")
    return name


def default_shape(counts: tuple[int, ...], target: str) -> tuple[int, ...]:
    """The default physical shape of a herd: along each axis, the largest divisor of the count within the device's limit. With
    these limits, three tensors can stream through the shims of the herd's columns.
    """
    wide = DEVICES[target].arch == DEVICES["npu2"].arch
    limits = ((8,) if wide else (4,)) if len(counts) == 1 else ((2, 4) if wide else (1, 4))
    limits = (min(limits[0], DEVICES[target].columns), *limits[1:])  # a name of a column subset
    return tuple(max(d for d in range(1, limit + 1) if count % d == 0) for count, limit in zip(counts, limits, strict=True))
