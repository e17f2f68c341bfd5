"""`allo-opt`: reads MLIR, runs passes and pipelines by name, writes MLIR."""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air import __version__
from allo_air.errors import AlloAirError, OptionError, PipelineSyntaxError, UnknownNameError, render
from allo_air.tools._flags import Flag, Parsed, parse, usage
from allo_air.tools._streams import reopen

if TYPE_CHECKING:
    from allo_air.core.driver import Checker
    from allo_air.core.pipeline import Pipeline
    from allo_air.core.registry import Registry

MARKER = "// -----"

FLAGS = (
    Flag("o", "required", "write the result to FILE instead of standard output", "FILE", completes="file"),
    Flag("pass-pipeline", "required", "run the passes of TEXT, as in builtin.module(cse,func.func(canonicalize))", "TEXT"),
    Flag("pipeline", "required", "run a named pipeline, as in NAME or NAME{option=value}", "NAME", completes="pipeline"),
    Flag(
        "load",
        "required",
        "add the passes and pipelines of a Python FILE, or a transform script",
        "FILE",
        repeats=True,
        completes="file",
    ),
    Flag("help", "none", "print this", aliases=("h",)),
    Flag("help-pass", "required", "describe a pass or pipeline and its options", "NAME", completes="pass"),
    Flag("list-passes", "none", "list all passes"),
    Flag("list-pipelines", "none", "list the named pipelines"),
    Flag("version", "none", "print the versions of allo_air and of the MLIR it runs on"),
    Flag("print-pipeline", "none", "print the pipeline's text instead of running it", aliases=("dump-pass-pipeline",)),
    Flag("print-completion", "required", "print a completion script for bash, zsh or fish", "SHELL", completes="shell"),
    Flag(
        "verify-each",
        "optional",
        "after each pass: verify (default), check the level, execute, or none",
        "1|level|execute|none",
    ),
    Flag("verify-seed", "required", "seed of the inputs and orders of --verify-each=execute (default 0)", "N"),
    Flag("split-input-file", "optional", f"process the parts between lines '{MARKER}' one by one", "MARKER"),
    Flag("verify-diagnostics", "none", "check that the diagnostics are those of the expected-... comments"),
    Flag("allow-unregistered-dialect", "bool", "accept operations of unknown dialects"),
    Flag("mlir-print-op-generic", "bool", "print the generic form"),
    Flag("mlir-print-debuginfo", "bool", "print locations"),
    Flag("mlir-print-local-scope", "bool", "print without aliases"),
    Flag("dump-ir", "required", "write the IR after each pass to DIR/NN-PASS.mlir", "DIR", completes="directory"),
    Flag("progress", "none", "say on standard error what goes on, as is done on a terminal"),
    Flag("timing", "none", "print the time each pass took", aliases=("mlir-timing",)),
    Flag(
        "start-from",
        "required",
        "skip the passes before PASS (PASS#2: its second run; or a stage, a level)",
        "PASS",
        completes="pass",
    ),
    Flag(
        "stop-after",
        "required",
        "skip the passes after PASS (PASS#2: its second run; or a stage, a level)",
        "PASS",
        completes="pass",
    ),
    Flag(
        "crash-reproducer",
        "required",
        "when a pass fails or crashes, leave in FILE what it takes to rerun it",
        "FILE",
        ("mlir-pass-pipeline-crash-reproducer",),
        completes="file",
    ),
)


