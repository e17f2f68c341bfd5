"""Locks, BDs, buffer addresses and flows of a device get their numbers."""

WORKS_ON = ("aie.*",)
