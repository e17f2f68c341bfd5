"""The tools' output formats as functions of a module: instruction words, control packets, configurations."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def translate_npu_to_binary(op: Any, device_name: str = "", sequence_name: str = "") -> list[int]:
    """The instruction words of a runtime sequence; AlloAirError if there are several and no name is given."""
    from allo_air.target.npu_sequence import find
    from allo_air.target.npu_words import folded, stream

    with op.context:
        sequence = find(op.operation, device_name or None, sequence_name or None, {})
        return list(stream(sequence.device, folded(sequence.instructions())))


def translate_mlir_to_llvmir(op: Any) -> str:
    """The LLVM IR of a module of the LLVM dialect."""
    from allo_air.target.formats.llvm_ir import llvm_ir

    with op.context:
        return llvm_ir(op.operation)


def generate_control_packets(op: Any, device_name: str = "", sequence_name: str = "") -> list[int]:
    """The words of the control packets of a runtime sequence."""
    from allo_air.target.control_packets import words_of
    from allo_air.target.npu_sequence import find

    with op.context:
        sequence = find(op.operation, device_name or None, sequence_name or None, {})
        return list(words_of(sequence.device_op, sequence.op, sequence.device))


def generate_cdo(
    op: Any,
    work_dir_path: str | Path,
    device_name: str = "",
    bigendian: bool = False,
    emit_unified: bool = False,
    cdo_debug: bool = False,
    aiesim: bool = False,
    xaie_debug: bool = False,
    enable_cores: bool = True,
) -> None:
    """Writes the CDO files of a routed device into `work_dir_path`, where the ELFs of its cores are."""
    from allo_air.target.formats.cdo import cdo_files

    del cdo_debug, aiesim, xaie_debug  # these options print, or request files of another simulator
    directory = Path(work_dir_path)
    result = _configured(op, device_name, directory)
    directory.mkdir(parents=True, exist_ok=True)
    for name, data in cdo_files(result, unified=emit_unified, big_endian=bigendian, cores=enable_cores).items():
        (directory / name).write_bytes(data)


def generate_txn(op: Any, work_dir_path: str | Path, device_name: str = "") -> bytes:
    """The configuration of a routed device as a transaction; the ELFs of its cores are in `work_dir_path`."""
    from allo_air.target.formats.binary import to_bytes
    from allo_air.target.formats.cdo import transaction
    from allo_air.target.npu_words import stream

    result = _configured(op, device_name, Path(work_dir_path))
    return to_bytes(stream(result.device, transaction(result.device, result.operations)))


def generate_bcf(op: Any, col: int, row: int, device_name: str = "") -> str:
    """The memory map for xbridge of the core at (col, row)."""
    from allo_air.target.formats.linking import bcf
    from allo_air.target.sequences import chosen_device

    with op.context:
        return bcf(chosen_device(op.operation, device_name or None), (col, row))


def _configured(op: Any, device_name: str, directory: Path) -> Any:
    from allo_air.target.configuration.parts import configuration
    from allo_air.target.sequences import chosen_device

    with op.context:
        return configuration(chosen_device(op.operation, device_name or None), directory)
