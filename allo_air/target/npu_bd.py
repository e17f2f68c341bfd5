"""Buffer descriptors of shim, memtile and core DMAs, field by field, as the words of their registers (facts/device.md 2.6)."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from allo_air.device import Device
from allo_air.target.npu_shim import Transfer

BD_BASE = {"shim_noc": 0x1D000, "mem": 0xA0000, "core": 0x1D000}
BD_STRIDE = 0x20
QUEUE_BASE = {"shim_noc": (0x1D204, 0x1D214), "mem": (0xA0604, 0xA0634), "core": (0x1DE04, 0x1DE14)}
"""Task queues of channel 0, S2MM and MM2S; a channel's are 8 bytes apart, and its control register lies 4 bytes before."""

LOCK_BASE = {"shim_noc": 0x14000, "mem": 0xC0000, "core": 0x1F000}
LOCK_STRIDE = 0x10
OWN_LOCKS = {"shim_noc": 0, "mem": 64, "core": 0}
"""What a tile's own lock 0 is called in its BDs: memtiles count their western neighbour's first."""

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
        """The registers of a BD in a tile of `kind`."""
        return {"shim_noc": self._shim, "mem": self._memtile, "core": self._core}[kind]()

    def _shim(self) -> tuple[int, ...]:
        return (
            self.buffer_length,
            self.buffer_offset,
            self.enable_packet << 30 | self.out_of_order_id << 24 | self.packet_id << 19 | self.packet_type << 16,
            _field(self.d0_size, 10, 20) | _field(self.d0_stride, 20),
            self.burst << 30 | _field(self.d1_size, 10, 20) | _field(self.d1_stride, 20),
            _AX_CACHE << 24 | _field(self.d2_stride, 20),
            _field(self.iteration_current, 6, 26) | _field(self.iteration_size, 6, 20) | _field(self.iteration_stride, 20),
            self._control(),
        )

    def _control(self) -> int:
        """The last word of shim and core BDs."""
        return (
            _field(self.next_bd, 4, 27)
            | self.use_next_bd << 26
            | self.valid_bd << 25
            | _field(self.lock_rel_val, 7, 18)
            | _field(self.lock_rel_id, 4, 13)
            | self.lock_acq_enable << 12
            | _field(self.lock_acq_val, 7, 5)
            | _field(self.lock_acq_id, 4)
        )

    def _memtile(self) -> tuple[int, ...]:
        """The wrap of d2 is not written: tasks have no fourth dimension, so the length ends it."""
        return (
            self.enable_packet << 31
            | self.packet_type << 28
            | self.packet_id << 23
            | self.out_of_order_id << 17
            | _field(self.buffer_length, 17),
            _field(self.d0_zero_before, 6, 26)
            | _field(self.next_bd, 6, 20)
            | self.use_next_bd << 19
            | _field(self.buffer_offset, 19),
            _field(self.d0_size, 10, 17) | _field(self.d0_stride, 17),
            _field(self.d1_zero_before, 5, 27) | _field(self.d1_size, 10, 17) | _field(self.d1_stride, 17),
            _field(self.d2_zero_before, 4, 27) | _field(self.d2_stride, 17),
            _field(self.d2_zero_after, 4, 28) | _field(self.d1_zero_after, 5, 23) | _field(self.d0_zero_after, 6, 17),
            _field(self.iteration_current, 6, 23) | _field(self.iteration_size, 6, 17) | _field(self.iteration_stride, 17),
            self.valid_bd << 31
            | _field(self.lock_rel_val, 7, 24)
            | _field(self.lock_rel_id, 8, 16)
            | self.lock_acq_enable << 15
            | _field(self.lock_acq_val, 7, 8)
            | _field(self.lock_acq_id, 8),
        )

    def _core(self) -> tuple[int, ...]:
        return (
            _field(self.buffer_offset // 4, 14, 14) | _field(self.buffer_length, 14),
            self.enable_packet << 30 | self.out_of_order_id << 24 | self.packet_id << 19 | self.packet_type << 16,
            _field(self.d1_stride, 13, 13) | _field(self.d0_stride, 13),
            _field(self.d1_size, 8, 21) | _field(self.d0_size, 8, 13) | _field(self.d2_stride, 13),
            _field(self.iteration_current, 6, 19) | _field(self.iteration_size, 6, 13) | _field(self.iteration_stride, 13),
            self._control(),
        )


def _field(value: int, bits: int, shift: int = 0) -> int:
    """`value` in two's complement in `bits` bits from bit `shift` on."""
    return (value & (1 << bits) - 1) << shift


def of_transfer(transfer: Transfer, device: Device, kind: str) -> BufferDescriptor:
    """The descriptor of an access pattern, without links and locks; `transfer` has no problems in a tile of `kind`."""
    sizes, strides = transfer.sizes, transfer.strides
    made = BufferDescriptor(buffer_length=transfer.length, buffer_offset=transfer.byte_offset)
    if not transfer.linear:
        made = replace(
            made,
            d0_size=transfer.in_words(sizes[0]),
            d0_stride=transfer.step(0),
            d1_size=sizes[1],
            d1_stride=transfer.step(1) if sizes[1] > 1 else 0,
            d2_size=sizes[2] if kind == "mem" else 0,
            d2_stride=transfer.step(2) if sizes[2] > 1 else 0,
        )
    if sizes[3] > 1 and strides[3] > 0:
        made = replace(made, iteration_size=sizes[3] - 1, iteration_stride=transfer.step(3))
    if transfer.packet is not None:
        packet_type, packet_id = transfer.packet
        made = replace(made, enable_packet=1, packet_type=packet_type, packet_id=packet_id)
    return replace(made, burst=burst_of(device, transfer.burst)) if kind == "shim_noc" else made


def burst_of(device: Device, length: int) -> int:
    """The field for bursts of `length` bytes; 0 asks for the longest."""
    lengths = device.burst_lengths
    return lengths.index(length) if length else len(lengths) - 1
