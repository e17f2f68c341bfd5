"""`allo-run`: compiles and runs a program without an NPU, checks it against numpy, and reports how it ran."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.core.texts import read_text
from allo_air.errors import DiagnosticError, OptionError, counted, nearest, suggestion
from allo_air.tools import _expectation, _kernels, _verdict
from allo_air.tools._exit import exit_code_of
from allo_air.tools._files import check_readable, check_writable
from allo_air.tools._run_options import parser
from allo_air.tools._shapes import sizes_of
from allo_air.tools._streams import reopen

if TYPE_CHECKING:
    from allo_air.program.source import Source
    from allo_air.tools._progress import Progress

_AS_IT_IS = ("at", "device_name", "parameter")
"""Options for a file whose IR runs without compilation."""
_UNCOMPILED = (*_AS_IT_IS, "entry")
"""These, and the option for a device's sequence; for other files, it selects the function to compile."""

_RUN_OPTIONS = ("input", "output", "expect", "reference", "trace", "plot", "no_check", "dry_run")
"""Options for running."""

_COMPILE_OPTIONS = ("schedule", "verify_each", "no_cache", "cache_dir")
"""Options for compiling."""


def watched() -> int:
    """Runs the tool in a child process, so that a crash inside MLIR ends in a message."""
    from allo_air.core import crash, quick_start

    reopen()
    quick_start.speed_up_start()
    return crash.run_in_child(main, "allo-run")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the tool; 0 is success, 1 a wrong result or an error in the input, 2 an error on the command line."""
    options = parser().parse_args(arguments)
    return exit_code_of(lambda: _run_with_policy(options))


def _run_with_policy(options: argparse.Namespace) -> int:
    """Runs the tool with the project's policy for findings, and prints the findings that make it fail."""
    if options.target == "cache":
        return _main(options)
    from allo_air.sim import policy
    from allo_air.sim.report_types import SimulationError

    try:
        with policy.using(_verdict.policy_of(options)):
            return _main(options)
    except SimulationError as error:
        return _verdict.finish_failed_run(error.report, options)
    except DiagnosticError as error:
        if (code := _verdict.finish_refused_run(error, options)) is None:
            raise
        return code


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
        _refuse(options, "--estimate, which runs nothing", *_RUN_OPTIONS)
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
    """Checks that files can be read and written, before a long run."""
    from allo_air.program.reports.plot import check

    for path in map(Path, [*options.input, *(name for _, name in _expectation.files(options.expect))]):
        check_readable(path)

    for path in map(Path, options.plot):
        check(path)
    written = (options.trace, options.sarif, options.write_baseline)
    for path in map(Path, [*options.output, *filter(None, written)]):
        check_writable(path)


def _target(options: argparse.Namespace, progress: Progress) -> tuple[Any, Any]:
    """The program to run and its source. Without a program, the IR of the source runs without compilation."""
    import allo_air
    from allo_air.program.source import ONNX, Source, onnx_source, source_of
    from allo_air.program.stage import SIMULATED

    target = options.target
    if options.package and not options.save:
        raise OptionError("--package writes into the folder of --save DIR, which is not given")
    if (options.core_ir or options.peano) and not options.package:
        raise OptionError("--core-ir and --peano are for --package, which is not given")
    if options.design:
        _refuse(options, "a package", "shape", "pipeline", "device", "option", "save", *_COMPILE_OPTIONS)
        return None, source_of(Path(options.design))
    if Path(target).is_dir():
        _refuse(options, "a saved program", "shape", "pipeline", "device", "option", "arg", *_COMPILE_OPTIONS, *_UNCOMPILED)
        program = allo_air.load(target, options.backend, kernels=_kernels.read(options))
        return program, Source(program.text(program.levels[0]), target)
    if target != "-" and not Path(target).exists() and not target.endswith(".mlir"):
        _refuse(options, "a pipeline's name as the target", "pipeline", "arg", *_UNCOMPILED)
        return _compile(None, target, options, progress)
    if target.endswith(ONNX):
        source = onnx_source(Path(target), sizes_of([options.shape] if options.shape else []))
    else:
        source = Source(read_text(Path("-")), "<stdin>") if target == "-" else source_of(Path(target))
    if options.shape and not target.endswith(ONNX):
        raise OptionError("--shape goes with a pipeline's name; a file has its own shapes")
    as_it_is = any(getattr(options, name) for name in _AS_IT_IS)
    if options.entry and not as_it_is and source.level not in SIMULATED:
        source = replace(source, entry=options.entry)
    uncompiled = _AS_IT_IS if source.entry else _UNCOMPILED
    if options.pipeline is not None:
        _refuse(options, "a file that is compiled", *uncompiled)
        return _compile(source, options.pipeline, options, progress)
    if options.backend == "xrt" or options.dry_run or options.save or not (as_it_is or source.level in SIMULATED):
        _refuse(options, "a file that is compiled", *uncompiled)
        return _compile(source, None, options, progress)
    if options.option:
        raise OptionError("--option sets an option of a pipeline, and the file runs as it is; --pipeline compiles it")
    _refuse(options, "a file that runs as it is; --pipeline compiles it", "device", *_COMPILE_OPTIONS)
    return None, source


