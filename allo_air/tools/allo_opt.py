"""`allo-opt`: reads MLIR, runs passes and pipelines by name, writes MLIR."""

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from allo_air._version import __version__
from allo_air.core.ir_printing import IRPrinting
from allo_air.core.texts import read_bytes
from allo_air.errors import AlloAirError, OptionError, PipelineSyntaxError, UnknownNameError, render
from allo_air.tools import _opt_settings as settings
from allo_air.tools import _rerun as rerun
from allo_air.tools._files import check_writable
from allo_air.tools._flags import Parsed, parse, usage
from allo_air.tools._opt_flags import ELSEWHERE, FLAGS, MARKER
from allo_air.tools._streams import reopen

if TYPE_CHECKING:
    from allo_air.core.pipeline import Pipeline
    from allo_air.core.registry import Registry


def watched() -> int:
    """Runs the tool in a child process, so that a crash inside MLIR ends in a message."""
    from allo_air.core import crash

    reopen()
    return crash.run_in_child(_started, "allo-opt")


def _started() -> int:
    from allo_air.core import quick_start

    quick_start.prepare()
    return main()


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the tool; 0 is success, 1 an error in the input or a pass, 2 an error on the command line."""
    try:
        status = _main(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
        return status
    except OSError as error:  # the reader of standard output is gone, or the disk is full
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            _print_remark(f"error: cannot write the result: {error.strerror}")
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        from allo_air.core import crash

        _print_remark(crash.internal_error(error))
        return 1


def _main(arguments: Sequence[str]) -> int:
    try:
        parsed = parse(arguments, FLAGS, ordered=("pass-pipeline", "pipeline"))
        if parsed.on("help"):
            return _show(usage("allo-opt", "Reads MLIR (from standard input without a file), runs passes, writes MLIR.", FLAGS))
        if parsed.on("version"):
            from importlib import metadata

            return _show(f"allo-opt {__version__} (torch-mlir {metadata.version('torch-mlir')})\n")
        return _run(parsed)
    except AlloAirError as error:
        _print_error(error)
        return 2


def _run(parsed: Parsed) -> int:
    from allo_air.core import quick_start

    quick_start.import_bindings()
    from allo_air.core.contexts import reused_context
    from allo_air.core.registry import Registry
    from allo_air.mlir import new_context

    registry = Registry(parsed.flags.get("load", ()))
    context = new_context(allow_unregistered=True) if parsed.on("allow-unregistered-dialect") else reused_context()
    with context:
        if (text := _information(parsed, registry)) is not None:
            return _show(text)
        from allo_air.core import select

        whole = _pipeline(parsed, registry)
        pipeline = select.select(whole, parsed.last("start-from"), parsed.last("stop-after"))
    if parsed.on("no-implicit-module") and "pass-pipeline" not in [kind for kind, _, _ in parsed.order]:
        pipeline = replace(pipeline, anchor="any")
    if parsed.on("print-pipeline"):
        for name in {*parsed.files} & {*registry.pipeline_names()} if not whole.steps else ():
            raise OptionError(f"'{name}' is taken for a file; --pipeline={name} --print-pipeline prints that pipeline")
        return _show(f"{pipeline}\n")
    if len(parsed.files) > 1:
        raise AlloAirError(f"expected one file, found {', '.join(parsed.files)}")
    from allo_air import asm
    from allo_air.asm.syntax import checked_state, printing
    from allo_air.core import opt
    from allo_air.tools._progress import Progress

    if (syntax := parsed.last("syntax")) is not None:
        checked_state(syntax)
    filename = parsed.files[0] if parsed.files else "-"
    dump, reproducer, marker = (parsed.last(n) for n in ("dump-ir", "crash-reproducer", "split-input-file"))
    checks, shown = settings.checks(parsed), settings.ir_printing(parsed, pipeline)
    progress = Progress(lines=parsed.on("progress"), after=1)
    try:
        if (output := parsed.last("o")) not in (None, "-"):
            check_writable(Path(str(output)))
        job = opt.Job(
            text=_read(filename),
            filename=filename,
            pipeline=pipeline,
            asm=asm,
            say=_print_remark,
            marker=None if marker is None else marker or MARKER,
            output_marker=parsed.last("output-split-marker"),
            verify_diagnostics=(diagnostics := settings.diagnostics(parsed)) != "",
            only_expected=diagnostics == "only-expected",
            verify_each=checks != "none",
            lightly=checks == "stage" and not (dump or reproducer or diagnostics or shown != IRPrinting()),
            levels="off" if checks == "none" else "each" if checks == "level" else "borders",
            checker=settings.executing(parsed, progress.executing, _print_remark) if checks == "execute" else None,
            allow_unregistered=parsed.on("allow-unregistered-dialect"),
            printing=settings.printing(parsed),
            implicit_module=not parsed.on("no-implicit-module"),
            roundtrip=parsed.on("verify-roundtrip"),
            shown=shown,
            timing=parsed.on("timing"),
            dump_dir=Path(dump) if dump else None,
            reproducer=Path(reproducer) if reproducer else None,
            command=settings.reproducer_arguments(parsed),
            progress=progress.compiling,
            rerun=rerun.rerun_arguments(parsed, whole),
        )
        with progress, printing(syntax):
            text, good = opt.run(job, context)
        if good or text:
            _write(output, text)
    except AlloAirError as error:
        _print_error(error)
        return 1
    return 0 if good else 1


def _information(parsed: Parsed, registry: "Registry") -> str | None:
    """The output of a flag that only prints something."""
    if parsed.on("show-dialects"):
        from allo_air import dialects
        from allo_air.mlir import dialect_names

        return f"Available Dialects: {', '.join(sorted([*dialect_names(), *dialects.NAMES]))}\n"
    queries = [n for n in ("list-passes", "list-pipelines", "help-pass", "print-completion") if n in parsed.flags]
    if not queries:
        return None
    from allo_air.core import describe, upstream

    match queries[0]:
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

    script = parsed.last("schedule") or ""
    if script and not parsed.order:
        return core.Pipeline((core.step("apply-schedule", f"script={script}", (), registry),))
    if script and "pipeline" not in [kind for kind, _, _ in parsed.order]:
        raise OptionError("--schedule replaces the tiling of a named pipeline: name it, as in --pipeline=tiled-npu")
    whole = core.Pipeline(())
    if (first := parsed.last("transform")) is not None:
        whole = core.Pipeline((core.step("air-transform", f"filename={first}", (), registry),))
    for kind, text, options in parsed.order:
        if kind == "pass":
            try:
                step = core.step(text, options, (), registry)
            except UnknownNameError as wrong:
                if text in ELSEWHERE:
                    raise OptionError(f"'--{text}' is not a flag of allo-opt: {ELSEWHERE[text]}") from None
                flags = [f"--{n}" for n in (*(f.name for f in FLAGS), *ELSEWHERE, *wrong.known)]
                raise UnknownNameError("flag or pass", f"--{text}", flags, wrong.hint) from None
            whole += core.Pipeline((step,))
        elif kind == "pipeline":
            name, value = named.parse_reference(text)
            whole += registry.pipeline(name).with_schedule(script).instantiate(registry, value)
        elif whole.steps:
            whole += core.parse(text, registry)
        else:
            whole = core.parse(text, registry)
    return whole


def _read(filename: str) -> str:
    try:
        data = read_bytes(filename)
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


def _print_remark(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def _print_error(error: AlloAirError) -> None:
    quoted = error.text.replace("\n", " ") if isinstance(error, PipelineSyntaxError) else None
    for d in error.diagnostics:
        _print_remark(render(d, lambda _, line: quoted))


if __name__ == "__main__":
    sys.exit(watched())
