"""The files that `aiecc --get-NAME` writes for a device: its text with addresses, and its configuration in binary formats."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import emit
from allo_air.errors import AlloAirError, counted, placeless
from allo_air.program.run.package import NUMBERING

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

_ADDRESSED = (
    f"builtin.module(aie.device(aie-objectFifo-stateful-transform,aie-objectFifo-unroll{{default-dynamic=true}},{NUMBERING}),"
    "aie-generate-column-control-overlay{route-shim-to-tile-ctrl=false},aie.device(aie-assign-buffer-addresses))"
)
"""The passes that aiecc runs before routing."""
_ROUTED = "builtin.module(aie.device(aie-create-pathfinder-flows))"
_TRANSACTION = "builtin.module(aie.device(convert-aie-to-transaction))"

FILES = {
    "input-with-addresses": "input_with_addresses.mlir",
    "txn": "txn.mlir",
    "cdo": "",
    "pdi": "design.pdi",
    "elf": "insts.elf",
}
"""The supported artifacts with their default files; CDO consists of several files with fixed names."""


def write(text: str, files: Mapping[str, str], device: str | None = None, sequence: str | None = None) -> None:
    """Writes artifacts of the design `text` to `files`; CDO and PDI for `device`, or for each device. In the names of PDIs
    and transactions, {0} is replaced by the device's name.
    """
    from allo_air import asm
    from allo_air.air import ir as air_ir
    from allo_air.air.passmanager import PassManager

    module = air_ir.Module.parse(text, air_ir.Context())
    with module.context:
        PassManager.parse(_ADDRESSED).run(module.operation)
        if (file := files.get("input-with-addresses")) is not None:
            Path(file).write_text(asm.write(module.operation))
        if (file := files.get("elf")) is not None:
            Path(file).write_bytes(_instructions(module.operation, device, sequence))
        if not {"txn", "cdo", "pdi"} & files.keys():
            return
        PassManager.parse(_ROUTED).run(module.operation)
        if {"cdo", "pdi"} & files.keys():
            _write_configurations(module.operation, device, files)
        if (file := files.get("txn")) is not None:
            names = [op.sym_name for op in _chosen(module.operation, device)]
            PassManager.parse(_TRANSACTION).run(module.operation)
            for name in dict.fromkeys(file.replace("{0}", name) for name in names):
                Path(name).write_text(asm.write(module.operation))


def _instructions(module: AnyOp, device: str | None, sequence: str | None) -> bytes:
    """The words of a sequence as an ELF for XRT."""
    from allo_air.target.formats.instruction_elf import instruction_elf
    from allo_air.target.npu_sequence import find
    from allo_air.target.npu_words import folded, stream

    located = find(module, device, sequence)
    return instruction_elf(stream(located.device, folded(located.instructions())))


def _chosen(module: AnyOp, device: str | None) -> list[Any]:
    """The device of this name; all devices if there is no name."""
    from allo_air.target.sequences import chosen_device, devices

    several = devices(module)
    return several if device is None and several else [chosen_device(module, device)]


def _write_configurations(module: AnyOp, device: str | None, files: Mapping[str, str]) -> None:
    """Writes the configurations of the chosen devices; AlloAirError if several devices would share one PDI."""
    chosen = _chosen(module, device)
    file = files.get("pdi", "{0}")
    if len(chosen) > 1 and "{0}" not in file:
        if file != FILES["pdi"]:
            names = ", ".join(f"@{op.sym_name}" for op in chosen)
            raise AlloAirError(
                f"--pdi-name={file} is one file, and there are "
                f"{counted(len(chosen), 'device')} ({names}): write {{0}} for the name of the"
                " device, or choose one by --device-name"
            )
        file = "{0}.pdi"
    for op in chosen:
        _write_configuration(op, {**files, **({"pdi": file.replace("{0}", op.sym_name)} if "pdi" in files else {})})


def _write_configuration(device: AnyOp, files: Mapping[str, str]) -> None:
    """Writes the configuration of the array as CDO files and as a PDI; warns of cores without a program."""
    from allo_air.target.configuration.parts import configuration
    from allo_air.target.formats.cdo import cdo_files
    from allo_air.target.formats.package import pdi_of

    parts = configuration(device, Path())
    if parts.missing:
        cores = ", ".join(map(str, parts.missing))
        emit(placeless("warning", f"no elf_file for cores {cores}: they are enabled without a program of their own"))
    if "cdo" in files:
        for name, data in cdo_files(parts).items():
            Path(name).write_bytes(data)
    if (file := files.get("pdi")) is not None:
        Path(file).write_bytes(pdi_of(parts))
