"""Executes IR of every level above the AIE dialect on numpy arrays, and finds races, deadlocks and reads of unwritten memory."""

from __future__ import annotations

from allo_air.interp.run import run

__all__ = ["run"]
