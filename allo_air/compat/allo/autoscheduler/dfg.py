"""The names of `autoscheduler.dfg`, which are refused."""

from allo_air.compat.allo.autoscheduler import refuser

__getattr__ = refuser("dfg.")
