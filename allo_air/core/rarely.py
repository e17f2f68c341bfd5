"""What the code of cores tells of conditions on data to those who estimate its time."""

RARELY = "allo.rarely"
"""Attribute of a condition on data that rarely holds."""
