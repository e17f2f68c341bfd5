"""`allo-tune`: simulates the planner's best plans for a program and stores the fastest for later compilations."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from allo_air._version import __version__
from allo_air.core.texts import read_text
from allo_air.errors import OptionError
from allo_air.tools import _completion
from allo_air.tools._exit import exit_code_of
from allo_air.tools._parser import Parser
from allo_air.tools._run_options import pipeline_options
from allo_air.tools._streams import reopen

_EXAMPLES = """examples:
  allo-tune gemm-bf16 --shape 1024x1024x1024 --budget 5m     a matmul
  allo-tune model.mlir --device npu2                         the kernels of a file, by the pipeline that fits
  allo-tune kernel.py:f --shape 64x64xf32                    those of a function in Python
  allo-tune program.py:launch                                the symbols of a program of air.api
  allo-tune model.mlir --cluster tcp://host:8786             simulated by the workers of a Dask cluster

Plans are stored in the user's cache folder, where allo-run and allo_air.compile find them. After the time limit or an
interruption, the same command continues with the remaining candidates."""

_API = re.compile(r"\bair\.api\b|\bair import api\b")
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}


def watched() -> int:
    """Runs the tool in a child process, so that a crash inside MLIR ends in a message."""
    from allo_air.core import crash, quick_start

    reopen()
    quick_start.speed_up_start()
    return crash.run_in_child(main, "allo-tune")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the tool; 0 is success, 1 an error in the input, 2 an error on the command line."""
    options = parser().parse_args(arguments)
    return exit_code_of(lambda: _main(options), "interrupted; the same command continues from here")


def parser() -> argparse.ArgumentParser:
    """The command line."""
    argument_parser = Parser(
        "allo-tune", description=__doc__, epilog=_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    argument_parser.pipeline_options = pipeline_options
    add = argument_parser.add_argument
    add(
        "target",
        help="a pipeline that takes a shape (gemm-bf16), a FILE of MLIR (- is standard input), kernel.py:f, or "
        "program.py:launch of air.api",
    )
    add("--shape", metavar="MxNxK", help="of a matmul: C (MxN) = A (MxK) B (KxN); of a function in Python: 8x4xi32,4xf32")
    add("--pipeline", metavar="NAME", help="the pipeline of a file (default: the one that fits its operations)")
    add("--device", metavar="NAME", help="device: npu1 (default), npu2, or a part of its columns (npu1_2col)")
    add("--option", action="append", default=[], metavar="K=V", help="an option of the pipeline, as in cols=2")
    add("--budget", type=_budget, default=60.0, metavar="TIME", help="time limit: 90s, 10m, 2h (default 60s)")
    add("--candidates", type=_count, default=32, metavar="N", help="simulate at most N plans of a kernel (default 32)")
    add("--jobs", type=_count, metavar="N", help="simulate N at a time (default: one for each core)")
    add(
        "--core-code",
        choices=("compiled", "scheduled"),
        default="compiled",
        help="time of cores' code: as Peano compiles it from MLIR (default), or as scheduled by hand",
    )
    add("--cluster", metavar="ADDRESS", help="let the workers of the Dask scheduler at ADDRESS simulate (extra 'cluster')")
    add("--cache-dir", metavar="DIR", help="folder of compiled programs and plans (default: the user's cache folder)")
    add(
        "--write",
        action="append",
        default=[],
        metavar="FILE",
        help="write the best plans: to a .json file as an entry of a registry, to a .mlir file as the tiled program",
    )
    add("--json", action="store_true", help="print the table as JSON")
    add("--progress", action="store_true", help="show progress on standard error even if it is not a terminal")
    add("--version", action="version", version=f"allo-tune {__version__}")
    _completion.add_to(argument_parser, _completions)
    return argument_parser


def _completions() -> dict[str, list[str]]:
    from allo_air.tools._run_options import completions

    result = completions()
    return {"": [t for t in result[""] if t != "cache"], "pipeline": result["pipeline"], "device": result["device"]}


def _budget(text: str) -> float:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text)
    if match is None or not float(match[1]):
        raise argparse.ArgumentTypeError(f"'{text}' is not a time, as 90s, 10m or 2h")
    return float(match[1]) * _SECONDS[match[2]]


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) < 2**31:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 on")
    return int(text)


