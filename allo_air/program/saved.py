"""Programs that were saved, or that the cache keeps, are made ready to run again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from allo_air.core.calls import KERNELS, NAME, PATH, checked
from allo_air.program.lowering import Lowered
from allo_air.program.program import Backend, Program
from allo_air.program.storage import store


@checked(folder=PATH, backend=NAME, kernels=KERNELS | None)
def load(folder: str | os.PathLike[str], backend: Backend = "sim", *, kernels: Mapping[str, object] | None = None) -> Program:
    """The program that `Program.save` left in `folder`, ready to run; AlloAirError if it is damaged or something else.

    `kernels` stand for external functions on the simulator, as in `allo_air.compile`; they are not saved.
    """
    lowered, manifest = store.read(Path(folder))
    return from_manifest(lowered, manifest, backend, kernels=kernels)


def from_manifest(
    lowered: Lowered,
    manifest: Mapping[str, Any],
    backend: Backend,
    *,
    cached: bool = False,
    kernels: Mapping[str, object] | None = None,
) -> Program:
    """The program of a stored `lowered`."""
    return Program(
        lowered,
        manifest["pipeline"],
        manifest["device"],
        backend,
        manifest.get("options", {}),
        manifest.get("macs"),
        manifest.get("bfp16", False),
        cached,
        kernels or {},
        renamed=manifest.get("renamed", ("", "")),
    )
