"""Constants of several programs, in the layout that kernels take, each content once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from allo_air.program.program import Program

if TYPE_CHECKING:
    import numpy as np


@dataclass
class Weights:
    """The arrays of all programs that `held` has seen."""

    arrays: dict[Any, Any] = field(default_factory=dict)
    used: int = 0
    """Bytes of the constants of all programs, where shared ones count once for each program."""

    @property
    def stored(self) -> int:
        """Bytes that are kept."""
        return sum(int(a.nbytes) for a in self.arrays.values())

    def with_shared_arrays(self, program: Program) -> Program:
        """`program` with arrays of here: what another program has, too, is the same memory."""
        constants = tuple(self._shared(a) for a in program.lowered.constants)
        return replace(program, lowered=replace(program.lowered, constants=constants))

    def _shared(self, array: np.ndarray) -> Any:
        self.used += int(array.nbytes)
        key = array.shape, array.dtype.str, array.dtype.name, hashlib.sha256(array.tobytes()).digest()
        return self.arrays.setdefault(key, array)
