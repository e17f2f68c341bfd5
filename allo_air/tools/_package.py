"""Writes the files that `allo-translate` makes from a device: CDO, TXN and PDI configurations, xclbins, instruction ELFs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.errors import AlloAirError

if TYPE_CHECKING:
    from argparse import Namespace

    from allo_air.dialects._aie_tiles import DeviceOp
    from allo_air.mlir import ir


def cdo_into(device_op: ir.OpView, options: Namespace) -> list[Path]:
    """Writes the CDO files into --work-dir-path and returns their paths."""
    from allo_air.target.configuration.parts import configuration
    from allo_air.target.formats.cdo import cdo_files

    directory = Path(options.work_dir_path)
    result = configuration(device_op, directory)
    say_missing(result)
    files = cdo_files(result, unified=options.cdo_unified, big_endian=options.big_endian, cores=options.cdo_enable_cores != "0")
    directory.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (directory / name).write_bytes(data)
    return [directory / name for name in files]


def bytes_of(device_op: ir.OpView, options: Namespace) -> bytes:
    """The contents of the file for --aie-generate-txn, -pdi or -xclbin."""
    from allo_air.target.configuration.parts import configuration
    from allo_air.target.formats.binary import to_bytes
    from allo_air.target.formats.cdo import transaction
    from allo_air.target.formats.package import pdi_of, xclbin_of
    from allo_air.target.npu_words import stream

    result = configuration(device_op, Path(options.work_dir_path))
    say_missing(result)
    if options.aie_generate_txn:
        return to_bytes(stream(result.device, transaction(result.device, result.operations)))
    return pdi_of(result) if options.aie_generate_pdi else xclbin_of(result, device_op)


def for_cores(device_op: DeviceOp, options: Namespace) -> bytes | None:
    """The text for options about cores: their architecture, their list, the memory map, or the linker script or BCF of one
    core. None without such an option.
    """
    from allo_air.dialects.declarations import device_of
    from allo_air.target.formats.linking import bcf, core_list, linker_script, memory_map

    if options.aie_generate_target_arch:
        return f"{device_of(device_op).arch.removesuffix('1')}\n".encode()
    if options.aie_generate_mmap:
        return memory_map(device_op).encode()
    if options.aie_generate_corelist:
        return core_list(device_op).encode()
    if not (options.aie_generate_bcf or options.aie_generate_ldscript):
        return None
    write = bcf if options.aie_generate_bcf else linker_script
    return write(device_op, (options.tilecol, options.tilerow)).encode()


def say_missing(item: Any) -> None:
    """Prints a warning that names the cores without an ELF."""
    from allo_air.core.diagnostics import emit
    from allo_air.errors import placeless

    if item.missing:
        cores = ", ".join(map(str, item.missing))
        text = f"no elf_file for cores {cores}: they are enabled and run stale program memory; compile them first"
        emit(placeless("warning", text))


def described(options: Namespace) -> list[str]:
    """The output of --describe: the contents of one file, or the differences of two."""
    from allo_air.target.formats.binary import FormatError
    from allo_air.target.formats.describe import describe, differences

    data, texts = [], []
    for name in options.describe:
        try:
            data.append(Path(name).read_bytes())
        except OSError as error:
            raise AlloAirError(f"cannot read '{name}': {error.strerror or error}") from None
    if len(data) > 2:
        raise AlloAirError(f"--describe takes a file, or two to compare; there are {len(data)}")
    for name, contents in zip(options.describe, data, strict=True):
        try:
            texts.append(describe(contents))
        except FormatError as error:
            raise AlloAirError(f"'{name}': {error}") from None
    return texts[0] if len(texts) == 1 else differences(data[0], data[1], (options.describe[0], options.describe[1]))
