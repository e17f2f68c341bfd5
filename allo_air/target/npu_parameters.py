"""Offsets of BDs from scratchpad parameters (`allo_air/dialects/_aiex_npu.py`)."""

from __future__ import annotations

from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.target.npu_words import Instruction, UpdateRegister

TIMES = 0
"""The function of an update that adds an entry of the scratchpad times its argument."""


def moved_by(sequence: Any, op: Any, base: int, bits: int) -> list[Instruction]:
    """Moves the address of the shim BD at register `base` by the parameter of `op`, which counts elements of `bits` bits."""
    if op.offset_parameter is None:
        return []
    if op.offset_state_table_idx is None:
        raise error_at(op, f"has offset @{op.offset_parameter}, which has no index; run aie-lower-scratchpad-parameters before")
    return [UpdateRegister(op.offset_state_table_idx, TIMES, bits // 8, base + 4)]


def refuse_parameter(op: Any) -> None:
    """Raises DiagnosticError if a parameter is the offset of a BD whose address cannot be updated."""
    if op.offset_parameter is not None:
        raise error_at(
            op,
            f"has offset @{op.offset_parameter}; a scratchpad parameter is the offset of shim BDs of a host's buffer in a"
            " runtime sequence, whose other numbers are known",
        )
