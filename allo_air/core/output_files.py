"""The files that a pipeline writes while it runs: the module after each pass, and a reproducer."""

from __future__ import annotations

import shlex
from pathlib import Path

from allo_air.core.pipeline import Pipeline
from allo_air.core.settings import Settings
from allo_air.errors import AlloAirError
from allo_air.mlir import ir


def write_reproducer(settings: Settings, pipeline: Pipeline, index: int, operation: ir.Operation) -> None:
    """Writes the module and the command that runs the pipeline from pass `index` on.

    It is called before the pass runs, since a pass may end the process and invalid IR may not print.
    """
    if settings.reproducer is None:
        return
    rest = Pipeline(pipeline.steps[index:], pipeline.anchor)
    staged = settings.rerun is not None and any(step.level for step in rest.steps)
    passes = settings.rerun(index) if staged and settings.rerun is not None else (f"--pass-pipeline={rest}",)
    command = shlex.join(["allo-opt", *settings.command, *passes, str(settings.reproducer)])
    _save(settings.reproducer, f"// {command}\n{settings.write(operation)}")


def dump(settings: Settings, operation: ir.Operation, index: int, name: str) -> None:
    """Writes the module after pass `index` (0: before the first one) into the folder of dumps, if there is one."""
    if settings.dump_dir is not None:
        _save(settings.dump_dir / f"{index:03}-{name}.mlir", settings.write(operation))


def _save(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if text.endswith("\n") else f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise AlloAirError(f"cannot write '{path}': {error.strerror}") from None
