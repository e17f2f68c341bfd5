"""`allo-run`: compiles and runs a program without an NPU, checks it against numpy, and reports how it ran."""

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from allo_air import __version__
from allo_air.core.texts import read_text
from allo_air.errors import DiagnosticError, OptionError, nearest, suggestion
from allo_air.tools import _completion, _expectation, _kernels, _verdict
from allo_air.tools._exit import ending
from allo_air.tools._files import check_readable, check_writable
from allo_air.tools._parser import Parser
from allo_air.tools._shapes import sizes_of
from allo_air.tools._streams import reopen
from allo_air.tools._values import add_values

_EXAMPLES = """examples:
  allo-run gemm-bf16 --shape 512x512x512             compile, run, check and report
  allo-run gemm-bf16 --shape 4096x4096x4096 --estimate   only predict how long it takes
  allo-run gemm.mlir --pipeline gemm-i8 --save DIR   the same from a file, and save all stages
  allo-run mine.mlir                                 choose a pipeline, run, check against the interpreter
  allo-run stage.mlir --at air --input a.npy         run the IR of one stage
  allo-run aie.mlir --input a.npy --output c.npy     simulate any AIE design
  allo-run aie.mlir --input a.npy --expect c.npy     check it; trace wrong values to their producer
  allo-run model.onnx --shape x=1x64                 the same for a model with an open size of x
  allo-run DIR                                       run a program saved by --save
  allo-run final.xclbin --design routed.mlir         run a package with the cores of its design
  allo-run cache --clear                             empty the cache of compiled programs"""

_AS_IT_IS = ("at", "entry", "device_name", "arg", "parameter")
"""Options of a file whose IR runs as it is."""

_OF_RUNS = ("input", "output", "expect", "reference", "trace", "plot", "no_check", "dry_run")
"""Options of a run."""

_COMPILES = ("schedule", "verify_each", "no_cache", "cache_dir")
"""Options of a compilation."""