def watched() -> int:
    """Runs the tool in a child process, so that a crash inside MLIR ends in a message."""
    from allo_air.core import crash

    reopen()
    return crash.watched(main, "allo-opt")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the tool; 0 is success, 1 an error in the input or a pass, 2 an error on the command line."""
    try:
        status = _main(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
        return status
    except OSError as error:  # what reads or takes standard output is gone or full
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            _say(f"error: cannot write the result: {error.strerror}")
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        from allo_air.core import crash

        _say(crash.internal_error(error))
        return 1


def _main(arguments: Sequence[str]) -> int:
    try:
        parsed = parse(arguments, FLAGS, ordered=("pass-pipeline", "pipeline"))
        if parsed.on("help"):
            return _show(usage("allo-opt", "Reads MLIR (from standard input without a file), runs passes, writes MLIR.", FLAGS))
        return _run(parsed)
    except AlloAirError as error:
        _complain(error)
        return 2


def _run(parsed: Parsed) -> int:
    from allo_air.core.registry import Registry
    from allo_air.mlir import new_context

    registry = Registry(parsed.flags.get("load", ()))
    context = new_context(allow_unregistered=parsed.on("allow-unregistered-dialect"))
    with context:
        if (text := _information(parsed, registry)) is not None:
            return _show(text)
        from allo_air.core import select

        pipeline = select.select(_pipeline(parsed, registry), parsed.last("start-from"), parsed.last("stop-after"))
    if parsed.on("print-pipeline"):
        return _show(f"{pipeline}\n")
    if len(parsed.files) > 1:
        raise AlloAirError(f"expected one file, found {', '.join(parsed.files)}")
    from allo_air import asm
    from allo_air.core import opt
    from allo_air.tools._progress import Progress

    filename = parsed.files[0] if parsed.files else "-"
    dump, reproducer, marker = (parsed.last(n) for n in ("dump-ir", "crash-reproducer", "split-input-file"))
    checks = _checks(parsed)
    progress = Progress(lines=parsed.on("progress"), after=1)
    try:
        job = opt.Job(
            text=_read(filename),
            filename=filename,
            pipeline=pipeline,
            asm=asm,
            say=_say,
            marker=None if marker is None else marker or MARKER,
            verify_diagnostics=parsed.on("verify-diagnostics"),
            verify_each=checks != "none",
            levels="off" if checks == "none" else "each" if checks == "level" else "borders",
            checker=_executing(parsed, progress.executing) if checks == "execute" else None,
            allow_unregistered=parsed.on("allow-unregistered-dialect"),
            generic=parsed.on("mlir-print-op-generic"),
            debug_info=parsed.on("mlir-print-debuginfo"),
            local_scope=parsed.on("mlir-print-local-scope"),
            timing=parsed.on("timing"),
            dump_dir=Path(dump) if dump else None,
            reproducer=Path(reproducer) if reproducer else None,
            command=_kept(parsed),
            progress=progress.compiling,
        )
        with progress:
            output, good = opt.run(job, context)
        if good or output:
            _write(parsed.last("o"), output)
    except AlloAirError as error:
        _complain(error)
        return 1
    return 0 if good else 1


def _information(parsed: Parsed, registry: "Registry") -> str | None:
    """What a flag that only prints something asks for."""
    if parsed.on("version"):
        from importlib.metadata import version

        return f"allo-opt {__version__} (torch-mlir {version('torch-mlir')})\n"
    wanted = [n for n in ("list-passes", "list-pipelines", "help-pass", "print-completion") if n in parsed.flags]
    if not wanted:
        return None
    from allo_air.core import describe, upstream

    match wanted[0]:
        case "list-passes":
            return describe.list_passes(registry)
        case "list-pipelines":
            return describe.list_pipelines(registry)
        case "help-pass":
            return describe.help_for(registry, parsed.last("help-pass") or "")
    from allo_air.tools import _completion

    names = sorted({*registry.pass_names(), *upstream.names()})
    return _completion.script(parsed.last("print-completion") or "", "allo-opt", FLAGS, names, registry.pipeline_names())


def _pipeline(parsed: Parsed, registry: "Registry") -> "Pipeline":
    """The passes and pipelines of the command line, in order."""
    from allo_air.core import named
    from allo_air.core import pipeline as core

    whole = core.Pipeline(())
    for kind, text, options in parsed.order:
        if kind == "pass":
            try:
                step = core.step(text, options, (), registry)
            except UnknownNameError as wrong:
                known = [f"--{n}" for n in (*(f.name for f in FLAGS), *wrong.known)]
                raise UnknownNameError("flag or pass", f"--{text}", known, wrong.hint) from None
            whole += core.Pipeline((step,))
        elif kind == "pipeline":
            name, given = named.parse_reference(text)
            whole += registry.pipeline(name).instantiate(registry, given)
        elif whole.steps:
            whole += core.parse(text, registry)
        else:
            whole = core.parse(text, registry)
    return whole


def _checks(parsed: Parsed) -> str:
    """What --verify-each asks for: none, verify, level or execute."""
    given = parsed.last("verify-each")
    words = {None: "verify", "": "verify", "1": "verify", "true": "verify", "0": "none", "false": "none"}
    words |= {w: w for w in ("none", "level", "execute")}
    if given not in words:
        raise OptionError(f"'--verify-each={given}': wanted 1, level, execute, none or 0")
    return words[given]


def _executing(parsed: Parsed, tell: "Callable[[int, int], None]") -> "Callable[[list[tuple[str, float]]], Checker]":
    """Makes what executes the module around each pass."""
    from allo_air import asm
    from allo_air.interp.verify import Execution
    from allo_air.program import executors

    executors.register()
    seed, reproducer = parsed.last("verify-seed") or "0", parsed.last("crash-reproducer")
    if not seed.isdecimal():
        raise OptionError(f"'--verify-seed={seed}': wanted a number from 0")
    command = " ".join(["allo-opt", *(f"--load={f}" for f in parsed.flags.get("load", ()))])
    path = Path(f"{reproducer}.executed.mlir") if reproducer else None
    # With a reproducer, which is that of the pass that runs, the module is executed after each one.
    given: dict[str, Any] = {"command": command, "reproducer": path, "later": path is None, "tell": tell}
    return lambda timings: Execution(asm.write, _say, int(seed), timings=timings, **given)


def _kept(parsed: Parsed) -> tuple[str, ...]:
    """The arguments that a reproducer's command line repeats."""
    kept = [f"--load={f}" for f in parsed.flags.get("load", ())]
    if "allow-unregistered-dialect" in parsed.flags:
        kept.append(f"--allow-unregistered-dialect={int(parsed.on('allow-unregistered-dialect'))}")
    if "verify-each" in parsed.flags and _checks(parsed) in ("none", "level"):
        kept.append(f"--verify-each={_checks(parsed)}")
    return tuple(kept)


def _read(filename: str) -> str:
    try:
        data = sys.stdin.buffer.read() if filename == "-" else Path(filename).read_bytes()
        return data.decode("utf-8").replace("\r\n", "\n")
    except OSError as error:
        raise AlloAirError(f"cannot read '{filename}': {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise AlloAirError(f"cannot read '{filename}': not UTF-8 text, byte 0x{data[error.start]:02x} in line {line}") from None


def _write(filename: str | None, text: str) -> None:
    if filename in (None, "-"):
        sys.stdout.write(text)
        return
    try:
        Path(str(filename)).write_text(text, encoding="utf-8")
    except OSError as error:
        raise AlloAirError(f"cannot write '{filename}': {error.strerror}") from None


def _show(text: str) -> int:
    sys.stdout.write(text)
    return 0


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def _complain(error: AlloAirError) -> None:
    quoted = error.text.replace("\n", " ") if isinstance(error, PipelineSyntaxError) else None
    for d in error.diagnostics:
        _say(render(d, lambda _, line: quoted))


if __name__ == "__main__":
    sys.exit(watched())
