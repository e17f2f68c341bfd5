"""Settings of a run, and the counters of the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from allo_air.arch import Architecture, Timing
from allo_air.core.calls import CLOCK, COUNT, FLAG, FUNCTION, SCHEDULE, SEED, TIMING
from allo_air.target.formats.read import configurations_in, holds_several, writes_in

MAX_CYCLES = 10_000_000_000
"""Ten seconds of an NPU at 1 GHz."""


@dataclass(frozen=True)
class Settings:
    """How a device runs; `simulate` takes the fields as keywords."""

    seed: int = 0
    strict: bool = True
    max_cycles: int = MAX_CYCLES
    trace: bool = False
    progress: Callable[[int, int], bool] | None = None
    timing: Timing | None = None
    record: bool = False
    mhz: float | None = None
    code: str = "compiled"
    package: Any = None
    """The configuration that replaces the design's: register writes or bytes of files, by device if there are several."""
    parameters: Mapping[str, Any] | None = None
    """The values of scratchpad parameters, by name."""
    orders: float = 0.0
    """Maximum time in seconds of a search over other orders; 0 disables it."""
    margins: bool = False
    """Whether the search also checks how close a design is to a hang."""

    def __post_init__(self) -> None:
        for name, kind in _KINDS.items():
            object.__setattr__(self, name, kind.checked(name, getattr(self, name)))
        if isinstance(self.package, Mapping):
            writes = {name.lstrip("@"): tuple(writes_in(data)) for name, data in self.package.items()}
            object.__setattr__(self, "package", writes)
            return
        if isinstance(self.package, bytes) and holds_several(self.package):
            object.__setattr__(self, "package", configurations_in(self.package))
            return
        files = [self.package] if isinstance(self.package, bytes) else list(self.package or ())
        if files and all(isinstance(file, bytes) for file in files):
            object.__setattr__(self, "package", tuple(writes_in(*files)))

    def timing_of(self, arch: Architecture) -> Timing:
        """The constants of the cycle model: the caller's, or those of `arch` at the clock and for the code of this run."""
        return self.timing or arch.timing(self.mhz, calls=self.code != "compiled")


_KINDS = {
    "seed": SEED, "strict": FLAG, "max_cycles": COUNT, "trace": FLAG, "progress": FUNCTION | None, "timing": TIMING | None,
    "record": FLAG, "margins": FLAG, "mhz": CLOCK | None, "code": SCHEDULE,
}  # fmt: skip
