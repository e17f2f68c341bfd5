"""The command line of `allo-run`."""

import argparse

from allo_air._version import __version__
from allo_air.tools import _completion, _expectation, _verdict
from allo_air.tools._parser import Parser
from allo_air.tools._values import add_values

_DESCRIPTION = "`allo-run`: compiles and runs a program without an NPU, checks it against numpy, and reports how it ran."

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


def parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    argument_parser = Parser(
        "allo-run", description=_DESCRIPTION, epilog=_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    argument_parser.pipeline_options = pipeline_options
    add = argument_parser.add_argument
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
    add("--entry", metavar="NAME", help="function to compile, or runtime sequence to run, where the file has several")
    add("--device-name", metavar="NAME", help="symbol of the aie.device to run, where the file has several")
    add("--seed", type=_seed, metavar="N", default=0, help="seed of the inputs and of the simulator (default 0)")
    add("--input", action="append", default=[], metavar="FILE.npy", help="an argument's array, in order; the rest are random")
    add_values(argument_parser)
    add("--parameter", action="append", default=[], metavar="NAME=NUMBER", help="the value of a scratchpad parameter (n=4)")
    _expectation.add_to(argument_parser)
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
    add(
        "--kernel-seconds",
        type=_seconds,
        metavar="SECONDS",
        help="stop a call of a kernel in C++ after SECONDS (default: 60; 0: never)",
    )
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
        help="with --save, also write XRT's files to DIR/package; several devices need full-elf, which was not tried with XRT",
    )
    add("--core-ir", metavar="DIR", help="with --package: LLVM IR of cores, core_C_R.ll, which Peano compiles to ELFs")
    add("--peano", metavar="DIR", help="the folder of Peano (default: PEANO_INSTALL_DIR, its wheel, the path)")
    add("--design", metavar="FILE", help="the routed design of a target that is a package (final.xclbin): its cores' programs")
    add("--insts", metavar="FILE", help="instruction words, or an instruction ELF, instead of those of the file's sequence")
    add("--mhz", type=_clock, help="the clock (default: the device's, which reports name); memory does not follow it")
    add(
        "--core-code",
        choices=("compiled", "scheduled"),
        help="time of cores' code: as Peano compiles MLIR (default), or as scheduled by hand; reports show both",
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
    _verdict.add_to(argument_parser)
    add(
        "--orders",
        type=_seconds,
        metavar="SECONDS",
        help="time limit of the search for hangs in other orders (default: 0.5; 0: no search)",
    )
    add("--margins", action="store_true", help="remark how near a design is to a hang: FIFOs and depths that it needs")
    add("--max-cycles", type=_cycles, metavar="N", help="stop a run after N cycles (default 10^10, ten seconds at 1 GHz)")
    add("--progress", action="store_true", help="show progress on standard error even if it is not a terminal")
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
    _completion.add_to(argument_parser, completions)
    return argument_parser


def pipeline_options() -> list[str]:
    """The names of all pipelines' options, as on the command line."""
    from allo_air.core.options import specs
    from allo_air.core.registry import Registry

    registry = Registry()
    names = {spec.name for name in registry.pipeline_names() for spec in specs(registry.pipeline(name).options)}
    return sorted(name.replace("_", "-") for name in names)


def completions() -> dict[str, list[str]]:
    """The values that a shell completes for each option; the key "" has the targets that are not files."""
    from allo_air.core.levels import LEVELS
    from allo_air.core.registry import Registry
    from allo_air.device import DEVICES
    from allo_air.program.compile import element_of_pipeline

    pipelines = Registry().pipeline_names()
    npus = [name for name, device in DEVICES.items() if device.is_npu]
    return {"": [*filter(element_of_pipeline, pipelines), "cache"], "pipeline": [*pipelines], "device": npus, "at": [*LEVELS]}


def _seed(text: str) -> int:
    if not text.isdecimal() or int(text) >= 2**64:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 to 2^64 - 1")
    return int(text)


def _cycles(text: str) -> int:
    try:
        result = float(text)
    except ValueError:
        result = 0.0
    if not 1 <= result < 2**62:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of cycles, as in 20000000000 or 2e10")
    return int(result)


def _seconds(text: str) -> float:
    try:
        result = float(text)
    except ValueError:
        result = -1.0
    if not 0 <= result < 1e9:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds, as in 600")
    return result


def _clock(text: str) -> float:
    try:
        result = float(text)
    except ValueError:
        result = 0.0
    if not 0 < result < 1e6:
        raise argparse.ArgumentTypeError(f"'{text}' is not a clock in MHz")
    return result
