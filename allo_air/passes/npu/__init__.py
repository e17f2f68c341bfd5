"""Lowers operations of a runtime sequence to register writes."""

WORKS_ON = ("aie.*", "aiex.*")
