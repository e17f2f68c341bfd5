"""`aircc` and `aiecc`: compile MLIR to a program for our `pyxrt`. Options of the original tools that have no effect are
accepted."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from allo_air.air.compiler.aircc import artifacts, sequences
from allo_air.core.texts import read_text
from allo_air.device import DEVICES, known_as
from allo_air.errors import AlloAirError, UnknownNameError, nearest, render, suggestion

_WITH_VALUE = frozenset({
    "-o", "-i", "--device", "-device", "--xclbin-name", "--xclbin-kernel-name", "--xclbin-instance-name", "--xclbin-kernel-id",
    "--xclbin-input", "--npu-insts-name", "--insts-name", "--tmpdir", "--sysroot", "--host-target", "--output-format",
    "--stack-size", "--lower-linalg-to-func", "--air-runtime-loop-tiling-sizes", "--instance-name", "--kernel-id", "--peano",
    "--pdi-name", "--elf-name", "--full-elf-name", "--cdo-name", "--txn-name",
    "--input-with-addresses-name", "--ctrlpkt-name", "--num-cols", "--num-rows", "--omit-ping-pong-transform",
    "--air-channel-multiplexing", "--trace-size", "--trace-offset", "-j", "-O", "-row-offset", "-col-offset", "-num-cols",
    "-num-rows", "--row-offset", "--col-offset", "--alloc-scheme", "--repeater-output-dir", "--device-name", "--sequence-name",
    "--placed-ir-verifiers", "--peano-install-dir", "--aietools",
})  # fmt: skip

_LISTS = ("air-runtime-loop-tiling-sizes",)
"""Options that add to a list each time they are written."""
_SWITCHES = (
    "use-lock-race-condition-fix-v2",
    "coalesce-shim-dma",
    "omit-while-true-loop",
    "omit-auto-broadcast",
    "air-loop-fusion",
)
"""Flags that are options of XRTBackend by the same names."""
_PROGRAM = ("xclbin", "npu-insts", "full-elf")
"""Artifacts that are the program itself, which is always written."""
_TRANSLATED = {
    "ctrlpkt": "allo-translate --aie-ctrlpkt-to-bin",
    "core-elfs": "allo-run --core-ir",
    "scratchpad-params": "allo-opt --aie-lower-scratchpad-parameters=output-params-file=FILE",
    "host": "the host's own compiler",
    "aiesim": "allo-run, which runs the device",
    "locmap": "allo-opt --mlir-print-debuginfo",
}
"""Files of aiecc's `--get-NAME` (August) or `--aie-generate-NAME` (March) that this driver does not write, and the tool that
does."""
_WITHOUT_EFFECT = frozenset({
    "air-loop-fusion", "air-verbose", "bf16-emulation", "cdo-debug", "cdo-unified", "compile", "compile-host", "debug-ir",
    "derive-library-call", "dump-ir", "dynamic-objFifos", "enable-repeater-scripts", "expand-load-pdis", "full-elf",
    "generate-full-elf", "g", "link", "load-pdi-to-ctrl-pkt", "n", "no-aiesim", "no-compile", "no-compile-host", "no-link",
    "no-materialize", "no-unified", "no-xbridge", "no-xchesscc", "nodebug", "omit-pingpong", "packet-sw-objFifos", "placer",
    "profile", "progress", "sequential_placer", "shared", "stack-sizes", "unified", "use-lock-race-condition-fix", "v",
    "verbose", "vv", "xbridge", "xchesscc", "xclbinutil-path", "nthreads", "opt-level", "output-dir", "work-dir-path",
    "sa-seed", "cores-per-col", "dynamic-objfifos", "dynamic-obj-fifos", "packet-sw-obj-fifos", "aiesim",
    "insert-trace-packet-flow", "opt-with-xclbin",
})  # fmt: skip
"""Options of the original tools that have no effect."""
_OF_STEPS = ("emit-dot", "cut", "checkpoint", "resume")
"""Options of aiecc that control steps which are passes here."""
_STEPS = {"placed": "channel", "aie": "aie", "npu": "npu"}
"""Prefixes of the files of AIR's steps in the folder of `--tmpdir`, and our levels."""
_TEXTS = {"placed-ir-verifiers": "placed_ir_verifiers", "omit-ping-pong-transform": "omit_pingpong"}
"""Flags with a value, and the corresponding options of XRTBackend."""


