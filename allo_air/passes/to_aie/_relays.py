"""Lowers channels from external memory to external memory: flows from a shim to itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.names import channel_of, sym_name_of
from allo_air.core.walking import parents, walk_named
from allo_air.dialects.air import ChannelOp
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.names import Names
from allo_air.passes.to_aie._interpret import TRANSFERS

_UNITS = ("air.segment", "air.herd")


@dataclass(frozen=True)
class Relay:
    """A relay: data of channel `put` are received on channel `get`; `op` is a transfer, for messages."""

    put: str
    get: str
    op: Any


def split_relays(module: AnyOp) -> list[Relay]:
    """Renames the gets of channels between two ends of the host; returns the relays."""
    ends: dict[str, list[Any]] = {}
    for op in walk_named(module, *TRANSFERS):
        ends.setdefault(channel_of(op), []).append(op)
    relays, names = [], Names(module)
    for declared in walk_named(module, ChannelOp.OPERATION_NAME):
        name = sym_name_of(declared)
        ops = ends.get(name, [])
        gets = [op for op in ops if op.name == "air.channel.get"]
        if not gets or len(gets) == len(ops) or any(p.name in _UNITS for op in ops for p in parents(op)):
            continue
        out_name = names.fresh(f"{name}_out")
        copy = declared.clone(ip=ir.InsertionPoint.after(declared))
        copy.attributes["sym_name"] = ir.StringAttr.get(out_name)
        for op in gets:
            op.attributes["chan_name"] = ir.FlatSymbolRefAttr.get(out_name)
        relays.append(Relay(name, out_name, gets[0].opview))
    return relays


def relays_of(unit: AnyOp, relays: list[Relay]) -> list[Relay]:
    """The transfers of the launch that contains `unit`."""
    ancestors = [p for p in parents(unit) if p.name == "air.launch"]
    return [r for r in relays if ancestors and ancestors[0] in list(parents(r.op))]
