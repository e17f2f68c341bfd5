"""`Scope`: the memory and the lifetime of a buffer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

L1_BYTES = 64 * 1024
L2_BYTES_OF_COLUMN = 512 * 1024
COLUMNS = {"npu1": 4, "npu2": 8}


@dataclass(frozen=True, eq=False)
class Scope:
    """`kind` is "herd" (L1 of the herd's body), "segment" (L2) or "shared" (L1 that lives as long as the segment)."""

    kind: str
    owner: Any

    @property
    def memory_space(self) -> int:
        """The memory space of its memrefs."""
        return 1 if self.kind == "segment" else 2

    @property
    def level(self) -> str:
        """L1 or L2."""
        return f"L{3 - self.memory_space}"

    def __repr__(self) -> str:
        call = "shared" if self.kind == "shared" else "private"
        return f"{'herd' if self.kind == 'herd' else 'segment'}.{call}()"
