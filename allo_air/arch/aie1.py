"""AIE1 (AM009), of the Versal part xcvc1902. Neither cores nor time are modelled for it."""

from allo_air.arch.architecture import Architecture

AIE1 = Architecture(
    "AIE1", burst_lengths=(16, 32, 64), max_lock_value=1, mirrored_rows=True, cascade_directions=False, cascade_bits=384
)
