"""The devices as frozen data: grid, tile kinds, memories, locks, DMA engines and stream-switch ports.

Figures without a source of their own are those of `docs/sources.md#device` (AMD AM020, mlir-aie's target model and aie-rt).
Coordinates are `(column, row)`; sizes are bytes; a channel count is a pair `(S2MM, MM2S)`.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Literal

Arch = Literal["AIE1", "AIE2", "AIE2p"]
Kind = Literal["core", "mem", "shim_noc", "shim_pl"]
Coordinate = tuple[int, int]


@dataclass(frozen=True)
class BDFormat:
    """Widths of a buffer descriptor's fields, in bits; a wrap or padding field that a dimension does not have is left out."""

    dimensions: int  # without the iteration
    wrap_bits: tuple[int, ...]  # innermost first; 0: does not wrap
    step_bits: int  # stored less one, in 32-bit words
    length_bits: int  # in words
    base_bits: int  # in words
    iteration_wrap_bits: int = 6  # stored less one
    pad_bits: tuple[int, ...] = ()  # innermost first, in words for dimension 0

    @cached_property
    def max_wraps(self) -> tuple[int, ...]:
        """Largest size of each dimension that has a wrap field, innermost first, in words for dimension 0."""
        return tuple((1 << bits) - 1 for bits in self.wrap_bits)

    @property
    def max_step(self) -> int:
        """Largest stride, in words."""
        return 1 << self.step_bits

    @property
    def max_iterations(self) -> int:
        """Largest size of the iteration dimension."""
        return 1 << self.iteration_wrap_bits

    @property
    def max_words(self) -> int:
        """Largest transfer, in words."""
        return (1 << self.length_bits) - 1


@dataclass(frozen=True)
class Ports:
    """Ports of a stream switch by bundle: `masters` are destinations inside the switch, `slaves` are sources."""

    masters: Mapping[str, int]
    slaves: Mapping[str, int]


@dataclass(frozen=True)
class Tile:
    """The resources of every tile of one kind."""

    kind: Kind
    memory: int
    banks: int
    program_memory: int
    locks: int
    bds: int
    channels: tuple[int, int]
    bd: BDFormat | None
    ports: Ports


def _ports(masters: str, slaves: str) -> Ports:
    def table(text: str) -> Mapping[str, int]:
        pairs = (item.split("=") for item in text.split())
        return MappingProxyType({bundle: int(count) for bundle, count in pairs})

    return Ports(table(masters), table(slaves))


CORE_BD = BDFormat(dimensions=3, wrap_bits=(8, 8), step_bits=13, length_bits=14, base_bits=14)
MEM_BD = BDFormat(dimensions=4, wrap_bits=(10, 10, 10), step_bits=17, length_bits=17, base_bits=19, pad_bits=(6, 5, 4))
MEMTILE_WINDOW = 0x80000
"""Bytes of addresses of each memtile that a memtile's DMA sees: its western neighbour, itself, its eastern one."""

SHIM_BD = BDFormat(dimensions=3, wrap_bits=(10, 10), step_bits=20, length_bits=32, base_bits=44)

AIE1_BD = BDFormat(dimensions=0, wrap_bits=(), step_bits=13, length_bits=13, base_bits=13)
"""A core's descriptor on AIE1: runs of neighbours in 32 KiB (AM009). Its two-dimensional addressing is not used: mlir-aie's
dialect refuses dimensions in the descriptors of AIE1."""

