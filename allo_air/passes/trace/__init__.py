"""Trace units, their flows, and the writes that start them."""

WORKS_ON = ("aie.*", "aiex.*")
