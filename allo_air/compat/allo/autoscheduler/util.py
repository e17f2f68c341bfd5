"""The names of `autoscheduler.util`. Using one raises an error."""

from allo_air.compat.allo.autoscheduler import refuser

__getattr__ = refuser("util.")
