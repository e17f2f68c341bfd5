"""The AIE dialects' enumerations, and their attributes with a syntax of their own."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping
from functools import lru_cache

from allo_air import device
from allo_air.device import ALIASES
from allo_air.dialects._kinds import Enum, Structured


def _enum(label: str, cases: Mapping[str, int], **aliases: str) -> Enum:
    return Enum("i32", cases=cases, label=label, aliases=aliases)


_NUMBERS = {
    "xcvc1902": 1,
    "xcve2302": 2,
    "xcve2802": 3,
    "npu1": 4,
    "npu1_1col": 5,
    "npu1_2col": 6,
    "npu1_3col": 7,
    "npu2": 8,
    **{f"npu2_{n}col": 8 + n for n in range(1, 8)},
}
"""mlir-aie's numbers of devices."""


class _Devices(Mapping[str, int]):
    """The numbers of all devices of `allo_air.device`, also of later ones; devices that mlir-aie lacks have numbers from 1000
    on."""

    def _all(self) -> dict[str, int]:
        return _numbered(tuple(device.DEVICES))

    def __getitem__(self, name: str) -> int:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def items(self) -> ItemsView[str, int]:
        return self._all().items()


@lru_cache(maxsize=8)
def _numbered(names: tuple[str, ...]) -> dict[str, int]:
    return _NUMBERS | {name: 1000 + n for n, name in enumerate(d for d in names if d not in _NUMBERS)}


DEVICES = _Devices()

DEVICE = _enum("device", DEVICES, **ALIASES)
BUNDLE = _enum(
    "wire bundle",
    {
        "Core": 0, "DMA": 1, "FIFO": 2, "South": 3, "West": 4, "North": 5, "East": 6, "PLIO": 7, "NOC": 8, "Trace": 9,
        "TileControl": 10,
    },
    Ctrl="TileControl", CTRL="TileControl",
)  # fmt: skip
LOCK_ACTION = _enum("lock action", {"Acquire": 0, "Release": 1, "AcquireGreaterEqual": 2})
LOCK_BLOCKING = _enum("lock blocking mode", {"NonBlocking": 0, "Blocking": 1})
DMA_DIR = _enum("DMA direction", {"S2MM": 0, "MM2S": 1})
PORT = _enum("objectFifo port", {"Produce": 0, "Consume": 1})
CASCADE_DIR = _enum("cascade direction", {"South": 3, "West": 4, "North": 5, "East": 6})
TILE_TYPE = _enum("tile type", {"CoreTile": 0, "MemTile": 1, "ShimNOCTile": 2, "ShimPLTile": 3})
COMBO_LOGIC = _enum("combo logic", {"AND": 0, "AND_NOT": 1, "OR": 2, "OR_NOT": 3})
EDGE_TRIGGER = _enum("edge trigger", {"RISING": 1, "FALLING": 2, "BOTH": 3})
TRACE_MODE = Enum("i32", cases={"Event-Time": 0, "Event-PC": 1, "Execution": 2}, label="trace mode", quoted=True)
TRACE_PACKET = _enum("trace packet type", {"core": 0, "mem": 1, "shimtile": 2, "memtile": 3})

SHUFFLE_MODES = (
    "t8_64x2_lo", "t8_64x2_hi", "t16_32x2_lo", "t16_32x2_hi", "t32_16x2_lo", "t32_16x2_hi", "t64_8x2_lo", "t64_8x2_hi",
    "t128_4x2_lo", "t128_4x2_hi", "t256_2x2_lo", "t256_2x2_hi", "t128_2x4_lo", "t128_2x4_hi", "t64_2x8_lo", "t64_2x8_hi",
    "t32_2x16_lo", "t32_2x16_hi", "t16_2x32_lo", "t16_2x32_hi", "t8_2x64_lo", "t8_2x64_hi", "t512_1x2_lo", "t512_1x2_hi",
    "t16_16x4_lo", "t16_16x4_hi", "t16_4x16_lo", "t16_4x16_hi", "t16_8x4", "t16_4x8", "t32_8x4_lo", "t32_8x4_hi",
    "t32_4x8_lo", "t32_4x8_hi", "t32_4x4", "t8_8x8", "t8_16x4", "t8_4x16", "t16_1x2_flip", "t16_4x4", "t16_4x2", "t16_2x4",
    "t16_8x2", "t16_2x8", "t16_16x2", "t16_2x16", "t8_8x4", "t8_4x8",
)  # fmt: skip
"""Orders of lanes, by the instruction's number; the name is the matrix that is transposed."""
SHUFFLE_MODE = _enum("shuffle mode", {word: number for number, word in enumerate(SHUFFLE_MODES)})

PACKET = Structured("packet_info")
TRACE_EVENT = Structured("trace_event")
BD_DIMS = Structured("bd_dim_layout_array", bracket=True)
BD_DIMS_LIST = Structured("bd_dim_layout_array_array", bracket=True)
BD_PADS = Structured("bd_pad_layout_array", bracket=True)
BD_ITERATION = Structured("bd_iteration")
SCRATCHPAD_FUNC = _enum("scratchpad function", {"mul": 0, "incr": 1, "decr": 2})
