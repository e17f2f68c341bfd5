"""Schedules: rewrites of a kernel's loops and buffers that preserve its results."""
