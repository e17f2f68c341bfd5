"""The keys of the cache: digests of the source, the pipeline with its options, and software versions."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from allo_air._version import __version__
from allo_air.arch import defined
from allo_air.core.pass_ import Pass
from allo_air.core.registry import Registry
from allo_air.program.recipe import TEXT, Recipe
from allo_air.program.source import Source

if TYPE_CHECKING:
    from allo_air.core.pipeline import Step

_ROOT = Path(__file__).parents[2]
FORMAT = 3
"""Version of the format of stored programs; a new version invalidates the cache."""


def key(source: Source, chosen: Recipe, *, verify: str) -> str:
    """The key of a program: hexadecimal SHA-256 over everything that can change the result of `lower`.

    `verify` is the level of verification between passes.
    """
    parts = [
        FORMAT,
        source.identity,
        chosen.text,
        [_step_position(s) for s in chosen.steps.steps],
        verify,
        _foreign_files(chosen),
        versions(),
    ]
    return sha256(json.dumps(parts).encode())


def passes_key(chosen: Recipe, positions: range, *, verify: str) -> str:
    """The key of the passes at `positions` of the pipeline: SHA-256 over everything except the kernel that can change their
    result.
    """
    steps = chosen.steps.steps[positions.start : positions.stop]
    part = replace(chosen, steps=replace(chosen.steps, steps=steps))
    places = [_step_position(s) for s in steps]
    parts = [FORMAT, part.text, places, chosen.device, verify, _foreign_files(part), versions()]
    return sha256(json.dumps(parts).encode())


def request_key(source: Source, pipeline: str | None, device: str, options: dict[str, int] | str, *, verify: str) -> str:
    """The key of a caller's request: hexadecimal SHA-256; "" if the options are not JSON.

    It makes a fast lookup possible without importing the pipeline, which takes longer than reading a program. Equal requests
    give equal programs only if pipeline and passes are from this package (`is_ours`).
    """
    try:
        return sha256(json.dumps([FORMAT, source.identity, pipeline, device, options, verify, versions()]).encode())
    except TypeError:
        return ""


def is_ours(chosen: Recipe) -> bool:
    """Whether the pipeline and its passes come from this package, and no pass reads a file."""
    named = chosen.name and not chosen.name.startswith(TEXT)
    return not _foreign_files(chosen) and (not named or Registry().owns_pipeline(chosen.name))


def _step_position(step: Step) -> list[str]:
    return [step.stage, step.level]


def versions() -> dict[str, str]:
    """Versions of allo_air and of MLIR, and digests of our own sources and of the devices that users defined.

    In a checkout, sources change without a new version."""
    from importlib.metadata import version

    results = {"allo_air": __version__, "sources": _own_sources(), "torch-mlir": version("torch-mlir")}
    return results | ({"devices": sha256(added.encode())} if (added := defined()) else {})


def sha256(data: bytes) -> str:
    """Hexadecimal SHA-256 of `data`."""
    return hashlib.sha256(data).hexdigest()


@cache
def _own_sources() -> str:
    digest = hashlib.sha256()
    for folder, subfolders, files in os.walk(_ROOT, followlinks=True):  # in half the time of `Path.rglob`
        subfolders[:] = sorted({*subfolders} - ({"tools"} if folder == str(_ROOT) else set()) - {"__pycache__"})
        for file in sorted(f"{folder}/{name}" for name in files if name.endswith((".py", ".mlir", ".txt"))):
            with open(file, "rb", buffering=0) as opened:
                digest.update(f"{os.path.relpath(file, _ROOT)}\0".encode() + opened.read() + b"\0")
    return digest.hexdigest()


def _foreign_files(chosen: Recipe) -> list[str]:
    """Digests of the files of passes that are not ours, and of the scripts that passes read."""
    passes = [s.action for s in chosen.steps.steps if isinstance(s.action, Pass)]
    scripts = {str(getattr(p, "script", "") or getattr(p, "filename", "")) for p in passes}
    files = {inspect.getfile(type(p)) for p in passes} | {name for name in scripts if name and "\n" not in name}
    return [sha256(Path(f).read_bytes()) for f in sorted(files) if not f.startswith(str(_ROOT)) and Path(f).is_file()]
