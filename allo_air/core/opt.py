"""The work of an `*-opt` tool on one text: split, read, run a pipeline, write. Diagnostics are printed or matched."""

import contextlib
import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Protocol

from allo_air.core import crash, driver, expected
from allo_air.core.diagnostics import Listener
from allo_air.core.driver import InternalError, PassFailure
from allo_air.core.ir_printing import IRPrinting
from allo_air.core.pipeline import Pipeline
from allo_air.core.settings import Checker, Settings
from allo_air.errors import AlloAirError, Diagnostic, placeless, render
from allo_air.mlir import ir


class Verifier(Protocol):
    """Verifies one module repeatedly: by all rules; `lightly` by MLIR's alone; `around` without the contents of devices."""

    def __call__(self, op: Any) -> None: ...

    def lightly(self, op: Any) -> None: ...

    def around(self, op: Any) -> None: ...


class Assembly(Protocol):
    """The interface of the assembly layer (`allo_air.asm`) that this module uses."""

    def read(self, text: str, filename: str = "-", *, first_line: int = 1, allow_unregistered: bool = False) -> Any: ...

    @property
    def write(self) -> Callable[..., str]: ...

    def has_module(self, text: str) -> bool: ...

    def verify(self, op: Any) -> None: ...

    def Verifier(self, *, remember: bool = True) -> Verifier: ...


@dataclass(frozen=True)
class Job:
    """A text and the passes to run on it. `say` prints a line for the user (to stderr).

    `lightly` verifies only MLIR's rules within a stage, see `Settings`. `checker` creates the object that checks the module
    around each pass; its argument is the list that receives the times.
    """

    text: str
    filename: str
    pipeline: Pipeline
    asm: Assembly
    say: Callable[[str], None]
    marker: str | None = None
    output_marker: str | None = None
    """Separates the outputs of chunks; empty: `marker` does."""
    verify_diagnostics: bool = False
    only_expected: bool = False  # accepts unexpected diagnostics
    verify_each: bool = True
    lightly: bool = False
    levels: Literal["borders", "each", "off"] = "borders"
    checker: Callable[[list[tuple[str, float]]], Checker] | None = None
    allow_unregistered: bool = False
    printing: Mapping[str, Any] = field(default_factory=dict)
    implicit_module: bool = True
    roundtrip: bool = False
    shown: IRPrinting = field(default_factory=IRPrinting)
    timing: bool = False
    dump_dir: Path | None = None
    reproducer: Path | None = None
    command: tuple[str, ...] = ()
    progress: Callable[[str, int, int], None] = lambda *_: None
    rerun: Callable[[int], tuple[str, ...]] | None = None


def run(job: Job, context: ir.Context) -> tuple[str, bool]:
    """Runs `job` on each chunk of its text, also after one failed; returns the output and whether all succeeded."""
    chunks = list(split(job.text, job.marker))
    timings: list[tuple[str, float]] = []
    outputs = []
    good = True
    for number, (text, first_line) in enumerate(chunks, 1):
        where = job.dump_dir / f"chunk-{number}" if job.dump_dir and len(chunks) > 1 else job.dump_dir
        chunk = _Chunk(dataclasses.replace(job, dump_dir=where), text, first_line, timings)
        output = chunk.process(context)
        outputs.append(output or "")
        if output is None:
            good, job = False, dataclasses.replace(job, reproducer=None)
    if job.timing:
        job.say(driver.timing_table(timings))
    if not any(outputs):
        return "", good
    return f"{job.output_marker or job.marker}\n".join(outputs), good


def split(text: str, marker: str | None) -> Iterator[tuple[str, int]]:
    """Splits `text` at lines that consist of `marker`; returns each part with the number of its first line."""
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)  # as MLIR counts them: str.splitlines knows more line ends
    cuts = [i for i, line in enumerate(lines) if marker and line.strip() == marker.strip()]
    for start, end in zip([0, *(c + 1 for c in cuts)], [*cuts, len(lines)], strict=True):
        yield "".join(lines[start:end]), start + 1


