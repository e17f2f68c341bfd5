"""Arithmetic of tiles."""

from __future__ import annotations

__all__ = ["ceildiv"]


def ceildiv(a: int, b: int) -> int:
    """a / b, rounded up."""
    return -(a // -b)
