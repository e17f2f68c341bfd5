"""The flags that IRON programs share."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import TYPE_CHECKING

from allo_air.aie.building.arguments import refuse
from allo_air.aie.iron.device import Device, from_name

if TYPE_CHECKING:
    from argparse import Namespace


def add_compile_args(
    parser: ArgumentParser,
    *,
    default_dev: str | None = None,
    dev_choices: Sequence[str] = ("npu", "npu1", "npu2"),
    **keywords: object,
) -> ArgumentParser:
    """Adds --dev, --emit-mlir, and the paths of output files."""
    refuse(keywords, "add_compile_args")
    parser.conflict_handler = "resolve"  # a program may have a flag of the same name
    parser.add_argument("-d", "--dev", "--device", dest="dev", choices=list(dev_choices), default=default_dev)
    parser.add_argument("--emit-mlir", action="store_true", help="print the module, and do no more")
    for name in ("xclbin", "insts", "elf", "full-elf", "pdi"):
        words = dict.fromkeys((f"--{name}-path", f"--{name.replace('-', '_')}_path"))
        parser.add_argument(*words, dest=f"{name.replace('-', '_')}_path", default=None, help="write this file, and do no more")
    return parser


def add_benchmark_args(parser: ArgumentParser, *, warmup: int = 0, iters: int = 1, **keywords: object) -> ArgumentParser:
    """Adds --warmup and --iters, which have no effect: a simulation runs once."""
    refuse(keywords, "add_benchmark_args")
    parser.add_argument("--warmup", type=int, default=warmup)
    parser.add_argument("--iters", type=int, default=iters)
    return parser


def add_trace_arg(parser: ArgumentParser, *, default: int = 0, **keywords: object) -> ArgumentParser:
    """Adds --trace-size."""
    refuse(keywords, "add_trace_arg")
    parser.add_argument("-t", "--trace-size", "--trace_size", dest="trace_size", type=int, default=default)
    return parser


def add_runtime_args(parser: ArgumentParser, **keywords: object) -> ArgumentParser:
    """Adds --verbosity and --verify."""
    refuse(keywords, "add_runtime_args")
    parser.add_argument("-v", "--verbosity", type=int, default=0)
    parser.add_argument("--verify", type=int, default=1)
    return parser


def device_from_args(opts: Namespace, n_cols: int | None = None) -> Device | None:
    """The device of --dev with `n_cols` columns; None without --dev."""
    return from_name(opts.dev, n_cols) if getattr(opts, "dev", None) else None
