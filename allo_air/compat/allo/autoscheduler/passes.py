"""The names of `autoscheduler.passes`, which are refused."""

from allo_air.compat.allo.autoscheduler import refuser

__getattr__ = refuser("passes.")
