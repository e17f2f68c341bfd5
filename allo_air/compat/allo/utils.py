"""Helpers that Allo's programs import from its module of this name."""

from __future__ import annotations

from typing import Any

import numpy as np

from allo_air.errors import AlloAirError


def get_np_struct_type(bitwidth: int) -> Any:
    """numpy's type for integers of `bitwidth` bits, also above 64: a field for each byte, the lowest first."""
    if not isinstance(bitwidth, int) or bitwidth < 1:
        raise AlloAirError(f"an integer of {bitwidth!r} bits")
    count = -(-bitwidth // 8)
    names = [f"f{i}" for i in range(count)]
    return np.dtype({"names": names, "formats": ["u1"] * count, "offsets": list(range(count)), "itemsize": count})
