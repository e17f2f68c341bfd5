"""A simulator that answers at once: the tests here are about what stands around it."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air.core.diagnostics import emit
from allo_air.errors import placeless
from allo_air.program.program import Program
from allo_air.sim.report_types import ChannelReport, ControllerReport, CoreReport, Report
from allo_air.sim.settings import Settings

EVENTS = ("INSTR_EVENT_0", "INSTR_VECTOR", "LOCK_STALL", "PORT_RUNNING_S2MM_0")


@dataclass
class Simulator:
    """Multiplies the first two host buffers into the third; keeps what it was given."""

    calls: list[dict[str, Any]] = field(default_factory=list)
    off_by: int = 0
    says: str = ""
    cores: list[CoreReport] = field(default_factory=lambda: [CoreReport((0, 2), False, 900, 700, 50, 200, 0, 0, 64000, 500)])
    channels: list[ChannelReport] = field(default_factory=lambda: [channel((0, 0), "MM2S", busy=300, starved=100)])

    def __call__(self, module: Any, arrays: Any, settings: Settings, kernels: Any, words: Any) -> Report:
        self.calls.append({"module": module, "arrays": arrays, "kernels": kernels, "words": words, **vars(settings)})
        a, b, c = arrays
        self.calls[-1]["before"] = c.copy()
        if self.says:
            emit(placeless("warning", self.says))
        if settings.progress is not None:
            settings.progress(500, 10)
        wide = np.float32 if c.dtype.kind == "f" else np.int64
        c[...] = (a.astype(wide) @ b.astype(wide)).astype(c.dtype) + c.dtype.type(self.off_by)
        return Report(
            "npu1", "gemm", "done", 1000, [], self.cores, self.channels, ControllerReport(80, 120, 700, 4, 12, 0, 990),
            {}, 5000, 4000, 1000, 0.25, events() if settings.trace else {},
        )  # fmt: skip


def channel(tile: tuple[int, int], direction: str, *, busy: int, starved: int = 0, stalled: int = 0) -> ChannelReport:
    return ChannelReport(tile, direction, 0, busy, 3, 2, busy, starved, stalled, 0, 5, 900)


def events() -> dict[str, Any]:
    """Core (0, 2) computes from 10 to 20 and waits for a lock from 20 on; its memory module moves words; an event at 15."""
    core = [(10, 2, 0, 1, 0), (15, 2, 0, 0, 2), (20, 2, 0, 1, 1), (20, 2, 0, 2, 0)]
    rows = [*core, (5, 2, 1, 3, 0), (9, 2, 1, 3, 1), (7, 1, 1, 3, 0)]
    cycle, row, unit, event, phase = (np.array(column) for column in zip(*rows, strict=True))
    return {"cycle": cycle, "col": np.zeros_like(row), "row": row, "unit": unit, "event": event, "phase": phase}


@pytest.fixture
def simulator(monkeypatch: pytest.MonkeyPatch) -> Iterator[Simulator]:
    """Stands in for `Simulation.run`, with what begins it, and for the names of the engine's events."""
    from allo_air.sim.simulate import Simulation

    made = Simulator()
    engine = ModuleType("allo_air.sim._engine")
    engine.EVENT_NAMES = EVENTS  # type: ignore[attr-defined]
    monkeypatch.setattr(Simulation, "begin", lambda self, *given: None)
    monkeypatch.setattr(Simulation, "run", lambda self, *given: made(self.module, *given))
    monkeypatch.setitem(sys.modules, "allo_air.sim._engine", engine)
    monkeypatch.setattr(allo_air.sim, "_engine", engine, raising=False)
    yield made


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that the tests of a session share."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def compiled(folder: Path) -> Callable[..., Program]:
    """`compiled(shape=...)`: allo_air.compile with the tests' cache."""
    return lambda *given, **options: allo_air.compile(*given, **{"cache_dir": folder, **options})
