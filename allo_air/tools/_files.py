"""Files that a tool reads and writes: their names are checked before anything long runs."""

from __future__ import annotations

from pathlib import Path

from allo_air.errors import AlloAirError


def check_readable(path: Path) -> None:
    """AlloAirError where there is nothing to read."""
    if not path.exists():
        raise AlloAirError(f"cannot read '{path}': there is no such file")


def check_writable(path: Path) -> None:
    """AlloAirError where no file can be made."""
    if path.is_dir() or not path.parent.is_dir():
        why = "it is a folder" if path.is_dir() else f"there is no folder '{path.parent}'"
        raise AlloAirError(f"cannot write '{path}': {why}")
