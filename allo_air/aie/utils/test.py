"""The command-line flags of hosts that run a program's files."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.aie.utils.hostruntime.running import NPUKernel
from allo_air.aie.utils.trace.config import TraceConfig

if TYPE_CHECKING:
    from argparse import Namespace


def create_default_argparser() -> ArgumentParser:
    """A parser of -x, -i, -k, -v, --verify, --iters, --warmup, -t, --trace_file and the sizes of arrays."""
    parser = ArgumentParser(conflict_handler="resolve")  # a program may have a flag of the same name
    parser.add_argument("-x", "--xclbin", required=True, help="the program")
    parser.add_argument("-i", "--instr", default="instr.txt", help="its instructions")
    parser.add_argument("-k", "--kernel", default="MLIR_AIE", help="its name")
    parser.add_argument("-v", "--verbosity", type=int, default=0)
    parser.add_argument("--verify", type=_truth, default=True, help="compare results")
    parser.add_argument("--iters", type=int, default=1, help="taken; a simulation is run once")
    parser.add_argument("--warmup", "--warmup-iters", dest="warmup_iters", type=int, default=0, help="taken")
    parser.add_argument(
        "-t", "--trace_sz", "--trace-sz", "--trace_size", "--trace-size", dest="trace_size", type=int, default=0
    )
    parser.add_argument("--trace_file", "--trace-file", dest="trace_file", default="trace.txt")
    for name in ("in1", "in2", "out"):
        parser.add_argument(
            f"-{'os' if name == 'out' else f'i{name[-1]}s'}", f"--{name}_size", dest=f"{name}_size", type=int, default=0
        )
    parser.add_argument("-bw", "--int_bit_width", dest="int_bit_width", type=int, default=32)
    return parser


def parse_args(args: Sequence[str] | None = None) -> Any:
    """The parsed flags of a command line."""
    return create_default_argparser().parse_args(args)


@dataclass(frozen=True)
class NPUOptions:
    """The program that the flags name, and how to run it."""

    npu_kernel: NPUKernel
    verify: bool
    verbosity: int
    n_iters: int
    n_warmup_iters: int


def create_npu_kernel(opts: Namespace) -> NPUOptions:
    """The program that the flags name."""
    config = TraceConfig(opts.trace_size, opts.trace_file) if getattr(opts, "trace_size", 0) else None
    kernel = NPUKernel(opts.xclbin, opts.instr, opts.kernel, config)
    return NPUOptions(kernel, bool(opts.verify), int(opts.verbosity), int(opts.iters), int(opts.warmup_iters))


def _truth(text: str) -> bool:
    return str(text).lower() not in ("0", "false", "no")
