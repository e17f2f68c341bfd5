"""Checks the files that a tool reads and writes before it starts a long run."""

from __future__ import annotations

from pathlib import Path

from allo_air.errors import AlloAirError


def check_readable(path: Path) -> None:
    """Raises AlloAirError if `path` cannot be read."""
    if not path.exists():
        raise AlloAirError(f"cannot read '{path}': there is no such file")


def check_writable(path: Path) -> None:
    """Raises AlloAirError if `path` cannot be written."""
    if path.is_dir() or not path.parent.is_dir():
        why = "it is a folder" if path.is_dir() else f"there is no folder '{path.parent}'"
        raise AlloAirError(f"cannot write '{path}': {why}")
