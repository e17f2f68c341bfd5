"""The registers and bits of each field of a buffer descriptor, by kind of tile (docs/sources.md#device, from mlir-aie).
Values are as the hardware stores them: steps and the iteration's wrap minus one, wraps of dimensions unchanged (0: does not
wrap), lengths and bases in 32-bit words. Fields of more than one register are split into parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from allo_air.errors import counted


@dataclass(frozen=True)
class Bits:
    """`width` bits of register `word` from bit `shift` on."""

    word: int
    shift: int
    width: int
    signed: bool = False

    @cached_property
    def range(self) -> range:
        """The values that fit."""
        return range(-(1 << self.width - 1), 1 << self.width - 1) if self.signed else range(1 << self.width)

    def of(self, words: tuple[int, ...]) -> int:
        """The field's value in a BD's registers."""
        value = words[self.word] >> self.shift & (1 << self.width) - 1
        return value - (1 << self.width) if self.signed and value >> self.width - 1 else value

    def put(self, value: int) -> int:
        """`value` at its place in the register."""
        return (value & (1 << self.width) - 1) << self.shift


def _table(text: str) -> dict[str, Bits]:
    tables = {}
    for entry in text.split():
        name, place = entry.split("=")
        word, shift, width = map(int, place.split("."))
        tables[name] = Bits(word, shift, width, signed=name in ("acq_value", "rel_value"))
    return tables


_LAST = (
    "tlast_suppress={0}.31.1 next_bd={0}.27.4 use_next={0}.26.1 valid={0}.25.1 rel_value={0}.18.7 rel_id={0}.13.4"
    " acq_enable={0}.12.1 acq_value={0}.5.7 acq_id={0}.0.4"
)
LAYOUTS: Mapping[str, Mapping[str, Bits]] = {
    "core": _table(
        "base=0.14.14 length=0.0.14 compression=1.31.1 enable_packet=1.30.1 ooo_id=1.24.6 packet_id=1.19.5 packet_type=1.16.3"
        " d1_step=2.13.13 d0_step=2.0.13 d1_wrap=3.21.8 d0_wrap=3.13.8 d2_step=3.0.13"
        " iteration_current=4.19.6 iteration_wrap=4.13.6 iteration_step=4.0.13 " + _LAST.format(5)
    ),
    "mem": _table(
        "enable_packet=0.31.1 packet_type=0.28.3 packet_id=0.23.5 ooo_id=0.17.6 length=0.0.17"
        " d0_before=1.26.6 next_bd=1.20.6 use_next=1.19.1 base=1.0.19 tlast_suppress=2.31.1 d0_wrap=2.17.10 d0_step=2.0.17"
        " d1_before=3.27.5 d1_wrap=3.17.10 d1_step=3.0.17 compression=4.31.1 d2_before=4.27.4 d2_wrap=4.17.10 d2_step=4.0.17"
        " d2_after=5.28.4 d1_after=5.23.5 d0_after=5.17.6 d3_step=5.0.17"
        " iteration_current=6.23.6 iteration_wrap=6.17.6 iteration_step=6.0.17"
        " valid=7.31.1 rel_value=7.24.7 rel_id=7.16.8 acq_enable=7.15.1 acq_value=7.8.7 acq_id=7.0.8"
    ),
    "shim_noc": _table(
        "length=0.0.32 base=1.2.30 base_high=2.0.16 enable_packet=2.30.1 ooo_id=2.24.6 packet_id=2.19.5 packet_type=2.16.3"
        " d0_wrap=3.20.10 d0_step=3.0.20 burst=4.30.2 d1_wrap=4.20.10 d1_step=4.0.20"
        " smid=5.28.4 ax_cache=5.24.4 ax_qos=5.20.4 d2_step=5.0.20"
        " iteration_current=6.26.6 iteration_wrap=6.20.6 iteration_step=6.0.20 " + _LAST.format(7)
    ),
}  # fmt: skip
"""Fields by name and kind of tile."""

WORDS: Mapping[str, int] = {"core": 6, "mem": 8, "shim_noc": 8}
"""Registers of a BD."""


def encode(kind: str, fields: Mapping[str, int]) -> tuple[int, ...]:
    """The registers of a BD with these fields, the others 0; ValueError if a field does not fit or exist."""
    words = [0] * WORDS[kind]
    for name, value in fields.items():
        bits = LAYOUTS[kind].get(name)
        if bits is None:
            raise ValueError(f"a {kind} tile's BD has no field {name}")
        if value not in bits.range:
            raise ValueError(f"{value} does not fit field {name} ({counted(bits.width, 'bit')}) of a {kind} tile's BD")
        words[bits.word] |= bits.put(value)
    return tuple(words)


def pack(kind: str, fields: Mapping[str, int]) -> tuple[int, ...]:
    """Like `encode`, but bits that do not fit a field are dropped."""
    layout = LAYOUTS[kind]
    return encode(kind, {name: layout[name].of(_placed(layout[name], value)) for name, value in fields.items()})


def _placed(bits: Bits, value: int) -> tuple[int, ...]:
    return (0,) * bits.word + (bits.put(value),)


def decode(kind: str, words: tuple[int, ...]) -> dict[str, int]:
    """The fields in a BD's registers."""
    return {name: bits.of(words) for name, bits in LAYOUTS[kind].items()}
