"""Marks by which a read of external memory waits for the writes before it."""

APPENDS = "air.append_barrier"
"""On a get into external memory: later reads that are marked wait for it."""

AWAITS = "air.await_appends"
"""On a put out of external memory: it waits for the marked gets into the same buffer before it."""
