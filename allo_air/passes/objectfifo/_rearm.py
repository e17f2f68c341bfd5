"""Records the channels and locks of objectFifos for resets."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import walk_named
from allo_air.dialects import aie
from allo_air.dialects.declarations import location_of_fifo
from allo_air.mlir import ir
from allo_air.passes._analysis.objectfifos import Design, End, Fifo

_RESET = "aiex.dma_channel_reset_for"


def bind(design: Design) -> None:
    """Records the channels and locks of every FIFO that a reset in the device's sequences names; the resets then refer to the
    record."""
    names: dict[str, str] = {}
    for op in walk_named(design.op, _RESET):
        fifo = design.fifos.get(op.opview.symbol)
        if fifo is None:
            continue
        if fifo.name not in names:
            names[fifo.name] = _binding(design, fifo)
        op.attributes["symbol"] = ir.FlatSymbolRefAttr.get(names[fifo.name])


def _binding(design: Design, fifo: Fifo) -> str:
    """Creates an `aie.objectfifo_rearm_binding` before the first sequence; returns its name. It has no channels and locks of
    shims, since the sequence starts their transfers. A FIFO in shared memory has only locks.
    """
    name = f"{fifo.name}_rearm"
    all_ends = [end for end in (fifo.shared, fifo.producer, *fifo.consumers) if end is not None]
    ends = [end for end in all_ends if end.port is None and design.device.kind(*end.place) in ("core", "mem")]
    moving = [] if fifo.shared is not None else ends
    locks = list(dict.fromkeys(lock for end in ends for lock in _locks(end)))
    aie.ObjectFifoRearmBindingOp(
        channels=[end.tile for end in moving],
        locks=locks,
        sym_name=name,
        channel_dirs=[int(end.produces) for end in moving],
        channel_indices=[end.channel for end in moving],
        lock_inits=[lock.owner.opview.init or 0 for lock in locks],
        loc=location_of_fifo(fifo.op),
        ip=_before_sequences(design),
    )
    return name


def _locks(end: End) -> list[Any]:
    return [*(lock for pair in end.storage.locks for lock in pair), *end.storage.flags] if end.storage is not None else []


def _before_sequences(design: Design) -> ir.InsertionPoint:
    return ir.InsertionPoint(next(o for o in design.block.operations if o.operation.name == "aie.runtime_sequence"))
