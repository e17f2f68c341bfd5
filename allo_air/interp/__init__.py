"""Executes IR of every level above the AIE dialect on numpy arrays; finds races, deadlocks and reads of unwritten memory."""

from __future__ import annotations

from allo_air.interp.run import entry, run

__all__ = ["entry", "run"]
