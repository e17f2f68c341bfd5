"""What lets a tool start quickly: it imports hundreds of files to do one thing, and leaves out what that does not need."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

_is_tool = False


def prepare() -> None:
    """Has `import_bindings` do without numpy in this process, which is a tool's own."""
    global _is_tool
    _is_tool = True


def import_bindings() -> None:
    """Imports the bindings; in a tool without numpy (0.04 s), with which they build attributes as nothing here does."""
    with _without_numpy() if _is_tool and "numpy" not in sys.modules else nullcontext():
        import allo_air.mlir  # noqa: F401


@contextmanager
def _without_numpy() -> Iterator[None]:
    """Lets `import numpy` fail."""
    sys.modules["numpy"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["numpy"]
