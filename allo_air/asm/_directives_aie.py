"""The directives of the AIE and AIEX dialects by name."""

from __future__ import annotations

from typing import Any

from allo_air.asm._directives_aiex import Mixed, NpuCoordinates, RtpAttributes, RtpBuffer
from allo_air.asm._directives_objectfifo import ObjectFifo, ObjectFifoLink
from allo_air.asm._directives_tile import (
    ArgumentsRegion,
    Device,
    InitialValue,
    LockValue,
    SequenceRegion,
    ShimAllocation,
    SignlessValue,
    Unknown,
    WithType,
)

AIE_DIRECTIVES: dict[str, Any] = {
    "device": Device,
    "unknown": Unknown,
    "signless_value": SignlessValue,
    "with_type": WithType,
    "initial_value": InitialValue,
    "lock_value": LockValue,
    "shim_allocation": ShimAllocation,
    "arguments_region": ArgumentsRegion,
    "sequence_region": SequenceRegion,
    "objectfifo": ObjectFifo,
    "objectfifo_link": ObjectFifoLink,
    "mixed": Mixed,
    "npu_coordinates": NpuCoordinates,
    "rtp_buffer": RtpBuffer,
    "rtp_attributes": RtpAttributes,
}
