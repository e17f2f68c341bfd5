"""The names of `autoscheduler.util`, which are refused."""

from allo_air.compat.allo.autoscheduler import refuser

__getattr__ = refuser("util.")