CORE_TILE = Tile(
    "core", 64 * 1024, 4, 16 * 1024, locks=16, bds=16, channels=(2, 2), bd=CORE_BD,
    ports=_ports(
        "Core=1 DMA=2 TileControl=1 FIFO=1 South=4 West=4 North=6 East=4",
        "Core=1 DMA=2 TileControl=1 FIFO=1 South=6 West=4 North=4 East=4 Trace=2",
    ),
)  # fmt: skip
MEM_TILE = Tile(
    "mem", 512 * 1024, 8, 0, locks=64, bds=48, channels=(6, 6), bd=MEM_BD,
    ports=_ports("DMA=6 TileControl=1 South=4 North=6", "DMA=6 TileControl=1 South=6 North=4 Trace=1"),
)  # fmt: skip
_SHIM_PORTS = _ports(
    "TileControl=1 FIFO=1 South=6 West=4 North=6 East=4",
    "TileControl=1 FIFO=1 South=8 West=4 North=4 East=4 Trace=2",
)
SHIM_TILE = Tile("shim_noc", 0, 0, 0, locks=16, bds=16, channels=(2, 2), bd=SHIM_BD, ports=_SHIM_PORTS)
_SHIM_PL = Tile("shim_pl", 0, 0, 0, locks=0, bds=0, channels=(0, 0), bd=None, ports=_SHIM_PORTS)
_AIE1_SHIM_PORTS = _ports(
    "TileControl=1 FIFO=2 South=6 West=4 North=6 East=4",
    "TileControl=1 FIFO=2 South=8 West=4 North=4 East=4 Trace=1",
)
_AIE1: dict[str, Tile] = {
    "core": Tile(
        "core", 32 * 1024, 4, 16 * 1024, locks=16, bds=16, channels=(2, 2), bd=AIE1_BD,
        ports=_ports(
            "Core=2 DMA=2 TileControl=1 FIFO=2 South=4 West=4 North=6 East=4",
            "Core=2 DMA=2 TileControl=1 FIFO=2 South=6 West=4 North=4 East=4 Trace=2",
        ),
    ),
    "shim_noc": Tile("shim_noc", 0, 0, 0, locks=16, bds=16, channels=(2, 2), bd=None, ports=_AIE1_SHIM_PORTS),
    "shim_pl": Tile("shim_pl", 0, 0, 0, locks=0, bds=0, channels=(0, 0), bd=None, ports=_AIE1_SHIM_PORTS),
}  # fmt: skip
_AIE2: dict[str, Tile] = {tile.kind: tile for tile in (CORE_TILE, MEM_TILE, SHIM_TILE, _SHIM_PL)}

SHIM_MUX = _ports("DMA=2 NOC=4 PLIO=6 South=8", "DMA=2 NOC=4 PLIO=8 South=6")
"""Ports of the multiplexer between the shim's DMA and its switch."""


@dataclass(frozen=True)
class Device:
    """A device; `mem_rows` are the rows of memtiles, above them come the cores, row 0 is the shim.

    `noc_columns` are the columns whose shim tile has a DMA to external memory; None: all of them.
    """

    name: str
    arch: Arch
    columns: int
    rows: int
    mem_rows: tuple[int, ...] = (1,)
    noc_columns: frozenset[int] | None = None
    virtualized: bool = True  # the first column is chosen when the design is loaded
    tiles: Mapping[str, Tile] = field(default_factory=dict, repr=False, hash=False, compare=False)

    @property
    def core_rows(self) -> range:
        """The rows of cores, from south to north."""
        return range(1 + max(self.mem_rows, default=0), self.rows)

    @property
    def is_npu(self) -> bool:
        """Whether the device is an NPU, driven by an instruction stream."""
        return self.name.startswith("npu")

    def address(self, column: int, row: int, offset: int = 0) -> int:
        """The controller's address of register or memory `offset` of a tile."""
        return column << 25 | row << 20 | offset

    def split(self, address: int) -> tuple[int, int, int]:
        """Column, row and offset of an address: the inverse of method `address`."""
        return address >> 25, address >> 20 & 0x1F, address & 0xFFFFF

    def holds(self, column: int, row: int) -> bool:
        """Whether (column, row) is in the array."""
        return 0 <= column < self.columns and 0 <= row < self.rows

    def kind(self, column: int, row: int) -> Kind:
        """The kind of the tile at (column, row); ValueError outside the array."""
        if not self.holds(column, row):
            raise ValueError(f"{self.name} has no tile ({column}, {row}): it is {self.columns} columns by {self.rows} rows")
        if row == 0:
            return "shim_noc" if self.noc_columns is None or column in self.noc_columns else "shim_pl"
        return "mem" if row in self.mem_rows else "core"

    def tile(self, column: int, row: int) -> Tile:
        """The resources of the tile at (column, row). Raises ValueError outside of the array."""
        return self.tiles[self.kind(column, row)]

    def ports(self, column: int, row: int, bundle: str, *, master: bool) -> int:
        """Ports of `bundle` in the switch of (column, row); edges have none that point out of the array."""
        outward = {"West": column == 0, "East": column == self.columns - 1, "North": row == self.rows - 1}
        if outward.get(bundle, False):
            return 0
        ports = self.tile(column, row).ports
        return (ports.masters if master else ports.slaves).get(bundle, 0)

    def can_connect(self, column: int, row: int, source: tuple[str, int], dest: tuple[str, int]) -> bool:
        """Whether the switch of (column, row) can connect two ports that exist; AIE1's switch is taken as unrestricted."""
        (src, src_channel), (dst, dst_channel) = source, dest
        if self.arch == "AIE1":
            return True
        match self.kind(column, row):
            case "mem":
                if src == "Trace":
                    return dst == "South" or (dst == "DMA" and dst_channel == 5)
                vertical = {"North", "South"}
                if (src == dst == "DMA") or (src in vertical and dst in vertical):
                    return src_channel == dst_channel
                return True
            case "core":
                if src == "Trace":
                    return dst in ("FIFO", "South") or (dst == "DMA" and dst_channel == 0)
                return src != dst or (src != "Core" and src_channel == dst_channel)
            case _:
                if src == "Trace":
                    return dst in ("FIFO", "South") or (dst in ("West", "East") and dst_channel == 0)
                return True

    def sees_memory(self, viewer: Coordinate, owner: Coordinate) -> bool:
        """Whether the core or DMA of tile `viewer` reaches the data memory and the locks of tile `owner`.

        A core sees its own memory and that of its south, north and west neighbours (AIE1: the horizontal neighbour is east in
        even rows and west in odd ones); a memtile's DMA sees its own and its east and west neighbours'.
        """
        if viewer == owner:
            return True
        dx, dy = owner[0] - viewer[0], owner[1] - viewer[1]
        kind, owned = self.kind(*viewer), self.kind(*owner)
        if kind == "mem":
            return dy == 0 and abs(dx) == 1
        if dx == 0:
            return abs(dy) == 1 and owned != "mem"
        if self.arch == "AIE1":
            return dy == 0 and dx == (1 if viewer[1] % 2 == 0 else -1)
        return dy == 0 and dx == -1


