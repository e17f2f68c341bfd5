"""Determines which host buffers a runtime sequence reads and writes, from its instruction words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from allo_air.errors import AlloAirError
from allo_air.target.bd_layout import LAYOUTS
from allo_air.target.npu_bd import BD_BASE, BD_STRIDE, QUEUE_BASE
from allo_air.target.npu_words import BlockWrite, Instruction, Patch, Write

Role = Literal["in", "out", "inout"]
_SHIM = "shim_noc"
_FIRST, _STEP, _COUNT = BD_BASE[_SHIM], BD_STRIDE, 16
_QUEUES = {base + 8 * channel: direction for direction, base in enumerate(QUEUE_BASE[_SHIM]) for channel in (0, 1)}
_ROW_AND_OFFSET = (1 << 25) - 1


def roles(instructions: Iterable[Instruction]) -> dict[int, Role]:
    """The role of each argument: `in` if only MM2S channels transfer it, `out` if only S2MM channels do, else `inout`.

    Arguments that no shim BD refers to are left out.
    """
    patched: dict[tuple[int, int], int] = {}
    following: dict[tuple[int, int], int | None] = {}
    moved: dict[int, set[int]] = {}
    for instruction in instructions:
        match instruction:
            case Patch():
                column, bd = _bd(instruction.address)
                patched[column, bd] = instruction.argument
            case BlockWrite() if _FIRST <= instruction.address & _ROW_AND_OFFSET < _FIRST + _COUNT * _STEP:
                column, bd = _bd(instruction.address)
                fields = LAYOUTS[_SHIM]
                if len(instruction.data) == _STEP // 4:
                    follows = fields["use_next"].of(instruction.data)
                    following[column, bd] = fields["next_bd"].of(instruction.data) if follows else None
            case Write() if instruction.address & _ROW_AND_OFFSET in _QUEUES:
                direction = _QUEUES[instruction.address & _ROW_AND_OFFSET]
                column, bd_number, seen = instruction.address >> 25, instruction.value & 0xF, set[int]()
                while bd_number is not None and bd_number not in seen:
                    seen.add(bd_number)
                    if (column, bd_number) in patched:
                        moved.setdefault(patched[column, bd_number], set()).add(direction)
                    bd_number = following.get((column, bd_number))  # type: ignore[assignment]
    names: dict[frozenset[int], Role] = {frozenset({0}): "out", frozenset({1}): "in", frozenset({0, 1}): "inout"}
    return {argument: names[frozenset(directions)] for argument, directions in moved.items()}


def roles_in(module: object, device: str, sequence: str) -> dict[int, Role]:
    """The roles of a sequence's arguments in `module`; empty if its instruction words cannot be written."""
    from allo_air.target import npu_sequence

    try:
        return dict(roles(npu_sequence.find(module, device, sequence).instructions()))
    except AlloAirError:
        return {}


def _bd(address: int) -> tuple[int, int]:
    """Column and number of the shim BD that contains the register at `address`."""
    return address >> 25, ((address & _ROW_AND_OFFSET) - _FIRST) // _STEP
