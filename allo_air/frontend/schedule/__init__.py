"""Schedules: rewrites of a kernel's loops and buffers that leave its results as they are."""
