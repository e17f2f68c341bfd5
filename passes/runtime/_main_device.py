"""The main device of a full ELF: its sequences configure the devices of the module and run theirs."""

from __future__ import annotations

from collections.abc import Sequence

from allo_air.core.diagnostics import error_at
from allo_air.dialects._aiex_tasks import ConfigureOp, RunOp
from allo_air.dialects.aie import DeviceOp, RuntimeSequenceOp
from allo_air.mlir import ir

NAME = "main"


def add_main(devices: Sequence[DeviceOp], sequences: Sequence[tuple[DeviceOp, RuntimeSequenceOp]]) -> None:
    """Puts `aie.device @main` behind `devices`; for each of `sequences` it has one that configures the device and runs it."""
    kinds = dict.fromkeys(d.device for d, _ in sequences)
    for device in devices:
        if device.sym_name == NAME:
            raise error_at(device, f"is called @{NAME}, the name of the device that output-elf=true adds; rename it")
    if len(kinds) > 1:
        names = ", ".join(f"@{d.sym_name}" for d, _ in sequences)
        raise error_at(
            sequences[0][0], f"is of another kind than others that one ELF would hold ({names}); make several modules"
        )
    last, where = devices[-1].operation, sequences[0][0].operation.location
    main = DeviceOp(device=next(iter(kinds)), sym_name=NAME, loc=where, ip=ir.InsertionPoint.after(last))
    holder = ir.Operation.create("builtin.module", regions=1, loc=where, ip=ir.InsertionPoint(main.regions[0].blocks.append()))
    body = holder.regions[0].blocks.append()
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