def watched() -> int:
    """Runs the tool in a child process, so that a crash inside MLIR ends in a message."""
    from allo_air.core import crash, quick_start

    reopen()
    quick_start.hurry()
    return crash.watched(main, "allo-run")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the tool; 0 is success, 1 a wrong result or an error in the input, 2 an error on the command line."""
    options = parser().parse_args(arguments)
    return ending(lambda: _judged(options))


def _judged(options: argparse.Namespace) -> int:
    """Runs the tool under the project's policy of findings, and tells those that make it fail."""
    if options.target == "cache":
        return _main(options)
    from allo_air.sim import policy
    from allo_air.sim.report_types import SimulationError

    try:
        with policy.using(_verdict.chosen(options)):
            return _main(options)
    except SimulationError as error:
        return _verdict.failed(error, options)
    except DiagnosticError as error:
        if (code := _verdict.refused(error, options)) is None:
            raise
        return code


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = Parser("allo-run", description=__doc__, epilog=_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = made.add_argument
    add(
        "target",
        help="a pipeline that takes a shape (gemm-bf16), an MLIR file (- is standard input), a function (kernel.py:f),"
        " a saved folder, or 'cache'",
    )
    add(
        "--shape",
        metavar="MxNxK",
        help="compile a matmul of this shape: C (MxN) = A (MxK) B (KxN); of a function in Python: 8x4xi32,4xf32;"
        " sizes that model.onnx leaves open: image=1x3x224x224,mask=1x224",
    )
    add(
        "--pipeline",
        metavar="NAME",
        help="compile the file with this pipeline (default: the one that fits its operations), then run it",
    )
    add("--device", metavar="NAME", help="device: npu1 (default), npu2, or a part of its columns (npu1_2col)")
    add("--option", action="append", default=[], metavar="K=V", help="an option of the pipeline, as in herd-m=64")
    add("--schedule", metavar="FILE", help="transform script to use instead of the pipeline's tiling")
    add("--at", metavar="LEVEL", help="run the IR unchanged at level linalg, tiled, air, channel, aie or npu")
    add("--entry", metavar="NAME", help="function or runtime sequence to run, where the file has several")
    add("--device-name", metavar="NAME", help="symbol of the aie.device to run, where the file has several")
    add("--seed", type=_seed, metavar="N", default=0, help="seed of the inputs and of the simulator (default 0)")
    add("--input", action="append", default=[], metavar="FILE.npy", help="an argument's array, in order; the rest are random")
    add_values(made)
    add("--parameter", action="append", default=[], metavar="NAME=NUMBER", help="the value of a scratchpad parameter (n=4)")
    _expectation.add_to(made)
    add("--output", action="append", default=[], metavar="FILE.npy", help="write a result's array, in order")
    add(
        "--kernel",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="implementation of an external function: MLIR, Python or C++; a C++ file alone provides all its functions",
    )
    add("-D", dest="define", action="append", default=[], metavar="NAME=VALUE", help="a macro for kernels in C++")
    add("-I", dest="include", action="append", default=[], metavar="DIR", help="include folder for kernels in C++")
    add("--trace", metavar="FILE.json", help="write a Chrome trace; Perfetto opens it")
    add("--plot", action="append", default=[], metavar="FILE", help="draw roofline.png or timeline.png, by the name")
    add(
        "--syntax",
        metavar="STATE",
        help="save MLIR in the assembly of mlir-aie and mlir-air as of 2026-08 (default) or 2026-03",
    )
    add("--save", metavar="DIR", help="save MLIR at each level, instruction words and a manifest")
    add(
        "--package",
        metavar="FORMAT",
        choices=("xclbin", "elf", "full-elf", "pdi", "txn", "cdo"),
        help="with --save, also write what XRT loads into DIR/package; full-elf, unchecked, for several devices",
    )
    add("--core-ir", metavar="DIR", help="with --package: LLVM IR of cores, core_C_R.ll, which Peano compiles to ELFs")
    add("--peano", metavar="DIR", help="the folder of Peano (default: PEANO_INSTALL_DIR, its wheel, the path)")
    add("--design", metavar="FILE", help="the routed design of a target that is a package (final.xclbin): its cores' programs")
    add("--insts", metavar="FILE", help="instruction words, or an instruction ELF, instead of those of the file's sequence")
    add("--mhz", type=_clock, help="the clock (default: the device's, which reports name); memory does not follow it")
    add(
        "--core-code",
        choices=("scheduled", "compiled"),
        help="time of cores' code: as scheduled by hand, or as Peano compiles MLIR (default for air-npu); reports show both",
    )
    add(
        "--estimate",
        action="store_true",
        help="only predict the time, without data; nothing is checked",
    )
    add("--verbose", action="store_true", help="print everything: tables of cores, DMA channels and tiles, all findings")
    add("--explain", action="store_true", help="print the kernels of the program with their plans")
    add("--picture", action="store_true", help="draw the array as text with the load of each tile")
    add("--json", action="store_true", help="print the report as JSON")
    _verdict.add_to(made)
    add(
        "--orders",
        type=float,
        metavar="SECONDS",
        help="time limit of the search for hangs in other orders (default: 0.5; 0 leaves it out)",
    )
    add("--margins", action="store_true", help="remark how near a design is to a hang: FIFOs and depths that it needs")
    add("--max-cycles", type=_cycles, metavar="N", help="stop a run after N cycles (default 10^10, ten seconds at 1 GHz)")
    add("--progress", action="store_true", help="show progress on standard error even if it is no terminal")
    add("--verify-each", choices=("none", "stage", "verify", "level", "execute"), help="checks after each pass")
    add("--no-check", action="store_true", help="do not check the result")
    add("--backend", choices=("sim", "xrt"), default="sim", help="the simulator, or an NPU through XRT")
    add(
        "--packaging",
        choices=("auto", "own", "aiecc"),
        help="packaging for backend xrt: own writers, or aiecc (default: aiecc if installed)",
    )
    add("--dry-run", action="store_true", help="print the commands of backend xrt and missing tools")
    add("--no-cache", action="store_true", help="compile even if the program is in the cache")
    add("--cache-dir", metavar="DIR", help="folder of compiled programs (default: the user's cache folder)")
    add("--clear", action="store_true", help="with 'cache': remove all programs")
    add("--version", action="version", version=f"allo-run {__version__}")
    _completion.add_to(made, offers)
    return made


def offers() -> dict[str, list[str]]:
    """What a shell completes: by option, and by "" the targets that are no files."""
    from allo_air.core.levels import LEVELS
    from allo_air.core.registry import Registry
    from allo_air.device import DEVICES
    from allo_air.program.compile import element_of_pipeline

    pipelines = Registry().pipeline_names()
    npus = [name for name, device in DEVICES.items() if device.is_npu]
    return {"": [*filter(element_of_pipeline, pipelines), "cache"], "pipeline": [*pipelines], "device": npus, "at": [*LEVELS]}


def _seed(text: str) -> int:
    if not text.isdecimal() or int(text) >= 2**64:
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 0 to 2^64 - 1")
    return int(text)


def _cycles(text: str) -> int:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 1 <= found < 2**62:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of cycles, as in 20000000000 or 2e10")
    return int(found)


def _clock(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < 1e6:
        raise argparse.ArgumentTypeError(f"'{text}' is no clock in MHz")
    return found


def _main(options: argparse.Namespace) -> int:
    if options.target == "cache":
        return _cache(options)
    if options.clear:
        raise OptionError("--clear goes with 'allo-run cache'")
    from allo_air.tools._run_function import is_function, refuse_python, run_function

    if is_function(options.target):
        return run_function(options)
    refuse_python(options.target)
    from allo_air.tools._progress import Progress
    from allo_air.tools._run_program import run

    _expectation.check_options(options)
    if options.estimate:
        _refuse(options, "--estimate, which runs nothing", *_OF_RUNS)
    _check_files(options)
    from allo_air.asm.syntax import printing

    shown = Progress(quiet=options.json and not options.progress, lines=options.progress)
    with printing(options.syntax), shown as progress:
        program, source = _target(options, progress)
        if program is not None:
            return run(program, source, options, progress)
        from allo_air.tools._run_stage import run_source

        return run_source(source, options, progress)


def _check_files(options: argparse.Namespace) -> None:
    """Refuses, before anything long runs, files that could not be read or written after it."""
    from allo_air.program.reports.plot import check

    for path in map(Path, [*options.input, *(name for _, name in _expectation.files(options.expect))]):
        check_readable(path)

    for path in map(Path, options.plot):
        check(path)
    written = (options.trace, options.sarif, options.write_baseline)
    for path in map(Path, [*options.output, *filter(None, written)]):
        check_writable(path)


def _target(options: argparse.Namespace, progress: Any) -> tuple[Any, Any]:
    """The program to run with its source, or no program and the source whose IR is run as it is."""
    import allo_air
    from allo_air.program.source import ONNX, Source, onnx_source, source_of
    from allo_air.program.stage import SIMULATED

    target = options.target
    if options.package and not options.save:
        raise OptionError("--package writes into the folder of --save DIR, which is not given")
    if (options.core_ir or options.peano) and not options.package:
        raise OptionError("--core-ir and --peano are for --package, which is not given")
    if options.design:
        _refuse(options, "a package", "shape", "pipeline", "device", "option", "save", *_COMPILES)
        return None, source_of(Path(options.design))
    if Path(target).is_dir():
        _refuse(options, "a saved program", "shape", "pipeline", "device", "option", *_COMPILES, *_AS_IT_IS)
        program = allo_air.load(target, options.backend, kernels=_kernels.read(options))
        return program, Source(program.text(program.levels[0]), target)
    if target != "-" and not Path(target).exists() and not target.endswith(".mlir"):
        _refuse(options, "a pipeline's name as the target", "pipeline", *_AS_IT_IS)
        return _compile(None, target, options, progress)
    if target.endswith(ONNX):
        source = onnx_source(Path(target), sizes_of([options.shape] if options.shape else []))
    else:
        source = Source(read_text(Path("-")), "<stdin>") if target == "-" else source_of(Path(target))
    if options.shape and not target.endswith(ONNX):
        raise OptionError("--shape goes with a pipeline's name; a file has its own shapes")
    if options.pipeline is not None:
        _refuse(options, "a file that is compiled", *_AS_IT_IS)
        return _compile(source, options.pipeline, options, progress)
    as_it_is = any(getattr(options, name) for name in _AS_IT_IS)
    if options.backend == "xrt" or options.dry_run or options.save or not (as_it_is or source.level in SIMULATED):
        _refuse(options, "a file that is compiled", *_AS_IT_IS)
        return _compile(source, None, options, progress)
    if options.option:
        raise OptionError("--option sets an option of a pipeline, and the file runs as it is; --pipeline compiles it")
    _refuse(options, "a file that runs as it is; --pipeline compiles it", "device", *_COMPILES)
    return None, source


def _compile(source: Any, pipeline: str | None, options: argparse.Namespace, progress: Any) -> tuple[Any, Any]:
    from allo_air.program.compile import compile_source, source_for

    if options.no_cache:
        _refuse(options, "--no-cache", "cache_dir")
    shape = shape_of(str(pipeline), options.shape) if source is None else None
    given = source_for(source, pipeline, shape)
    program = compile_source(
        given,
        pipeline,
        options.device or "npu1",
        options.backend,
        options_of(options.option),
        verify_each=options.verify_each,
        cache=not options.no_cache,
        cache_dir=options.cache_dir,
        progress=progress.compiling,
        kernels=_kernels.read(options),
        schedule=Path(options.schedule) if options.schedule else None,
    )
    return program, given


def _refuse(options: argparse.Namespace, what: str, *names: str) -> None:
    for name in names:
        if getattr(options, name):
            raise OptionError(f"--{name.replace('_', '-')} does not go with {what}")


def shape_of(pipeline: str, text: str | None) -> tuple[int, ...]:
    """The shape of a matmul for a pipeline; OptionError where there is none, or no such pipeline."""
    if not text:
        from allo_air.core.registry import Registry

        if pipeline not in (known := Registry().pipeline_names()):
            offered = suggestion(nearest(pipeline, known))
            raise OptionError(f"'{pipeline}' is no file, and no pipeline{offered} (allo-opt --list-pipelines lists all)")
        raise OptionError(f"'{pipeline}' is no file; for the pipeline of that name give a shape, as in --shape 512x512x512")
    if not re.fullmatch(r"\d+x\d+x\d+", text):
        raise OptionError(f"--shape is '{text}', wanted MxNxK as in 512x512x512")
    return tuple(map(int, text.split("x")))


def options_of(texts: Sequence[str]) -> str:
    """`--option a=1 --option b=2` as option text."""
    for text in texts:
        if not re.match(r"[A-Za-z][\w-]*=", text):
            raise OptionError(f"--option is '{text}', wanted NAME=VALUE as in herd-m=64")
    return " ".join(texts)


def _cache(options: argparse.Namespace) -> int:
    from allo_air.program.storage import tuned
    from allo_air.program.storage.cache import LIMIT, Cache, default_folder

    cache = Cache(Path(options.cache_dir) if options.cache_dir else default_folder())
    if options.clear:
        print(f"removed {cache.clear()} programs and {tuned.clear(cache.folder)} tuned plans from {cache.folder}")
        return 0
    entries = cache.entries()
    print(f"{cache.folder}: {len(entries)} programs, {cache.size():,} bytes of at most {LIMIT:,}")
    return 0


if __name__ == "__main__":
    sys.exit(watched())
