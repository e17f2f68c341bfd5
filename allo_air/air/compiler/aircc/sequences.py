"""A design of several runtime sequences as designs of one each, which `aiecc` compiles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import DeviceOp, RuntimeSequenceOp

FILE = "insts_{0}_{1}.bin"
"""The instruction words of a sequence where a design has several: the names of the device and of the sequence."""


def files(name: str, sequences: Iterable[tuple[str, str]]) -> list[str]:
    """The file for each of `sequences`: `name`, where {0} stands for its device and {1} for itself."""
    return [re.sub(r"\{([01])\}", lambda match, names=each: names[int(match[1])], name) for each in sequences]  # type: ignore[misc]


def apart(text: str, device: str | None, sequence: str | None, *, named: bool) -> Mapping[tuple[str, str], str]:
    """The design with each of its sequences alone, by the names of device and sequence; the names choose among them.

    A sequence that another runs stays with it. The only one has no names unless `named`. AlloAirError where no sequence
    has such names.
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
