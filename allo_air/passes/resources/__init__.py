"""Assigns numbers to the locks, BDs, buffer addresses and flows of a device."""

WORKS_ON = ("aie.*",)
