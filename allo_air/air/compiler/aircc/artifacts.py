"""The files that `aiecc --get-NAME` makes of a device: its text with addresses, and its configuration in binary formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from allo_air.core.diagnostics import emit
from allo_air.errors import placeless

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp
    from allo_air.target.configuration.parts import Configuration

ADDRESSED = (
    "builtin.module(aie.device(aie-objectFifo-stateful-transform,aie-objectFifo-unroll{default-dynamic=true},aie-assign-lock-ids,"
    "aie-assign-bd-ids,aie-lower-cascade-flows,aie-lower-broadcast-packet,aie-lower-multicast,aie-assign-tile-controller-ids),"
    "aie-generate-column-control-overlay{route-shim-to-tile-ctrl=false},aie.device(aie-assign-buffer-addresses))"
)
"""What aiecc does before it routes."""
_ROUTED = "builtin.module(aie.device(aie-create-pathfinder-flows))"

FILES = {
    "input-with-addresses": "input_with_addresses.mlir",
    "txn": "txn.mlir",
    "cdo": "",
    "pdi": "design.pdi",
    "elf": "insts.elf",
}
"""The artifacts that are made here, with their files where none are named; CDO is several files of fixed names."""


def write(text: str, requests: Mapping[str, str], device: str | None = None, sequence: str | None = None) -> None:
    """Makes the artifacts `requests` of the design `text`, each in the file named; of `device` where there are several."""
    from allo_air import asm
    from allo_air.air import ir as air_ir
    from allo_air.air.passmanager import PassManager
    from allo_air.target.npu_sequence import find
    from allo_air.target.sequences import chosen_device

    module = air_ir.Module.parse(text, air_ir.Context())
    with module.context:
        PassManager.parse(ADDRESSED).run(module.operation)
        if (file := requests.get("input-with-addresses")) is not None:
            Path(file).write_text(asm.write(module.operation))
        if (file := requests.get("elf")) is not None:
            from allo_air.target.formats.instruction_elf import instruction_elf
            from allo_air.target.npu_words import folded, stream

            located = find(module.operation, device, sequence)
            words = stream(located.device, folded(located.instructions()))
            Path(file).write_bytes(instruction_elf([word & 0xFFFFFFFF for word in words]))
        configured: dict[str, Callable[[AnyOp], None]] = {
            "cdo": lambda op: _cdo(_configuration(op)),
            "pdi": lambda op: _pdi(_configuration(op), requests["pdi"]),
        }
        if not {"txn", *configured} & set(requests):
            return
        PassManager.parse(_ROUTED).run(module.operation)
        for name in configured:
            if name in requests:
                configured[name](chosen_device(module.operation, device))
        if (file := requests.get("txn")) is not None:
            PassManager.parse("builtin.module(aie.device(convert-aie-to-transaction))").run(module.operation)
            Path(file).write_text(asm.write(module.operation))


def _configuration(device: AnyOp) -> Configuration:
    from allo_air.target.configuration.parts import configuration

    result = configuration(device, Path())
    if result.missing:
        cores = ", ".join(map(str, result.missing))
        emit(placeless("warning", f"no elf_file for cores {cores}: they are enabled without a program of their own"))
    return result


def _cdo(configuration: Configuration) -> None:
    from allo_air.target.formats.cdo import cdo_files

    for name, data in cdo_files(configuration).items():
        Path(name).write_bytes(data)


def _pdi(configuration: Configuration, file: str) -> None:
    from allo_air.target.formats.package import pdi_of

    Path(file).write_bytes(pdi_of(configuration))