def _compile(source: Source | None, pipeline: str | None, options: argparse.Namespace, progress: Progress) -> tuple[Any, Any]:
    from allo_air.program.compile import compile_source, source_for
    from allo_air.program.scalar_program import scalar_names, with_numbers
    from allo_air.tools._values import values_of

    if options.no_cache:
        _refuse(options, "--no-cache", "cache_dir")
    shape = shape_of(str(pipeline), options.shape) if source is None else None
    value = source_for(source, pipeline, shape)
    if options.arg:
        value = with_numbers(value, lambda names: values_of(options.arg, names))
    elif missing := scalar_names(value):
        raise OptionError(f"the program takes numbers (arguments {', '.join(missing)}): give them with --arg")
    program = compile_source(
        value,
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
    return program, value


def _refuse(options: argparse.Namespace, what: str, *names: str) -> None:
    for name in names:
        if getattr(options, name):
            raise OptionError(f"--{name.replace('_', '-')} does not go with {what}")


def shape_of(pipeline: str, text: str | None) -> tuple[int, ...]:
    """The shape of a pipeline's matmul; raises OptionError without a shape, or for an unknown pipeline."""
    if not text:
        from allo_air.core.registry import Registry

        if pipeline not in (pipelines := Registry().pipeline_names()):
            offered = suggestion(nearest(pipeline, pipelines))
            raise OptionError(f"'{pipeline}' is not a file, and no pipeline{offered} (allo-opt --list-pipelines lists all)")
        raise OptionError(f"'{pipeline}' is not a file; for the pipeline of that name give a shape, as in --shape 512x512x512")
    if not re.fullmatch(r"\d+x\d+x\d+", text):
        raise OptionError(f"--shape is '{text}', expected MxNxK as in 512x512x512")
    return tuple(map(int, text.split("x")))


def options_of(texts: Sequence[str]) -> str:
    """Joins the values of `--option a=1 --option b=2` to the text of a pipeline's options."""
    for text in texts:
        if not re.match(r"[A-Za-z][\w-]*=", text):
            raise OptionError(f"--option is '{text}', expected NAME=VALUE as in herd-m=64")
    return " ".join(texts)


def _cache(options: argparse.Namespace) -> int:
    from allo_air.program.storage import tuned
    from allo_air.program.storage.cache import LIMIT, Cache, default_folder

    cache = Cache(Path(options.cache_dir) if options.cache_dir else default_folder())
    programs, kernels = len(cache.entries()), len(cache.stored_kernels())
    if options.clear:
        removed = (
            f"removed {counted(cache.clear(), 'program')}, {counted(kernels, 'kernel')} and "
            f"{counted(tuned.clear(cache.folder), 'tuned plan')}"
        )
        print(f"{removed} from {cache.folder}")
        return 0
    print(
        f"{cache.folder}: {counted(programs, 'program')} and "
        f"{counted(kernels, 'kernel')}, {cache.size():,} bytes of at most {LIMIT:,}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(watched())
