"""Peak rates and clocks, for reports: what the hardware could do at best (`docs/sources.md#timing`)."""

from __future__ import annotations

from allo_air.device import Device

PEAK_MACS = {
    "AIE2": {"i8": 256, "i16": 64, "i32": 16, "bf16": 128},
    "AIE2p": {"i8": 512, "i16": 128, "bf16": 64},
}
"""Multiply-accumulates per cycle and core by operand type: mlir-aie's programming guide 4c; AIE2p bf16 is the native rate of
its ArchSpec, i8 and i16 are the sizes of its mmul. Types that are missing have no multiplier of their own."""

CLOCK_SOURCE = {"AIE2": "nominal, AM020", "AIE2p": "nominal, AIE2P ArchSpec"}

SHIM_BYTES_PER_CYCLE = {"AIE2": 4, "AIE2p": 8}
"""Of one shim DMA channel: a stream word of 32 bit (AM020), of 64 bit on AIE2p (AM027)."""

DDR_BYTES_PER_SECOND = {"AIE2": 15e9, "AIE2p": 50e9}
"""Effective DDR bandwidth in GEMM access patterns (AMD's GEMM study, arXiv 2512.13282)."""


def peak_macs(device: Device, element: str) -> int | None:
    """MACs per cycle of one core for operands of `element`; None where the core has no such multiplier."""
    return PEAK_MACS.get(device.arch, {}).get(element)


def clock_source(device: Device) -> str:
    """Where `Device.nominal_mhz` comes from."""
    return CLOCK_SOURCE.get(device.arch, "nominal")
