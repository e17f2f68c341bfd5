"""Figures of the devices against `docs/sources.md#device`."""

import pytest

from allo_air.device import CORE_BD, DEVICES, MEM_BD, SHIM_BD, SHIM_MUX, adjacent

NPU1, NPU2, VC1902, VE2802 = (DEVICES[n] for n in ("npu1", "npu2", "xcvc1902", "xcve2802"))


@pytest.mark.parametrize(
    ("name", "columns", "rows", "virtualized"),
    [
        ("npu1", 4, 6, True), ("npu1_1col", 1, 6, True), ("npu1_3col", 3, 6, True), ("npu2", 8, 6, False),
        ("npu2_7col", 7, 6, True),
        ("xcvc1902", 50, 9, False), ("xcve2302", 17, 4, False), ("xcve2802", 38, 11, False),
    ],
)  # fmt: skip
def test_grid(name: str, columns: int, rows: int, virtualized: bool) -> None:
    device = DEVICES[name]
    assert (device.columns, device.rows, device.virtualized) == (columns, rows, virtualized)


def test_every_npu_width_is_there() -> None:
    npus = {name for name, device in DEVICES.items() if device.is_npu}
    assert npus == {"npu1", "npu2", *(f"npu1_{n}col" for n in (1, 2, 3)), *(f"npu2_{n}col" for n in range(1, 8))}


@pytest.mark.parametrize(
    ("device", "at", "kind"),
    [
        (NPU1, (0, 0), "shim_noc"), (NPU1, (3, 1), "mem"), (NPU1, (0, 2), "core"), (NPU2, (7, 5), "core"),
        (VC1902, (2, 0), "shim_noc"), (VC1902, (4, 0), "shim_pl"), (VC1902, (4, 1), "core"),
        (VE2802, (0, 2), "mem"), (VE2802, (0, 3), "core"),
    ],
)  # fmt: skip
def test_kind(device, at, kind) -> None:  # type: ignore[no-untyped-def]
    assert device.kind(*at) == kind


def test_kind_outside_the_array() -> None:
    with pytest.raises(ValueError, match=r"npu1 has no tile \(4, 0\): it is 4 columns by 6 rows"):
        NPU1.kind(4, 0)


@pytest.mark.parametrize(
    ("row", "memory", "locks", "bds", "channels"),
    [(0, 0, 16, 16, (2, 2)), (1, 512 << 10, 64, 48, (6, 6)), (2, 64 << 10, 16, 16, (2, 2))],
)
def test_tile(row: int, memory: int, locks: int, bds: int, channels: tuple[int, int]) -> None:
    tile = NPU2.tile(0, row)
    assert (tile.memory, tile.locks, tile.bds, tile.channels) == (memory, locks, bds, channels)


def test_bd_limits() -> None:
    assert (CORE_BD.max_wraps, CORE_BD.max_step, CORE_BD.max_words) == ((255, 255), 8192, 16383)
    assert (MEM_BD.max_wraps, MEM_BD.max_step, MEM_BD.max_words) == ((1023, 1023, 1023), 131072, 131071)
    assert (SHIM_BD.max_wraps, SHIM_BD.max_step, SHIM_BD.max_iterations) == ((1023, 1023), 1048576, 64)


def test_ports() -> None:
    assert NPU1.ports(1, 2, "North", master=True) == 6
    assert NPU1.ports(1, 2, "North", master=False) == 4
    assert NPU1.ports(1, 1, "East", master=True) == 0, "memtiles have no horizontal ports"
    assert NPU1.ports(0, 2, "West", master=True) == 0, "edge"
    assert NPU1.ports(3, 5, "North", master=False) == 0, "edge"
    assert SHIM_MUX.masters["South"] == 8


@pytest.mark.parametrize(
    ("row", "source", "dest", "legal"),
    [
        (1, ("DMA", 0), ("DMA", 1), False), (1, ("DMA", 0), ("North", 3), True), (1, ("South", 0), ("North", 1), False),
        (1, ("Trace", 0), ("DMA", 5), True), (1, ("Trace", 0), ("DMA", 0), False),
        (2, ("North", 0), ("North", 1), False), (2, ("Core", 0), ("Core", 0), False), (2, ("South", 0), ("North", 1), True),
        (0, ("Trace", 0), ("West", 0), True), (0, ("Trace", 0), ("West", 1), False),
    ],
)  # fmt: skip
def test_connections(row: int, source: tuple[str, int], dest: tuple[str, int], legal: bool) -> None:
    assert NPU1.can_connect(1, row, source, dest) is legal


@pytest.mark.parametrize(
    ("device", "viewer", "seen"),
    [
        (NPU1, (1, 3), {(1, 3), (1, 2), (1, 4), (0, 3)}),
        (NPU1, (1, 2), {(1, 2), (1, 3), (0, 2)}),  # south is a memtile
        (NPU1, (1, 1), {(1, 1), (0, 1), (2, 1)}),
        (VC1902, (1, 2), {(1, 2), (1, 1), (1, 3), (2, 2)}),  # even row: east
        (VC1902, (1, 3), {(1, 3), (1, 2), (1, 4), (0, 3)}),  # odd row: west
    ],
)
def test_memory_adjacency(device, viewer, seen) -> None:  # type: ignore[no-untyped-def]
    around = [(c, r) for c in range(4) for r in range(6)]
    assert {at for at in around if device.sees_memory(viewer, at)} == seen


def test_adjacent() -> None:
    assert adjacent((1, 2), (1, 3))
    assert not adjacent((1, 2), (2, 3))


def test_every_device_has_a_number_in_the_dialect() -> None:
    from allo_air.dialects._enums import DEVICES as NUMBERS

    assert set(NUMBERS) == set(DEVICES)
    assert len(set(NUMBERS.values())) == len(NUMBERS)
