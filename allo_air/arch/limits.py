"""Limits that all generations share: fields of packets, tasks and descriptors, and limits of mlir-aie for them.

Figures without a source of their own are from docs/sources.md#device.
"""

from types import MappingProxyType

from allo_air.device import Device

MAX_PACKET_ID, MAX_PACKET_TYPE = 31, 7
"""Largest values of the packet header's 5-bit id and 3-bit type."""

ARBITERS, MSELS, RULES_PER_PORT = 6, 4, 4
"""Packet switching, per switch: arbiters, master selects of each, and rules (slots) of a slave port."""

MAX_REPEAT = 256
"""The largest number of runs of a queued task; the queue word holds it less one in 8 bits."""

QUEUE_DEPTH = 4
"""Tasks that a DMA channel's queue holds (AM020)."""

NEIGHBOUR_CHANNELS = 4
"""DMA channels of a memtile, in each direction from 0 on, that reach memory and locks of the adjacent memtiles."""

BLOCK_BITS = MappingProxyType({"vector<1x9xui8>": 72, "vector<1x17xui8>": 136})
"""Bits of a block of block floating point, by the type that it has in memory (`allo_air/asm/blocks.py`)."""

MAX_PATCH, MAX_ELEMENTS = 1 << 32, 1 << 31
"""Bytes and elements of a host array that transfers reach: a BD's address is patched by 32 bits
(docs/sources.md#npu-instructions), and `offset` of `aie.dma_bd` is an i32 of elements (docs/sources.md#aie-dialect)."""

MAX_SIZE, MAX_STRIDE = 512, (1 << 19) - 1
"""Largest size, and largest stride in elements, that mlir-aie accepts for a dimension of a BD of a core or memtile, even if
the BD's fields are wider (docs/sources.md#aie-dialect).
"""

STACK_BYTES = 1024
"""Default size of a core's stack in bytes (mlir-aie's default); the buffers lie after it."""

BUFFER_ALIGNMENT = 32
"""Bytes; that of the narrowest vector load, which mlir-aie gives every buffer."""


def core_room(device: Device) -> int:
    """Bytes of a core's memory without its stack."""
    return device.tiles["core"].memory - STACK_BYTES
