"""Marks on transfers of external memory that say when the host starts them."""

APPENDS = "air.append_barrier"
"""On a get into external memory: later reads that are marked wait for it."""

AWAITS = "air.await_appends"
"""On a put out of external memory: it waits for the marked gets into the same buffer before it."""

PACED = "air.preserve_shim_dma_order"
"""On a transfer of a launch that keeps its loops: the host queues two tasks of its channel at a time."""

HOISTED = "air.runtime_hoist"
"""On a put out of external memory: the host starts it before the outputs."""

MARKS = (APPENDS, AWAITS, PACED, HOISTED)
"""Attributes of a channel operation that the transfers of a control program keep."""
