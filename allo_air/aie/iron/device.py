"""Devices, as classes for the members of mlir-aie's enumeration, and tiles, which may be unplaced."""

from __future__ import annotations

from typing import Any, ClassVar

from allo_air.aie.building.errors import IronValueError, at_place, user_place
from allo_air.aie.dialects._aie_tiles import logical_tile
from allo_air.device import DEVICES
from allo_air.device import Device as _Device

CORE, MEMORY, SHIM = "CoreTile", "MemTile", "ShimNOCTile"


class Device:
    """A device of `aie.iron.device`; `name` is its name in the aie dialect."""

    name: ClassVar[str] = ""

    def __init__(self, name: str | None = None):
        self._of: _Device = DEVICES[name or self.name]

    @property
    def dialect_name(self) -> str:
        """The device's name in `aie.device(...)`."""
        return self._of.name

    @property
    def cols(self) -> int:
        """Columns."""
        return self._of.columns

    @property
    def rows(self) -> int:
        """Rows, those of shims and memtiles included."""
        return self._of.rows

    @property
    def arch(self) -> str:
        """AIE2 or AIE2p."""
        return self._of.arch

    def get_tile_type(self, col: int, row: int) -> str:
        """CoreTile, MemTile, ShimNOCTile, or ShimPLTile."""
        return {"core": CORE, "mem": MEMORY, "shim_noc": SHIM, "shim_pl": "ShimPLTile"}[self._of.kind(col, row)]

    def get_shim_tiles(self) -> list[Tile]:
        """Its shims, column by column."""
        return self._tiles(SHIM)

    def get_mem_tiles(self) -> list[Tile]:
        """Its memtiles."""
        return self._tiles(MEMORY)

    def get_compute_tiles(self) -> list[Tile]:
        """Its cores."""
        return self._tiles(CORE)

    def _tiles(self, kind: str) -> list[Tile]:
        places = [(c, r) for c in range(self.cols) for r in range(self.rows)]
        return [Tile(c, r) for c, r in places if self.get_tile_type(c, r) == kind]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and self.dialect_name == other.dialect_name

    def __hash__(self) -> int:
        return hash(self.dialect_name)

    def __repr__(self) -> str:
        return f"<device {self.dialect_name}>"


def _member(name: str) -> type[Device]:
    base, _, columns = name.partition("_")
    public = base.upper() + (f"Col{columns.removesuffix('col')}" if columns else "")
    return type(public, (Device,), {"name": name, "__doc__": f"`{name}`."})


_MEMBERS = {m.__name__: m for m in (_member(n) for n in DEVICES if n.startswith("npu"))}
XCVC1902, XCVE2302, XCVE2802 = (type(n.upper(), (Device,), {"name": n}) for n in ("xcvc1902", "xcve2302", "xcve2802"))
NPU1Col4 = _MEMBERS["NPU1"]  # its name in 2025
NPU1, NPU1Col1, NPU1Col2, NPU1Col3 = (_MEMBERS[f"NPU1{c}"] for c in ("", "Col1", "Col2", "Col3"))
NPU2, NPU2Col1, NPU2Col2, NPU2Col3 = (_MEMBERS[f"NPU2{c}"] for c in ("", "Col1", "Col2", "Col3"))
NPU2Col4, NPU2Col5, NPU2Col6, NPU2Col7 = (_MEMBERS[f"NPU2Col{n}"] for n in (4, 5, 6, 7))


def from_name(name: str, n_cols: int | None = None) -> Device:
    """The device "npu" (npu1), "npu1" or "npu2" with `n_cols` columns; all columns without a number."""
    base = {"npu": "npu1"}.get(name, name)
    whole = {"npu1": 4, "npu2": 8}.get(base)
    if whole is None:
        raise IronValueError(f"there is no device '{name}'; there are npu, npu1 and npu2")
    full = base if n_cols in (None, whole) else f"{base}_{n_cols}col"
    if full not in DEVICES:
        raise IronValueError(f"{base} has no part of {n_cols} columns; there are 1 to {whole}")
    return Device(full)


class Tile:
    """A tile. Without `col` or `row`, placement chooses them. Each object is one tile of the design."""

    def __init__(
        self, col: int | None = None, row: int | None = None, *, tile_type: Any = None, allocation_scheme: str | None = None
    ):
        self.col, self.row, self.tile_type, self.allocation_scheme = col, row, tile_type, allocation_scheme
        self.op: Any = None  # the operation in the current module
        self.place = user_place()

    def build(self, device: Device) -> None:
        """Builds the tile."""
        try:
            kind = self.tile_type or (device.get_tile_type(self.col or 0, self.row) if self.row is not None else CORE)
        except ValueError as error:
            raise at_place(IronValueError(f"Tile: {error}"), self.place) from None
        name = kind if isinstance(kind, str) else kind.name
        self.op = logical_tile(name, self.col, self.row, allocation_scheme=self.allocation_scheme)

    def __repr__(self) -> str:
        return f"Tile({self.col}, {self.row})"


AnyComputeTile, AnyMemTile, AnyShimTile = Tile(tile_type=CORE), Tile(tile_type=MEMORY), Tile(tile_type=SHIM)
"""A kind of tile for placement."""
PlacementTile = Tile
"""The annotation of `placement=` before July 2026."""


def with_kind(tile: Tile | None, kind: str) -> Tile:
    """`tile`, or a new tile for an Any...Tile; of kind `kind` if it has no kind."""
    if tile is None or tile in (AnyComputeTile, AnyMemTile, AnyShimTile):
        return Tile(tile_type=tile.tile_type if tile is not None else kind)
    if tile.tile_type is None and tile.row is None:
        tile.tile_type = kind
    return tile
