"""Loads programs that were saved, or stored in the cache."""

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
    """The program that `Program.save` wrote to `folder`, ready to run. Raises AlloAirError if it is damaged or no program.

    `kernels` replace external functions on the simulator, as in `allo_air.compile`; they are not saved.
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
    """The program for a stored `lowered` and its manifest."""
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
