"""Stores the constants of several programs, in the layout of their kernels, once for equal contents."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from allo_air.program.program import Program

if TYPE_CHECKING:
    import numpy as np


@dataclass
class Weights:
    """The constants of all programs that were passed to `with_shared_arrays`."""

    arrays: dict[Any, Any] = field(default_factory=dict)
    used: int = 0
    """Bytes of the constants if each program had its own copy."""

    @property
    def stored(self) -> int:
        """Bytes that are stored."""
        return sum(int(a.nbytes) for a in self.arrays.values())

    def with_shared_arrays(self, program: Program) -> Program:
        """`program` with its constants replaced by stored arrays, so that programs with equal constants share memory."""
        constants = tuple(self._shared(a) for a in program.lowered.constants)
        return replace(program, lowered=replace(program.lowered, constants=constants))

    def _shared(self, array: np.ndarray) -> Any:
        self.used += int(array.nbytes)
        data: Any = array.reshape(-1).view("u1") if array.flags.c_contiguous else array.tobytes()
        key = array.shape, array.dtype.str, array.dtype.name, hashlib.sha256(data).digest()
        return self.arrays.setdefault(key, array)
