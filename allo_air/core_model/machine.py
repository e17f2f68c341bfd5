"""The machine that a core's program is timed on: the core of its generation, and the memory banks of its buffers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

from allo_air.arch import Core, core_of
from allo_air.core_model.banks import Shares
from allo_air.mlir import ir


def _unknown(op: ir.Operation) -> Shares:
    return ()


@dataclass(frozen=True, eq=False)
class Machine(Core):
    """The model of a core. `banks_of` returns the banks of the buffer that a load or store accesses, if they are known.

    Code is priced with an optimal (hand-written) schedule or, with `compiled`, as Peano compiles loops from MLIR
    (allo_air.core_model.schedule).
    """

    banks_of: Callable[[Any], Shares] = field(default=_unknown, repr=False)
    compiled: bool = False
    loops: dict[int, Any] | None = field(default=None, repr=False)
    """Costs of innermost loops, by identity; only valid while the IR is unchanged."""

    nodes: dict[int, Any] | None = field(default=None, repr=False)
    """Operations that were already analysed (`allo_air.core_model.nodes`), also only valid while the IR is unchanged."""


def machine_of(arch: str, banks_of: Callable[[Any], Shares] = _unknown, compiled: bool = False) -> Machine:
    """The machine of generation `arch`."""
    core = core_of(arch)
    return Machine(**{f.name: getattr(core, f.name) for f in fields(core)}, banks_of=banks_of, compiled=compiled)