def adjacent(a: Coordinate, b: Coordinate) -> bool:
    """Whether two tiles share an edge."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1


def _npu(generation: int, columns: int) -> Device:
    full = columns == (4 if generation == 1 else 8)
    name = f"npu{generation}" + ("" if full else f"_{columns}col")
    arch: Arch = "AIE2" if generation == 1 else "AIE2p"
    return Device(name, arch, columns, 6, virtualized=generation == 1 or not full, tiles=MappingProxyType(_AIE2))


def _versal(name: str, arch: Arch, columns: int, rows: int, mem_rows: tuple[int, ...], noc: str) -> Device:
    tiles: Mapping[str, Tile] = MappingProxyType(_AIE1 if arch == "AIE1" else _AIE2)
    return Device(name, arch, columns, rows, mem_rows, frozenset(map(int, noc.split())), virtualized=False, tiles=tiles)


_BY_NAME = {
    device.name: device
    for device in (
        *(_npu(1, columns) for columns in (4, 1, 2, 3)),
        *(_npu(2, columns) for columns in (8, 1, 2, 3, 4, 5, 6, 7)),
        _versal("xcvc1902", "AIE1", 50, 9, (), "2 3 6 7 10 11 18 19 26 27 34 35 42 43 46 47"),
        _versal("xcve2302", "AIE2", 17, 4, (1,), "2 3 6 7 10 11"),
        _versal("xcve2802", "AIE2", 38, 11, (1, 2), "2 3 6 7 14 15 22 23 30 31 34 35"),
    )
}  # fmt: skip
DEVICES: Mapping[str, Device] = MappingProxyType(_BY_NAME)
"""Devices by name; the shim columns of the two Versal AIE2 parts are those of mlir-aie's target model."""


def add_device(device: Device) -> None:
    """Makes `device` one of `DEVICES`; ValueError where another has its name."""
    if _BY_NAME.setdefault(device.name, device) != device:
        raise ValueError(f"there is another device {device.name}")


ALIASES: Mapping[str, str] = MappingProxyType(
    {"ipu": "npu1", "npu": "npu1", "npu1_4col": "npu1", "npu4": "npu2", "npu2_8col": "npu2"}
)
"""Other names of devices: earlier ones of `npu1`, IREE's of `npu2`, and those that count all columns."""


def known_as(name: str) -> str:
    """The name in DEVICES for `name`, which may be an alias in any case; `name` itself if it is unknown."""
    result = ALIASES.get(name.lower(), name.lower())
    return result if result in DEVICES else name


def default_npu() -> str:
    """The default device of Allo's and MLIR-AIR's programs: AIR_TARGET_DEVICE of the environment, npu2 if NPU2=1 is set,
    otherwise npu1.
    """
    named = known_as(os.environ.get("AIR_TARGET_DEVICE", ""))
    return named if named.startswith("npu") and named in DEVICES else "npu2" if os.environ.get("NPU2") == "1" else "npu1"
