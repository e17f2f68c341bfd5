"""Packages a program for XRT without AMD's tools: routes and numbers its device, and writes all files.

The core compiler makes the ELFs of cores. ELFs that a design names by `elf_file` are used; others are reported as missing.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.arch import arch_of
from allo_air.device import Coordinate
from allo_air.errors import AlloAirError, OptionError, counted
from allo_air.program.run.figures import figures_of
from allo_air.target.formats.full_elf import UNCHECKED

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

FORMATS: tuple[str, ...] = ("xclbin", "elf", "full-elf", "pdi", "txn", "cdo")
ROUTED, INSTRUCTIONS, REPORT = "routed.mlir", "insts.bin", "package.json"

NUMBERING = (
    "aie-assign-lock-ids,aie-assign-bd-ids,aie-lower-cascade-flows,aie-lower-broadcast-packet,aie-lower-multicast,"
    "aie-assign-tile-controller-ids"
)
"""The passes with which mlir-aie numbers a device before it lays out memories and routes."""
_PASSES = (
    f"builtin.module(aie.device({NUMBERING}),aie-generate-column-control-overlay,"
    "aie.device(aie-assign-buffer-addresses,aie-create-pathfinder-flows))"
)
"""The passes that mlir-aie runs on a device before it writes the configuration, in order."""


_FIRST_KERNEL = 0x901
"""The id of the first kernel of an xclbin."""


@dataclass(frozen=True)
class Package:
    """The result: files by kind, cores without an ELF, and figures of the configuration."""

    folder: Path
    files: dict[str, Path]
    missing: tuple[Coordinate, ...]
    figures: dict[str, Any]

    @property
    def pdis(self) -> dict[str, Path]:
        """The PDIs by device; a single one has the name ""."""
        return {kind.removeprefix("pdi").removeprefix(" of @"): p for kind, p in self.files.items() if kind.startswith("pdi")}

    @property
    def complete(self) -> bool:
        """Whether every core has an ELF."""
        return not self.missing

    @property
    def report(self) -> dict[str, Any]:
        """The figures as JSON data."""
        files = {kind: str(path) for kind, path in self.files.items()}
        return {**self.figures, "files": files, "missing": [list(core) for core in self.missing]}

    def __str__(self) -> str:
        lines = [f"{kind}: {path} ({counted(path.stat().st_size, 'byte')})" for kind, path in self.files.items()]
        figures = self.figures
        lines.append(
            f"configures {counted(figures['tiles'], 'tile')}, {figures['bds']} BDs and "
            f"{counted(figures['locks'], 'lock')} by {figures['writes']}"
            f" writes; loading takes {counted(figures['load_bytes'], 'byte')}, at a word a cycle "
            f"{counted(figures['load_cycles'], 'cycle')}"
        )
        programs = [f"{tile} {size}" for tile, tiles in figures["configured"].items() if (size := tiles.get("program_bytes"))]
        if programs:
            lines.append(f"bytes of program: {', '.join(programs)}")
        if "full ELF" in self.files:
            lines.append(f"unchecked: {UNCHECKED}")
        if self.missing:
            cores = ", ".join(map(str, self.missing))
            lines.append(f"missing: the ELFs of cores {cores}; compile them with Peano (--core-ir) and name them by elf_file")
        return "\n".join(lines)


def package(
    text: str,
    folder: Path,
    form: str = "xclbin",
    name: str = "aie.mlir",
    elfs: Path | None = None,
    core_ir: Path | None = None,
    peano: str | None = None,
    constants: Mapping[int, object] | None = None,
) -> Package:
    """Packages the device in `text` into `folder`, with ELFs from that folder or from `elfs`.

    Peano compiles the cores without ELFs from their LLVM IR in `core_ir`. `constants`, arrays of the device by the number of
    their argument, are written, too.

    Raises AlloAirError if the device cannot be routed, numbered or encoded.
    """
    from allo_air import asm
    from allo_air.core import driver, pipeline
    from allo_air.core.contexts import reused_context
    from allo_air.core.registry import Registry
    from allo_air.core.settings import Settings
    from allo_air.program.run.cores import compile_cores, find_peano
    from allo_air.program.run.object_fifos import lower_object_fifos
    from allo_air.target.configuration.parts import configuration
    from allo_air.target.formats.binary import to_bytes
    from allo_air.target.formats.cdo import cdo_files, transaction
    from allo_air.target.formats.instruction_elf import instruction_elf
    from allo_air.target.formats.package import pdi_of, xclbin_of
    from allo_air.target.npu_words import fold, stream
    from allo_air.target.sequences import configuring

    if form not in FORMATS:
        raise OptionError(f"format is '{form}', expected one of {', '.join(FORMATS)}")
    if core_ir is not None and not core_ir.is_dir():
        raise OptionError(f"core_ir is '{core_ir}', which is not a folder; expected one with core_C_R.ll of cores")
    if peano is not None and core_ir is None:
        raise OptionError("peano compiles what core_ir names, which is not given")
    with reused_context(text):
        module = asm.read(text, name)
        lower_object_fifos(module)
        driver.run(pipeline.parse(_PASSES, Registry()), module, Settings(verify=asm.verify, write=asm.write))
        insts = _instructions(module)
        loaded = configuring(module)
        if core_ir is not None:
            tools = find_peano(peano)
            for device in loaded:
                compile_cores(device, folder if len(loaded) == 1 else folder / device.sym_name, core_ir, tools, elfs)
        entries = [(d, configuration(d, elfs or folder)) for d in loaded]
        data = {"routed design": (ROUTED, asm.write(module).encode()), "instructions": (INSTRUCTIONS, to_bytes(fold(insts)))}
        for device, entry in entries:
            of = "" if len(entries) == 1 else f" of @{entry.name}"
            data |= {f"cdo {part}{of}": item for part, item in zip(entry.parts, cdo_files(entry).items(), strict=True)}
            data[f"pdi{of}"] = ("design.pdi" if not of else f"{entry.name}.pdi", pdi_of(entry))
            if form == "txn":
                words_ = to_bytes(stream(entry.device, transaction(entry.device, entry.operations)))
                data[f"transaction{of}"] = ("design.txn" if not of else f"{entry.name}.txn", words_)
            if form in ("xclbin", "elf") and not of:
                data["xclbin"] = ("final.xclbin", xclbin_of(entry, device))
        if form in ("xclbin", "elf") and len(entries) > 1:
            data |= _several(module, insts, [item for _, item in entries], elf=form == "elf")
        if form == "full-elf":
            data["full ELF"] = ("final.elf", _full_elf(module, insts, [pdi_of(item) for _, item in entries]))
        if form == "elf" and len(entries) == 1:
            data["instruction ELF"] = ("insts.elf", instruction_elf(insts))
        data |= {f"buffer {n}": (f"buffer_{n}.npy", _npy(array)) for n, array in (constants or {}).items()}
        sizes = {kind: len(content) for kind, (_, content) in data.items()}
        figures = figures_of([(item, len(pdi_of(item))) for _, item in entries]) | {"bytes": sizes}
        missing = tuple(core for _, item in entries for core in item.missing)
    files = _write(folder, data)
    packaged = Package(folder, files, missing, figures)
    (folder / REPORT).write_text(json.dumps(packaged.report, indent=1) + "\n")
    return packaged


def _instructions(module: AnyOp) -> list[int]:
    """The instruction words of the module's sequence. They refer to configurations by number, from 1 in the devices' order."""
    from allo_air import asm
    from allo_air.core import driver, pipeline
    from allo_air.core.registry import Registry
    from allo_air.core.settings import Settings
    from allo_air.core.walking import walk_named
    from allo_air.target.npu_sequence import sequence_words
    from allo_air.target.sequences import choose_sequence, configuring

    device, sequence = choose_sequence(module, None, None)
    names = device.sym_name, sequence.sym_name
    if walk_named(module, "aiex.configure"):
        numbers = {d.sym_name: number for number, d in enumerate(configuring(module), 1)}
        module = module.clone(ip=False)
        lower = pipeline.parse("aie-materialize-runtime-sequences", Registry())
        driver.run(lower, module, Settings(verify=asm.verify, write=asm.write))
        for load in walk_named(module, "aiex.npu.load_pdi"):
            load.opview.id = numbers.get(load.opview.device_ref, 0)
    return [word & 0xFFFFFFFF for word in sequence_words(module, *names)]


def _several(module: AnyOp, insts: list[int], entries: list[Any], *, elf: bool) -> dict[str, tuple[str, bytes]]:
    """An xclbin with a kernel for each configuration, and the instructions of each run, which take all of the host's
    buffers.
    """
    from allo_air.target.formats.binary import to_bytes
    from allo_air.target.formats.instruction_elf import instruction_elf
    from allo_air.target.formats.package import pdi_of
    from allo_air.target.formats.xclbin import BUFFERS, Kernel, partition_of, xclbin_of_several
    from allo_air.target.npu_words import fold, loads_of
    from allo_air.target.sequences import choose_sequence

    count = max(BUFFERS, len(choose_sequence(module, None, None)[1].body.blocks[0].arguments))
    kernels = [Kernel(name=item.name, id=_FIRST_KERNEL + n, buffers=count) for n, item in enumerate(entries)]
    partition = partition_of(max((item.device for item in entries), key=lambda device: device.columns))
    whole = xclbin_of_several([(pdi_of(item), kernel) for item, kernel in zip(entries, kernels, strict=True)], partition)
    data, runs = {"xclbin": ("final.xclbin", whole)}, []
    for n, (number, words) in enumerate(loads_of(insts)):
        name = f"insts_{n}.elf" if elf else f"insts_{n}.bin"
        data[f"instructions {n}"] = (name, instruction_elf(words) if elf else to_bytes(fold(words)))
        runs.append({"kernel": kernels[number - 1].name, "instructions": name})
    return data | {"runs": ("runs.json", (json.dumps(runs, indent=1) + "\n").encode())}


def _full_elf(module: AnyOp, insts: list[int], pdis: list[bytes]) -> bytes:
    """The full ELF of a module's sequence. A sequence for an xclbin loads no configuration itself; the ELF then loads its only
    one first.
    """
    from allo_air.dialects.declarations import device_of
    from allo_air.target.formats.full_elf import full_elf
    from allo_air.target.npu_words import HEADER, LOADPDI, LoadPdi, starts_of
    from allo_air.target.sequences import choose_sequence

    device, sequence = choose_sequence(module, None, None)
    npu = device_of(device)
    if not arch_of(npu).loads_elf:
        raise OptionError(f"format is 'full-elf', which is for npu2; {npu.name} loads xclbins")
    if all(insts[start] & 0xFF != LOADPDI for start in starts_of(insts)):
        load = LoadPdi(1, len(pdis[0]), 0).words()
        head = [*insts[:2], insts[2] + 1, insts[3] + 4 * len(load)]
        insts = [*head, *load, *insts[HEADER:]]
    count = len(sequence.body.blocks[0].arguments)
    return full_elf(insts, pdis, npu.columns, device.sym_name, sequence.sym_name, count)


def _npy(array: Any) -> bytes:
    import numpy as np

    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def _write(folder: Path, data: dict[str, tuple[str, bytes]]) -> dict[str, Path]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, content in data.values():
            (folder / file).write_bytes(content)
    except OSError as error:
        raise AlloAirError(f"cannot write into '{folder}': {error.strerror or error}") from None
    return {kind: folder / file for kind, (file, _) in data.items()}
