"""A hint in the code of cores: a condition on data is unlikely, for estimates of time."""

RARELY = "allo.rarely"
"""Attribute of a condition on data that rarely holds."""
