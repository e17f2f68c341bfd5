"""The names of `autoscheduler.config`, which are refused."""

from allo_air.compat.allo.autoscheduler import refuser

__getattr__ = refuser("config.")
