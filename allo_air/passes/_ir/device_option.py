"""Option `device` of passes that run before there is an `aie.device`."""

from __future__ import annotations

from dataclasses import replace

from allo_air.arch import arch_of, core_of
from allo_air.core.match import NoMatch, expect_match, no_match
from allo_air.device import DEVICES, Device, known_as
from allo_air.errors import PassError
from allo_air.mlir import ir


def device_option(name: str, device: str, *, npu: bool = True, cols: int = 0) -> Device:
    """The device in option `device` of pass `name`, with at most `cols` columns unless that is 0.

    Raises PassError for an unknown name and, with `npu`, for a device that is not an NPU.
    """
    result = DEVICES.get(known_as(device))
    if result is not None and (result.is_npu or not npu):
        return replace(result, columns=cols) if cols and cols < result.columns else result
    allowed = f"expected one of {', '.join(n for n, d in DEVICES.items() if d.is_npu or not npu)}"
    if result is None:
        raise PassError(f"pass '{name}': option 'device' is '{device}', {allowed}")
    raise PassError(
        f"pass '{name}': option 'device' is '{device}', whose descriptors walk one dimension, and no pass after this one"
        f" lowers it to a program; {allowed}"
        if not arch_of(result).semaphore_locks
        else f"pass '{name}': option 'device' is '{device}', which no instruction stream drives; {allowed}"
    )


def refuse_blocks(op: ir.Operation, device: Device) -> None:
    """Raises DiagnosticError if `op` would use block floating point on a device without it."""
    expect_match(without_blocks(op, device))


def without_blocks(op: ir.Operation, device: Device) -> NoMatch | None:
    """The failure of an operation that would use block floating point on a device without it; otherwise None."""
    if any(c.blocks for c in core_of(device.arch).contractions):
        return None
    return no_match(op, f"is planned in block floating point (bfp16), which the cores of {device.name} do not have")
