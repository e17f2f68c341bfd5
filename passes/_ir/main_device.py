"""The main device of a module: its sequences configure the other devices and run theirs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.dialects._aiex_tasks import ConfigureOp, RunOp
from allo_air.dialects.aie import DeviceOp, RuntimeSequenceOp
from allo_air.mlir import ir

NAME = "main"


def main_device(devices: Sequence[Any], run: Sequence[DeviceOp]) -> ir.Block:
    """Puts `aie.device @main` behind `devices` for sequences that run those of `run`; returns the block for them.

    DiagnosticError where a device has that name already, or devices of several kinds would be run.
    """
    kinds = dict.fromkeys(d.device for d in run)
    for device in devices:
        if device.opview.sym_name == NAME:
            raise error_at(device, f"is called @{NAME}, the name of the device that configures the others; rename it")
    if len(kinds) > 1:
        names = ", ".join(f"@{d.sym_name}" for d in run)
        raise error_at(run[0], f"is of another kind than others that one program would hold ({names}); make several modules")
    last, where = devices[-1].operation, run[0].operation.location
    main = DeviceOp(device=next(iter(kinds)), sym_name=NAME, loc=where, ip=ir.InsertionPoint.after(last))
    holder = ir.Operation.create("builtin.module", regions=1, loc=where, ip=ir.InsertionPoint(main.regions[0].blocks.append()))
    return holder.regions[0].blocks.append()


def add_main(devices: Sequence[DeviceOp], sequences: Sequence[tuple[DeviceOp, RuntimeSequenceOp]]) -> None:
    """Puts `aie.device @main` behind `devices`; for each of `sequences` it has one that configures the device and runs it."""
    body = main_device(devices, [device for device, _ in sequences])
    for device, sequence in sequences:
        _run(body, device, sequence)


def _run(body: ir.Block, device: DeviceOp, sequence: RuntimeSequenceOp) -> None:
    """A sequence of the same name and arguments in the main device."""
    types = [a.type for a in sequence.body.blocks[0].arguments]
    with sequence.operation.location:
        outer = RuntimeSequenceOp(sym_name=sequence.sym_name, ip=ir.InsertionPoint(body))
        block = outer.regions[0].blocks.append(*types)
        configured = ConfigureOp(symbol=device.sym_name, ip=ir.InsertionPoint(block))
        inside = configured.regions[0].blocks.append()
        RunOp(args=list(block.arguments), runtime_sequence_symbol=sequence.sym_name, ip=ir.InsertionPoint(inside))
