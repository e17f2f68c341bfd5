"""Writes a control program as a runtime sequence in the order of the program, with its loops and branches.

Affine and parallel loops were unrolled before (`_sequence_loops`). `_sequence_reader` reads the program into steps
(`_sequence_steps`), `_sequence_order` arranges them as the host executes them, and `_sequence_writer` writes the operations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from allo_air.mlir import ir
from allo_air.passes.runtime._host_ops import is_l3
from allo_air.passes.runtime._sequence_order import arranged
from allo_air.passes.runtime._sequence_reader import StepReader
from allo_air.passes.runtime._sequence_steps import Channel
from allo_air.passes.runtime._sequence_writer import SequenceWriter


def write_sequence(
    function: Any, device_block: ir.Block, allocations: Mapping[str, Channel], block: ir.Block, reload: Sequence[str]
) -> dict[Any, int | None]:
    """Writes the body of `function` into `block`, that of a runtime sequence, at the insertion point.

    `allocations` has the channel of each shim DMA allocation of the device whose block is `device_block`. `reload` names the
    devices whose loads reset the device. Returns the number of elements of each argument that are moved; None if that depends
    on the run.
    """
    body = function.regions[0].blocks[0]
    reader, writer = StepReader(body, block, device_block, allocations), SequenceWriter(body, block)
    for op in body.operations:
        if op.operation.name == "memref.alloc" and is_l3(op.results[0]):
            reader.allocated(op.operation)
    steps = reader.read(body)
    writer.emit(arranged([*reader.initial_releases(), *steps], drains=True, reload=reload))
    return reader.reach
