"""A published figure, and how the model is asked for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Kind = Literal["calibration", "informed", "prediction", "limit", "context"]
"""`calibration`: a constant of the model was taken from this very row (or from another fit of the same measurement), so that
agreement shows only that the mechanism is wired up; `informed`: no constant was, but a mechanism was chosen among others with
this row in view; `prediction`: neither; `limit`: no measurement but the architecture's bound on a workload; `context`: the
published value belongs to conditions that the source does not state (tile, BD length, firmware), and the comparison is of the
order of magnitude."""


@dataclass(frozen=True)
class Row:
    """One line of the table; `measure` runs the model and returns the figure in `unit`."""

    group: str
    name: str
    published: float
    unit: str
    kind: Kind
    source: str
    measure: Callable[[], float]
    slow: bool = False
    """Takes more than about five seconds."""
    sweeps: tuple[str, ...] = ()
    """Rows of one sweep differ in a single setting: whether the model orders them as measured is asked of all together."""
    problem: str = ""
    """What several methods compute: rows of one problem show which of them is the fastest."""
