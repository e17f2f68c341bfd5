"""Splits a design with several runtime sequences into designs with one each, which `aiecc` compiles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import DeviceOp, RuntimeSequenceOp

FILE = "insts_{0}_{1}.bin"
"""The default file for the instruction words of one of several sequences, by the names of device and sequence."""


def files(name: str, sequences: Iterable[tuple[str, str]]) -> list[str]:
    """The file for each of `sequences`: `name` with {0} replaced by its device and {1} by its name."""
    return [re.sub(r"\{([01])\}", lambda match, names=each: names[int(match[1])], name) for each in sequences]  # type: ignore[misc]


def apart(text: str, device: str | None, sequence: str | None, *, named: bool) -> Mapping[tuple[str, str], str]:
    """For each sequence, selected by the names of device and sequence, a copy of the design with this sequence alone.

    Sequences that it runs stay. A single sequence has no names unless `named`. AlloAirError if no sequence has such names.
    """
    if text.count("aie.runtime_sequence") < 2 and not named:
        return {("", ""): text}
    from allo_air import asm
    from allo_air.core.contexts import reused_context
    from allo_air.target.sequences import choose_sequence, main_sequences

    with reused_context(text):
        module = asm.read(text)
        all_names = _names(main_sequences(module, None, None))
        chosen = _names(main_sequences(module, device, sequence)) or _names([choose_sequence(module, device, sequence)])
        return {name: _without(text, [unused for unused in all_names if unused != name]) for name in chosen}


def _names(pairs: Iterable[tuple[DeviceOp, RuntimeSequenceOp]]) -> list[tuple[str, str]]:
    return [(device.sym_name, op.sym_name) for device, op in pairs]


def _without(text: str, names: list[tuple[str, str]]) -> str:
    from allo_air import asm
    from allo_air.target.sequences import devices, sequences

    if not names:
        return text
    module = asm.read(text)
    for device in devices(module):
        for op in sequences(device):
            if (device.sym_name, op.sym_name) in names:
                op.operation.erase()
    return asm.write(module, debug_info=True)
