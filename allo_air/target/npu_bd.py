"""Buffer descriptors of shim, memtile and core DMAs, field by field, as the words of their registers (sources.md#device)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache

from allo_air.arch import arch_of
from allo_air.device import Device
from allo_air.target.bd_layout import LAYOUTS, pack

BD_BASE = {"shim_noc": 0x1D000, "mem": 0xA0000, "core": 0x1D000}
BD_STRIDE = 0x20
QUEUE_BASE = {"shim_noc": (0x1D204, 0x1D214), "mem": (0xA0604, 0xA0634), "core": (0x1DE04, 0x1DE14)}
"""Task queues of channel 0, S2MM and MM2S; a channel's are 8 bytes apart, and its control register lies 4 bytes before."""

LOCK_BASE = {"shim_noc": 0x14000, "mem": 0xC0000, "core": 0x1F000}
LOCK_STRIDE = 0x10
OWN_LOCKS = {"shim_noc": 0, "mem": 64, "core": 0}
"""The number of a tile's own lock 0 in its BDs: memtiles count the locks of their western neighbour first."""

_AX_CACHE = 2


@dataclass(frozen=True)
class BufferDescriptor:
    """The fields of `aiex.npu.writebd` under their own names; sizes and steps as the hardware stores them, `burst` encoded."""

    buffer_length: int = 0
    buffer_offset: int = 0
    enable_packet: int = 0
    out_of_order_id: int = 0
    packet_id: int = 0
    packet_type: int = 0
    d0_size: int = 0
    d0_stride: int = 0
    d1_size: int = 0
    d1_stride: int = 0
    d2_size: int = 0
    d2_stride: int = 0
    iteration_current: int = 0
    iteration_size: int = 0
    iteration_stride: int = 0
    next_bd: int = 0
    use_next_bd: int = 0
    valid_bd: int = 1
    lock_rel_val: int = 0
    lock_rel_id: int = 0
    lock_acq_enable: int = 0
    lock_acq_val: int = 0
    lock_acq_id: int = 0
    d0_zero_before: int = 0
    d1_zero_before: int = 0
    d2_zero_before: int = 0
    d0_zero_after: int = 0
    d1_zero_after: int = 0
    d2_zero_after: int = 0
    burst: int = 0

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(f.name for f in fields(cls))

    def words(self, kind: str) -> tuple[int, ...]:
        """The registers of a BD in a tile of `kind`; bits that do not fit a field are dropped, as the real tool drops them.

        The wrap of a memtile's d2 is not written: tasks have no fourth dimension, so the length ends it.
        """
        base = LAYOUTS[kind]["base"]
        words = list(_without_base(kind, tuple(v for name, v in vars(self).items() if name != "buffer_offset")))
        words[base.word] |= base.put(self.buffer_offset // (1 if kind == "mem" else 4))
        return tuple(words)


@lru_cache(maxsize=1024)
def _without_base(kind: str, fields: tuple[int, ...]) -> tuple[int, ...]:
    """The registers of a BD with all fields except `buffer_offset`, the only field in which many BDs of a sequence differ."""
    arguments = dict(zip((n for n in BufferDescriptor.names() if n != "buffer_offset"), fields, strict=True))
    values = {field: arguments[name] for name, field in FIELDS.items() if field in LAYOUTS[kind]}
    if kind == "shim_noc":
        values["ax_cache"] = _AX_CACHE
    values.pop("d2_wrap", None)
    return pack(kind, values)


FIELDS = {
    "buffer_length": "length", "enable_packet": "enable_packet", "out_of_order_id": "ooo_id", "packet_id": "packet_id",
    "packet_type": "packet_type", "d0_size": "d0_wrap", "d0_stride": "d0_step", "d1_size": "d1_wrap", "d1_stride": "d1_step",
    "d2_size": "d2_wrap", "d2_stride": "d2_step", "iteration_current": "iteration_current", "iteration_size": "iteration_wrap",
    "iteration_stride": "iteration_step", "next_bd": "next_bd", "use_next_bd": "use_next", "valid_bd": "valid",
    "lock_rel_val": "rel_value", "lock_rel_id": "rel_id", "lock_acq_enable": "acq_enable", "lock_acq_val": "acq_value",
    "lock_acq_id": "acq_id", "d0_zero_before": "d0_before", "d1_zero_before": "d1_before", "d2_zero_before": "d2_before",
    "d0_zero_after": "d0_after", "d1_zero_after": "d1_after", "d2_zero_after": "d2_after", "burst": "burst",
}  # fmt: skip
"""Fields of the registers by the names that `aiex.npu.writebd` gives them."""


def burst_of(device: Device, length: int) -> int:
    """The field for bursts of `length` bytes; 0 asks for the longest."""
    lengths = arch_of(device).burst_lengths
    return lengths.index(length) if length else len(lengths) - 1