def _main(options: argparse.Namespace) -> int:
    from allo_air.program.tuning.registry import check
    from allo_air.program.tuning.tune import tune_source
    from allo_air.tools._progress import Progress
    from allo_air.tools._run_function import is_function
    from allo_air.tools.allo_run import options_of

    if is_function(options.target) and (searched := _symbols(options)) is not None:
        print(json.dumps(searched.as_dict(), indent=2) if options.json else searched)
        return 0
    for path in options.write:
        check(path)  # before the time is spent
    source, pipeline, device = _target(options)
    with Progress(quiet=options.json and not options.progress, lines=options.progress) as progress:
        tuned = tune_source(
            source,
            pipeline,
            options.device or device,
            options_of(options.option),
            budget=options.budget,
            candidates=options.candidates,
            jobs=options.jobs,
            code=options.core_code,
            cluster=options.cluster,
            cache_dir=options.cache_dir,
            progress=progress.tuning,
        )
    for path in options.write:
        tuned.write(path)
    print(json.dumps(_as_dict(tuned), indent=2) if options.json else tuned)
    return 0


def _symbols(options: argparse.Namespace) -> Any:
    """The search over the symbols of a program of air.api; None for another target."""
    path, _, name = options.target.rpartition(":")
    if not Path(path).is_file() or not _API.search(read_text(Path(path))):
        return None
    from allo_air.air.api.tuning import is_program, search_symbols

    if not is_program(path, name):
        return None
    for value in ("shape", "pipeline", "option", "jobs", "cluster", "write"):
        if getattr(options, value):
            raise OptionError(f"--{value} does not go with a program of air.api, which says all of that itself")
    return search_symbols(
        path, name, options.device or "npu1", budget=options.budget, candidates=options.candidates,
        progress=(lambda text: print(text, file=sys.stderr)) if options.progress else None,
    )  # fmt: skip


def _target(options: argparse.Namespace) -> tuple[Any, str | None, str]:
    """The source, its pipeline if one is named, and the default device."""
    from allo_air.program.compile import source_for
    from allo_air.program.source import Source, source_of
    from allo_air.tools._run_function import is_function, refuse_python, schedule_of
    from allo_air.tools.allo_run import shape_of

    target = options.target
    if is_function(target):
        from allo_air.program.array_function import source_of_schedule

        if options.pipeline:
            raise OptionError("--pipeline does not go with a function in Python")
        schedule, device = schedule_of(target, options.shape)
        return source_of_schedule(schedule), None, device
    refuse_python(target)
    if target == "-" or Path(target).exists() or target.endswith(".mlir"):
        if options.shape:
            raise OptionError("--shape goes with a pipeline's name; a file has its own shapes")
        source = Source(read_text(Path("-")), "<stdin>") if target == "-" else source_of(Path(target))
        return source, options.pipeline, "npu1"
    if options.pipeline:
        raise OptionError("--pipeline does not go with a pipeline's name as the target")
    return source_for(None, target, shape_of(target, options.shape)), target, "npu1"


def _as_dict(tuned: Any) -> dict[str, Any]:
    rows = [
        {
            "plans": [{"kernel": name, **asdict(candidate)} for name, candidate in row.plans.values()],
            "outcome": row.outcome.status,
            "cycles": row.outcome.cycles,
            "why": row.outcome.why,
            "best": row is tuned.best,
        }
        for row in tuned.rows
    ]
    return {"program": tuned.title, "untuned": tuned.untuned, "tuned": tuned.cycles, "left": tuned.left, "rows": rows}


if __name__ == "__main__":
    sys.exit(watched())