@dataclass
class _Chunk:
    job: Job
    text: str
    first_line: int
    timings: list[tuple[str, float]]

    def process(self, context: ir.Context) -> str | None:
        """The chunk's output, None if something failed."""
        heard: list[Diagnostic] = []
        report = heard.append if self.job.verify_diagnostics else self._print
        output = None
        with context, Listener(context, report):
            try:
                output = self._run(report)
            except InternalError as failure:
                self._print(placeless("error", f"internal error: {failure.summary}"))
                self._explain(failure, context)
                return None
            except PassFailure as failure:
                for d in failure.diagnostics:
                    report(d)
                if not self.job.verify_diagnostics:
                    self._hint(failure)
            except AlloAirError as error:
                for d in error.diagnostics:
                    report(d)
        if not self.job.verify_diagnostics:
            return output
        expectations, only = expected.expectations(self.text, self.first_line), self.job.only_expected
        wrong = expected.mismatches(heard, expectations, self.job.filename, only_expected=only)
        for d in wrong:
            self._print(d)
        return None if wrong else output or ""

    def _run(self, report: Callable[[Diagnostic], None]) -> str:
        job = self.job
        crash.record_step(f"reading '{job.filename}' from line {self.first_line}")
        module = job.asm.read(self.text, job.filename, first_line=self.first_line, allow_unregistered=job.allow_unregistered)
        target = self._target(module)
        verifier = job.asm.Verifier(remember=not job.lightly)
        settings = Settings(
            verify=verifier if job.verify_each else None,
            lightly=verifier.lightly if job.lightly else None,
            around=verifier.around if job.lightly else None,
            write=job.asm.write,
            dump_dir=job.dump_dir,
            reproducer=job.reproducer,
            command=job.command,
            rerun=job.rerun,
            shown=job.shown,
            show=lambda head, op: job.say(f"{head}\n{job.asm.write(op, **job.printing)}"),
            report=report,
            timings=self.timings,
            levels=job.levels,
            progress=job.progress,
            checker=None if job.checker is None else job.checker(self.timings),
            remark=None if job.verify_diagnostics else lambda text: self._print(placeless("remark", text)),
        )
        driver.run(job.pipeline, target, settings)
        if not job.pipeline.steps or not job.verify_each:
            job.asm.verify(target)
        crash.record_step("printing the result")
        text = job.asm.write(target, **job.printing)
        if job.roundtrip:
            self._check_roundtrip(text)
        return text if text.endswith("\n") else f"{text}\n"

    def _target(self, module: Any) -> Any:
        """The operation that the passes run on: the module, or the single operation of a file without a module."""
        if self.job.implicit_module or self.job.asm.has_module(self.text):
            return module.operation
        inside = list(module.regions[0].blocks[0].operations)
        if len(inside) != 1:
            raise AlloAirError(f"{self.job.filename}: with --no-implicit-module, expected one operation, found {len(inside)}")
        return inside[0].operation

    def _check_roundtrip(self, text: str) -> None:
        """Raises AlloAirError if `text` changes when it is read and written again."""
        job = self.job
        module = job.asm.read(text, "<printed>", allow_unregistered=job.allow_unregistered)
        again = job.asm.write(self._target(module), **job.printing)
        if again == text:
            return
        pairs = zip(text.splitlines(), again.splitlines(), strict=False)
        number, (before, now) = next(((n, p) for n, p in enumerate(pairs, 1) if p[0] != p[1]), (0, ("", "")))
        raise AlloAirError(
            f"the printed text changes when it is read and printed again: line {number} is '{before.strip()}', then"
            f" '{now.strip()}'"
        )

    def _print(self, diagnostic: Diagnostic) -> None:
        self.job.say(render(diagnostic, self._source_line))

    def _source_line(self, file: str, line: int) -> str | None:
        if file == self.job.filename:
            return self._lines[line - self.first_line] if 0 <= line - self.first_line < len(self._lines) else None
        with contextlib.suppress(OSError, UnicodeDecodeError, IndexError):
            return Path(file).read_text(encoding="utf-8").split("\n")[line - 1]
        return None

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.split("\n")

    def _hint(self, failure: PassFailure) -> None:
        if self.job.reproducer is not None:
            how = f"rerun it with the command in the first line of {self.job.reproducer}"
        else:
            how = "--crash-reproducer=FILE writes a file that reruns from this pass"
        self.job.say(f"note: {failure.summary}; {how}")

    def _explain(self, failure: InternalError, context: ir.Context) -> None:
        """Writes the traceback and a reproducer to files: nothing of them belongs on the user's terminal."""
        import os
        import tempfile
        import traceback

        handle, name = tempfile.mkstemp(prefix="allo-opt-", suffix=".traceback.txt")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            traceback.print_exception(failure.__cause__, file=file)
        self.job.say(f"note: this is a bug in the pass, not in your input; traceback: {name}")
        reproducer = self.job.reproducer or Path(name.replace(".traceback.txt", ".mlir"))
        if self.job.reproducer is None:
            self._reproduce(reproducer, context)
        if reproducer.exists():
            self.job.say(f"note: rerun it with the command in the first line of {reproducer}")

    def _reproduce(self, reproducer: Path, context: ir.Context) -> None:
        """Runs the chunk once more up to the failing pass, this time with a reproducer."""
        again = dataclasses.replace(self.job, reproducer=reproducer, dump_dir=None)
        with contextlib.suppress(AlloAirError):
            _Chunk(again, self.text, self.first_line, [])._run(lambda _: None)