_HELP = """usage: aiecc [options] FILE.mlir
       aircc [options] FILE.mlir

allo_air's stand-in for the peers' drivers: writes what pyxrt runs on the simulator.

  --xclbin-name=FILE, --full-elf-name=FILE, -o FILE   the program; default: final.xclbin
  --npu-insts-name=FILE, --insts-name=FILE, -i FILE   the instruction words; default: insts.bin
  --xclbin-kernel-name=NAME, --instance-name=NAME     the kernel's name; default: MLIR_AIE
  --device=NAME, --stack-size=N, --output-format=NAME, --lower-linalg-to-func=NAME,
  --air-runtime-loop-tiling-sizes=N,N                 for AIR alone: as XRTBackend's options
  --version, --help

  --tmpdir=FOLDER                                     for AIR: writes placed.FILE, aie.FILE and npu.FILE, the IR of these steps
  --get-NAME, --aie-generate-NAME                     also: input-with-addresses, txn, cdo, pdi, elf, in --NAME-name=FILE
                                                      txn, cdo, pdi: of all devices, or --device-name; {0} is its name
  --dry-run                                           lists the files, and writes none

Other options of aiecc and aircc, of March and August 2026, are accepted and have no effect. A note names each option that
neither tool has. --get-NAME and --aie-generate-NAME of formats that are not made here (control packets, ...) name the tool that
makes them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the driver; returns 1 and prints the reason on standard error if it fails."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if {"--version", "-version"} & set(words):
        print("allo_air's stand-in for aircc and aiecc: programs run on the simulator")
        return 0
    if {"--help", "-h", "-help"} & set(words):
        print(_HELP)
        return 0
    sources: list[str] = []
    try:
        files, value = _parsed(words)
        sources = [f for f in files if f.endswith((".mlir", ".mlirbc")) or f == "-"]
        if len(sources) != 1:
            raise AlloAirError(f"expected one .mlir file to compile, got {', '.join(files) or 'none'}")
        _say_what_is_not_made(value)
        _say_what_is_unknown(value)
        if value.get("dry-run", "false") in ("", "1", "true"):
            for file, what in _planned(value):
                print(f"{file}: {what}")
            return 0
        _compile(read_text(Path(sources[0])), value, Path(sources[0]).name)
    except OSError as error:
        print(f"error: cannot write '{error.filename}': {error.strerror}", file=sys.stderr)
        return 1
    except AlloAirError as error:
        for diagnostic in error.diagnostics:
            named = replace(diagnostic, file=sources[0]) if sources and diagnostic.file == "<text>" else diagnostic
            print(render(named, lambda _file, _number: None), file=sys.stderr)
        return 1
    return 0


def run(mlir_module: object, args: Sequence[str] | None = None) -> None:
    """Compiles a module with the options in `args`, like the driver."""
    files, value = _parsed(list(args or ()))
    _compile(str(mlir_module), value, Path(files[0] if files else "air.mlir").name)


def _say_what_is_unknown(arguments: dict[str, str]) -> None:
    """Prints a note for each option that neither driver has."""
    options = {w.lstrip("-") for w in _WITH_VALUE} | {*_SWITCHES, *_TEXTS, *_WITHOUT_EFFECT, "emit-txn-cpp", "dry-run", "get"}
    for name in arguments:
        if name in _OF_STEPS:
            print(f"note: --{name} has no effect here: the steps of a compilation are passes; use allo-opt", file=sys.stderr)
        elif name not in options and not name.startswith(("get-", "aie-generate-", "aie-only", "I", "L", "O", "l")):
            near = suggestion(nearest(name, options))
            print(f"note: --{name} is not an option of aircc or aiecc, and has no effect{near}", file=sys.stderr)


def _requests(arguments: dict[str, str]) -> dict[str, str]:
    """The requested artifacts, with the flags that request them."""
    results: dict[str, str] = {}
    for name, value in arguments.items():
        field = value if name == "get" else name.removeprefix("get-").removeprefix("aie-generate-")
        if (field != name or name == "get") and value not in ("0", "false"):
            results[field] = f"--{name}={value}" if name == "get" else f"--{name}"
    return results


def _say_what_is_not_made(arguments: dict[str, str]) -> None:
    """Prints a note for each requested artifact that another tool makes. AlloAirError for an unknown artifact."""
    artifact_names = (*_PROGRAM, *artifacts.FILES, *_TRANSLATED)
    for field, flag in _requests(arguments).items():
        if field in _TRANSLATED:
            print(f"note: {flag} makes no file here: use {_TRANSLATED[field]}", file=sys.stderr)
        elif field not in artifact_names and flag.startswith("--get-"):
            near = suggestion(nearest(field, artifact_names)) or f"; there are: {', '.join(artifact_names)}"
            raise AlloAirError(f"{flag}: there is no artifact '{field}'{near}")
        elif field not in artifact_names and flag.startswith("--get="):
            print(f"note: {flag} makes no file here: the steps of a compilation are passes; use allo-opt", file=sys.stderr)


def _artifacts(arguments: dict[str, str]) -> dict[str, str]:
    """The files of the requested artifacts other than the program."""
    return {n: arguments.get(f"{n}-name", file) for n, file in artifacts.FILES.items() if n in _requests(arguments)}


def _planned(arguments: dict[str, str]) -> list[tuple[str, str]]:
    """The files that a compilation writes, with their kinds."""
    xclbin, insts = _program_files(arguments)
    files = [(file or "*_aie_cdo_*.bin", name) for name, file in _artifacts(arguments).items()]
    return [(xclbin, "the program, for pyxrt on the simulator"), (insts, "its instruction words"), *files]


def _program_files(arguments: dict[str, str]) -> tuple[str, str]:
    names = ("xclbin-name", "full-elf-name", *(() if "elf" in _requests(arguments) else ("elf-name",)), "o")
    xclbin = next((arguments[n] for n in names if arguments.get(n)), "final.xclbin")
    return xclbin, next((arguments[n] for n in ("npu-insts-name", "insts-name", "i") if arguments.get(n)), "insts.bin")


def _compile(text: str, arguments: dict[str, str], file: str) -> None:
    from allo_air.air.backend.xrt import XRTBackend

    options: dict[str, Any] = {key: arguments[name] for name, key in _TEXTS.items() if name in arguments}
    options |= {name.replace("-", "_"): True for name in _SWITCHES if arguments.get(name, "false") in ("", "1", "true")}
    if arguments.get("emit-txn-cpp", "false") in ("", "1", "true"):
        raise AlloAirError(
            "--emit-txn-cpp asks for instruction words as a function in C++, which is not made here: leave it out, and"
            " give the device to allo-translate --aie-npu-to-cpp"
        )
    for name, key in (("device", "target_device"), ("lower-linalg-to-func", "lower_linalg_to_func"),
                      ("stack-size", "stack_size"), ("output-format", "output_format")):  # fmt: skip
        if name in arguments:
            options[key] = _numbers(name, arguments)[0] if key == "stack_size" else arguments[name]
    if "air-runtime-loop-tiling-sizes" in arguments:
        options["runtime_loop_tiling_sizes"] = _numbers("air-runtime-loop-tiling-sizes", arguments)
    named = arguments.get("device") or "auto"
    if named != "auto" and known_as(named) not in DEVICES:
        raise UnknownNameError("device", named, DEVICES)
    kernel = arguments.get("xclbin-kernel-name") or arguments.get("instance-name") or "MLIR_AIE"
    xclbin, insts = _program_files(arguments)
    backend = XRTBackend(**options)
    if "air." not in text:
        _of_a_device(text, xclbin, kernel, insts, arguments)
        if files := _artifacts(arguments):
            from allo_air.air.compiler.devices import prepared

            artifacts.write(prepared(text), files, arguments.get("device-name"), arguments.get("sequence-name"))
    else:
        for name in _artifacts(arguments):
            print(f"note: --get-{name} makes no file of AIR; give aiecc the device that it lowers to", file=sys.stderr)
        artifact = backend.compile(text, xclbin=xclbin, kernel=kernel, insts=insts)
        if folder := arguments.get("tmpdir"):
            _write_steps(artifact.program, Path(folder), file)


def _write_steps(program: object, folder: Path, file: str) -> None:
    from allo_air.program.program import Program

    if not isinstance(program, Program):
        print("note: --tmpdir gets no steps: a function of integers is compiled when they have values", file=sys.stderr)
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name, level in _STEPS.items():
        (folder / f"{name}.{file}").write_text(program.text(level))


def _of_a_device(text: str, xclbin: str, kernel: str, insts: str, arguments: dict[str, str]) -> None:
    import allo_air
    from allo_air.air.backend.sources import kernels_near_program
    from allo_air.air.compiler.devices import prepared
    from allo_air.air.compiler.events import with_events
    from allo_air.compat import package

    kernels = kernels_near_program(text)
    options: dict[str, Any] = {"kernels": kernels or None}
    text = prepared(with_events(text, kernels))
    designs = sequences.apart(text, arguments.get("device-name"), arguments.get("sequence-name"), named="{" in insts)
    files = sequences.files(insts, designs)
    if len(set(files)) < len(files):
        files = sequences.files(sequences.FILE, designs)
        print(
            f"note: '{insts}' is one file, and the words of each sequence need their own: they are in {', '.join(files)}; in"
            " --npu-insts-name, {0} is the name of the device and {1} that of the sequence",
            file=sys.stderr,
        )
    several = len(designs) > 1
    if several and set(_requests(arguments)) & {"xclbin", "full-elf"}:
        everything = ", ".join(name for _, name in designs)
        raise AlloAirError(
            f"the simulator's program has one runtime sequence, this design has {everything}: name one by --sequence-name"
        )
    for design, file in zip(designs.values(), files, strict=True):
        program = allo_air.compile(design, **options)
        if not several:
            package.write(xclbin, design, options, kernel, program)
        Path(file).write_bytes(b"".join(int(w).to_bytes(4, "little") for w in program.lowered.words))


def _parsed(arguments: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    files: list[str] = []
    argument: dict[str, str] = {}
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if not word.startswith("-") or word == "-":
            files.append(word)
            continue
        if not equals and word in _WITH_VALUE and rest:
            value = rest.pop(0)
        key = name.lstrip("-")
        again = key in _LISTS and key in argument
        argument[key] = f"{argument[key]},{value}" if again else value
    return files, argument


def _numbers(name: str, arguments: dict[str, str]) -> list[int]:
    """The numbers of an option, with commas between them."""
    try:
        return [int(word) for word in arguments[name].split(",")]
    except ValueError:
        raise AlloAirError(f"--{name} is '{arguments[name]}', expected a number, or several as in 4,4") from None


if __name__ == "__main__":
    sys.exit(main())
