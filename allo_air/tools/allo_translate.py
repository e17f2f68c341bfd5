"""`allo-translate`: writes a device in binary formats: instruction words, control packets, CDO, TXN, PDI, xclbin, ELF."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from allo_air._version import __version__
from allo_air.core.texts import read_bytes
from allo_air.errors import AlloAirError, Diagnostic, render
from allo_air.tools import _completion, _package
from allo_air.tools import _translate_chunks as _chunks
from allo_air.tools._parser import Parser
from allo_air.tools._streams import reopen
from allo_air.tools._translate_absent import ELSEWHERE
from allo_air.tools._values import add_values, values_of
from allo_air.tools._words import of_command_line

if TYPE_CHECKING:
    from argparse import Namespace

    from allo_air.mlir import AnyOp


def watched() -> int:
    """Runs the tool in a child process, so that a crash inside MLIR ends in a message."""
    from allo_air.core import crash, quick_start

    reopen()
    quick_start.speed_up_start()
    return crash.run_in_child(main, "allo-translate")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the tool; 0 is success, 1 an error in the input, 2 an error on the command line."""
    from allo_air.core import crash

    options = _parser().parse_args(arguments)
    text = ""
    try:
        if options.describe:
            print("\n".join(_package.described(options)))
            return 0
        text = _read(options.file)
        crash.record_step(f"reading '{options.file}'")
        data, good = _chunks.translated(text, options, _data, lambda diagnostic: _print_diagnostic(diagnostic, text, options))
        if data is not None:
            _write(options, data)
        return 0 if good else 1
    except AlloAirError as error:
        for diagnostic in error.diagnostics:
            _print_diagnostic(diagnostic, text, options)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:  # of standard output
        print(f"error: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = Parser("allo-translate", description=__doc__)
    parser.elsewhere = ELSEWHERE
    parser.one_dash = True
    parser.add_argument("file", nargs="?", default="-", help="MLIR file with an aie.device; - is standard input")
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument(
        "--aie-npu-to-binary", action="store_true", help="write the NPU instruction words of a runtime sequence"
    )
    action.add_argument(
        "--aie-npu-to-cpp", action="store_true", help="write a C++ function that returns the words for given scalars"
    )
    action.add_argument("--aie-ctrlpkt-to-bin", action="store_true", help="write the control packets of a runtime sequence")
    action.add_argument("--mlir-to-llvmir", action="store_true", help="write LLVM IR of a module of the LLVM dialect")
    for name, what in _PACKAGES.items():
        action.add_argument(f"--aie-generate-{name}", action="store_true", help=what)
    for name, what in _CORES.items():
        action.add_argument(f"--aie-generate-{name}", action="store_true", help=what)
    parser.add_argument("--tilecol", metavar="N", type=int, default=0, help="column of the core; default: %(default)s")
    parser.add_argument("--tilerow", metavar="N", type=int, default=2, help="row of the core; default: %(default)s")
    action.add_argument(
        "--describe",
        metavar="FILE",
        nargs="+",
        help="print what a file configures, register by register; for two files, the differences",
    )
    parser.add_argument(
        "--work-dir-path",
        metavar="DIR",
        default=".",
        help="where CDO files go, and the ELFs of cores are; default: %(default)s",
    )
    parser.add_argument("--cdo-unified", action="store_true", help="one CDO file instead of three")
    parser.add_argument("--big-endian", action="store_true", help="CDO files of big-endian words")
    parser.add_argument(
        "--cdo-enable-cores", metavar="0|1", choices=("0", "1"), default="1", help="0 writes no file that starts cores"
    )
    parser.add_argument("--hex", action="store_true", help="one word a line in hexadecimal instead of binary")
    parser.add_argument(
        "--aie-output-binary",
        choices=("true", "false", "1", "0"),
        nargs="?",
        const="true",
        default="true",
        help="false is the same as --hex",
    )
    _chunks.add_to(parser)
    parser.add_argument("--aie-device-name", metavar="NAME", help="the device, where the file has several")
    parser.add_argument("--aie-sequence-name", metavar="NAME", help="the runtime sequence, where the device has several")
    add_values(parser)
    parser.add_argument(
        "--fold-ddr-addr-offset",
        choices=("true", "false"),
        nargs="?",
        const="true",
        default="true",
        help="add 0x80000000 to the offsets of arguments 5 and later: an xclbin needs it, a full ELF does not (default true)",
    )
    parser.add_argument("-o", dest="output", metavar="FILE", default="-", help="output file; - is standard output")
    parser.add_argument("--version", action="version", version=f"allo-translate {__version__}")
    _completion.add_to(parser)
    return parser


_PACKAGES = {
    "cdo": "write the configuration of a routed device as CDO files",
    "txn": "write the configuration of a routed device as a transaction",
    "pdi": "write the configuration of a routed device as a PDI",
    "xclbin": "write the configuration of a routed device as an xclbin",
    "elf": "write the instruction words of a runtime sequence as an ELF for XRT",
}


_CORES = {
    "ldscript": "write the linker script of the core at --tilecol and --tilerow",
    "bcf": "write the memory map for xbridge of the core at --tilecol and --tilerow",
    "mmap": "write the addresses of the buffers that each core can access",
    "target-arch": "write the architecture of the cores: AIE, AIE2 or AIE2p",
    "corelist": "write a Python list of the cores, each with its column, row and ELF file",
}


def _name(file: str) -> str:
    return "<stdin>" if file == "-" else file


def _read(file: str) -> str:
    try:
        return read_bytes(file).decode()
    except OSError as error:
        raise AlloAirError(f"cannot read '{file}': {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise AlloAirError(f"cannot read '{file}': it is not text in UTF-8") from None


def _data(text: str, first_line: int, options: Namespace, report: Callable[[Diagnostic], None]) -> bytes | None:
    """The output for one module; None if files were already written."""
    from allo_air import asm
    from allo_air.core.diagnostics import Listener
    from allo_air.mlir import new_context
    from allo_air.target.formats.instruction_elf import instruction_elf
    from allo_air.target.formats.llvm_ir import llvm_ir
    from allo_air.target.sequences import chosen_device

    with new_context(allow_unregistered=(unregistered := options.allow_unregistered_dialect)) as context:
        module = asm.read(text, _name(options.file), first_line=first_line, allow_unregistered=unregistered)
        if options.aie_npu_to_binary or options.aie_ctrlpkt_to_bin:
            return _bytes(_instruction_words(module, options, report), options)
        if options.mlir_to_llvmir:
            return llvm_ir(module).encode()
        with Listener(context, report):
            if options.aie_npu_to_cpp:
                return _cpp(module, options).encode()
            if options.aie_generate_elf:
                return instruction_elf(_instruction_words(module, options, report))
            device = chosen_device(module, options.aie_device_name)
            if (message := _package.for_cores(device, options)) is not None:
                return message
            if not options.aie_generate_cdo:
                return _package.bytes_of(device, options)
            try:
                _package.cdo_into(device, options)
            except OSError as error:
                raise AlloAirError(f"cannot write into '{options.work_dir_path}': {error.strerror or error}") from None
            return None


def _instruction_words(module: AnyOp, options: Namespace, report: Callable[[Diagnostic], None]) -> list[int]:
    from allo_air.target.control_packets import words_of
    from allo_air.target.npu_sequence import find
    from allo_air.target.npu_values import scalars
    from allo_air.target.npu_words import folded, stream
    from allo_air.target.sequences import choose_sequence

    device, name = options.aie_device_name, options.aie_sequence_name
    sequence = find(module, device, name, values_of(options.arg, lambda: scalars(choose_sequence(module, device, name)[1])))
    if options.aie_ctrlpkt_to_bin:
        return words_of(sequence.device_op, sequence.op, sequence.device)
    instructions = sequence.instructions()
    if options.fold_ddr_addr_offset == "true":
        instructions = folded(instructions)
    words = stream(sequence.device, instructions)
    for warning in sequence.unwaited():
        report(warning)
    return words


_LOWERINGS = (
    "aie-materialize-bd-chains", "aie-substitute-shim-dma-allocations", "aie-unroll-runtime-sequence-loops",
    "aie-decompose-large-dma-bd", "aie-lower-dynamic-bd-pool", "aie-assign-runtime-sequence-bd-ids", "aie-dma-tasks-to-npu",
    "aie-lower-dma-channel-reset", "aie-dma-to-npu", "aie-lower-set-lock", "aie-lower-core-reset", "canonicalize",
)  # fmt: skip
"""Runs aiecc's passes on runtime sequences before words are written. A sequence that is already lowered is unchanged."""


def _cpp(module: AnyOp, options: Namespace) -> str:
    """A sequence as a C++ function of its scalars."""
    from allo_air.core.driver import run
    from allo_air.core.pipeline import parse
    from allo_air.core.registry import Registry
    from allo_air.target.npu_cpp import function_of
    from allo_air.target.sequences import choose_sequence

    run(parse(f"builtin.module(aie.device({','.join(_LOWERINGS)}))", Registry()), module)
    device, sequence = choose_sequence(module, options.aie_device_name, options.aie_sequence_name)
    return function_of(device, sequence, folds=options.fold_ddr_addr_offset == "true")


def _bytes(words: list[int], options: Namespace) -> bytes:
    if options.hex or options.aie_output_binary in ("false", "0"):
        return "".join(f"{word:08X}\n" for word in words).encode()
    return b"".join(word.to_bytes(4, "little") for word in words)


def _print_diagnostic(diagnostic: Diagnostic, text: str, options: Namespace) -> None:
    """Prints a diagnostic with the line of `text` that it is about."""
    lines, name = text.split("\n"), _name(options.file)
    message = diagnostic.message.replace("by device and sequence", "with --aie-device-name and --aie-sequence-name")
    message = of_command_line(message)
    diagnostic = replace(diagnostic, message=message)
    print(render(diagnostic, lambda f, n: lines[n - 1] if f == name and n <= len(lines) else None), file=sys.stderr)


def _write(options: Namespace, data: bytes) -> None:
    if options.output == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        try:
            Path(options.output).write_bytes(data)
        except OSError as error:
            raise AlloAirError(f"cannot write '{options.output}': {error.strerror or error}") from None


if __name__ == "__main__":
    sys.exit(watched())
