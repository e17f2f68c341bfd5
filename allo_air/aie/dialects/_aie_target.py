"""`get_target_model`: the properties of a device, under the names of mlir-aie's target model."""

from __future__ import annotations

from allo_air.aie.building.errors import IronTypeError, IronValueError
from allo_air.device import DEVICES, known_as
from allo_air.device import Device as _Device
from allo_air.dialects._enums import DEVICE


class AIETargetModel:
    """A device: its grid, the kinds of its tiles, and their resources."""

    def __init__(self, device: _Device):
        self._of = device

    def columns(self) -> int:
        """Columns."""
        return self._of.columns

    def rows(self) -> int:
        """Rows, those of shims and memtiles included."""
        return self._of.rows

    def _is(self, col: int, row: int, *kinds: str) -> bool:
        return self._of.holds(col, row) and self._of.kind(col, row) in kinds

    def is_valid_tile(self, col: int, row: int) -> bool:
        """Whether there is such a tile."""
        return self._of.holds(col, row)

    def is_core_tile(self, col: int, row: int) -> bool:
        """Whether it has a core."""
        return self._is(col, row, "core")

    def is_mem_tile(self, col: int, row: int) -> bool:
        """Whether it is a memtile."""
        return self._is(col, row, "mem")

    def is_shim_noc_tile(self, col: int, row: int) -> bool:
        """Whether it is a shim with DMAs."""
        return self._is(col, row, "shim_noc")

    def is_shim_pl_tile(self, col: int, row: int) -> bool:
        """Whether it is a shim without DMAs."""
        return self._is(col, row, "shim_pl")

    def is_shim_noc_or_pl_tile(self, col: int, row: int) -> bool:
        """Whether it is a shim."""
        return self._is(col, row, "shim_noc", "shim_pl")

    def is_npu(self) -> bool:
        """Whether it is an NPU."""
        return self._of.is_npu

    def get_num_mem_tile_rows(self) -> int:
        """Rows of memtiles."""
        return len(self._of.mem_rows)

    def get_local_memory_size(self) -> int:
        """Bytes of a core's memory."""
        return self._of.tiles["core"].memory

    def get_mem_tile_size(self) -> int:
        """Bytes of a memtile; 0 if the device has none."""
        return self._of.tiles["mem"].memory if "mem" in self._of.tiles else 0

    def get_num_locks(self, col: int, row: int) -> int:
        """Locks of a tile."""
        return self._of.tile(col, row).locks

    def get_num_bds(self, col: int, row: int) -> int:
        """Buffer descriptors of a tile."""
        return self._of.tile(col, row).bds

    def get_num_banks(self, col: int, row: int) -> int:
        """Banks of a tile's memory."""
        return self._of.tile(col, row).banks


def get_target_model(device: object) -> AIETargetModel:
    """The model of a device, given by its member of AIEDevice, name or number; IronValueError for others."""
    number = getattr(device, "value", device)
    if not isinstance(number, str) and not hasattr(number, "__index__"):
        raise IronTypeError(f"get_target_model takes a member of AIEDevice, its name or number, got {number!r}")
    try:
        name = known_as(number) if isinstance(number, str) else DEVICE.keyword(int(number))
    except ValueError as error:
        raise IronValueError(f"get_target_model: {error}") from None
    if name not in DEVICES:
        raise IronValueError(f"get_target_model: there is no device '{name}'; there are {', '.join(DEVICES)}")
    return AIETargetModel(DEVICES[name])
