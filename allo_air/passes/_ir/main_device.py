"""The main device of a module: its sequences configure the other devices and run their sequences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from allo_air.core.diagnostics import error_at
from allo_air.dialects._aiex_tasks import ConfigureOp, RunOp
from allo_air.dialects.aie import DeviceOp, RuntimeSequenceOp
from allo_air.mlir import AnyOp, ir

NAME = "main"


def main_device(devices: Sequence[AnyOp], run: Sequence[DeviceOp]) -> ir.Block:
    """Inserts `aie.device @main` after `devices` for sequences that run those of `run`; returns its block.

    Raises DiagnosticError if a device has that name already, or if the devices of `run` are of several kinds.
    """
    kinds = dict.fromkeys(d.device for d in run)
    for device in devices:
        if device.opview.sym_name == NAME:
            raise error_at(device, f"is called @{NAME}, the name of the device that configures the others; rename it")
    if len(kinds) > 1:
        names = ", ".join(f"@{d.sym_name}" for d in run)
        raise error_at(run[0], f"is of another kind than the other devices of the program ({names}); make several modules")
    last, location = devices[-1].operation, run[0].operation.location
    main = DeviceOp(device=next(iter(kinds)), sym_name=NAME, loc=location, ip=ir.InsertionPoint.after(last))
    return main.add_block()


Program = Sequence[tuple[DeviceOp, RuntimeSequenceOp]]
"""Sequences to run one after another, each with its device."""


def add_main(devices: Sequence[DeviceOp], programs: Mapping[str, Program]) -> None:
    """Inserts `aie.device @main` after `devices`, with a sequence for each of `programs` that configures the devices and runs
    their sequences.
    """
    body = main_device(devices, [device for program in programs.values() for device, _ in program])
    for name, program in programs.items():
        _run(body, name, program)


def _run(body: ir.Block, name: str, program: Program) -> None:
    """Adds a sequence called `name` with the arguments of the first sequence of `program`, which all of them take."""
    first = program[0][1]
    types = [a.type for a in first.body.blocks[0].arguments]
    with first.operation.location:
        outer = RuntimeSequenceOp(sym_name=name, ip=ir.InsertionPoint(body))
        block = outer.regions[0].blocks.append(*types)
        for device, sequence in program:
            configured = ConfigureOp(symbol=device.sym_name, ip=ir.InsertionPoint(block))
            inside = configured.regions[0].blocks.append()
            RunOp(args=list(block.arguments), runtime_sequence_symbol=sequence.sym_name, ip=ir.InsertionPoint(inside))
