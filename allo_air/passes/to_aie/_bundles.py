"""Splits bundles of channels: finds the single channel that a put or get uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.names import channel_of
from allo_air.core.walking import walk_named
from allo_air.dialects.air import ChannelOp
from allo_air.errors import counted, nearest, suggestion
from allo_air.mlir import ir

KINDS = {"npu_dma_stream": "dma_stream", "npu_dma_packet": "dma_packet", "npu_cascade": "cascade", "npu_mmio": "mmio"}

Key = tuple[str, tuple[int, ...]]
"""A single channel: its bundle's name and its index in it."""


@dataclass(frozen=True)
class Bundle:
    """An `air.channel`: `shape` single channels; `broadcast` is the shape of the gets, if it differs."""

    op: Any
    name: str
    shape: tuple[int, ...]
    broadcast: tuple[int, ...] | None
    kind: str
    instance: tuple[int, ...] = ()
    """The instance of an unrolled segment to which its shim allocations belong."""

    def key(self, op: ir.OpView, indices: Sequence[int], is_put: bool) -> Key:
        """The single channel that `op`, a put or get at `indices`, uses; a broadcast's gets share the one along its axes."""
        if not indices or (not self.shape and not any(indices)):
            indices = (0,) * len(self.shape)
        if len(indices) != len(self.shape):
            raise error_at(op, f"gives {counted(len(indices), 'index')} for '@{self.name}', which has {len(self.shape)}")
        results = tuple(0 if n == 1 and self.broadcast and not is_put else i for i, n in zip(indices, self.shape, strict=True))
        if not all(0 <= i < n for i, n in zip(results, self.shape, strict=True)):
            raise error_at(op, f"uses '@{self.name}' at {list(indices)}; the bundle has size {list(self.shape)}")
        return self.name, results

    @property
    def is_packet(self) -> bool:
        """Whether it is packet-switched."""
        return self.kind == "dma_packet"

    def in_packets(self) -> Bundle:
        """The same bundle, packet-switched instead of circuit-switched."""
        return replace(self, kind="dma_packet") if self.kind == "dma_stream" else self

    @property
    def packet_ids(self) -> tuple[int, ...]:
        """The requested packet ids."""
        attribute = self.op.attributes.get("packet_ids", None)
        return tuple(int(getattr(n, "value", n)) for n in attribute) if attribute is not None else ()

    @property
    def keeps_headers(self) -> bool:
        """Whether its packets keep their headers at the destination."""
        return "keep_pkt_header" in self.op.attributes

    @property
    def writes_headers(self) -> bool:
        """Whether the put data begin with the packet header, so that the DMA adds none."""
        return "air.src_writes_pkt_header" in self.op.attributes or len(self.packet_ids) > 1

    @property
    def is_dedicated(self) -> bool:
        """Whether it must not share its DMA channels."""
        return "air.dedicated_dma_channel" in self.op.attributes

    def asks(self, name: str) -> int | None:
        """The integer attribute `name`, or None."""
        return int(self.op.attributes[name].value) if name in self.op.attributes else None

    def number(self, key: Key) -> int:
        """The place of a single channel in the bundle, row by row."""
        place = 0
        for index, size in zip(key[1], self.shape, strict=True):
            place = place * size + index
        return place

    def symbol(self, key: Key) -> str:
        """The name of its shim allocation, from the channel, the instance, and the number in the bundle.

        As in mlir-air, a channel that the first instance serves counts as a bundle for the others.
        """
        name = self.name if self.name.startswith("airMemcpyId") else f"air_{self.name}"
        name += "".join(f"_{i}" for i in self.instance)
        return f"{name}_{self.number(key)}" if prod(self.shape) > 1 or any(self.instance) else name


def bundles_of(module: ir.Operation) -> dict[str, Bundle]:
    """The bundles that `module` declares, by name; an error at a transfer on an undeclared channel."""
    bundles = {}
    for op in map(ChannelOp, walk_named(module, ChannelOp.OPERATION_NAME)):
        attribute = op.attributes.get("broadcast_shape", None)
        broadcast = tuple(int(n.value) for n in attribute) if attribute is not None else None
        kind = KINDS.get(op.channel_type, op.channel_type)
        bundles[op.sym_name] = Bundle(op, op.sym_name, tuple(op.size), broadcast, kind)
    for name in ("air.channel.put", "air.channel.get"):
        for end in walk_named(module, name):
            if (channel := channel_of(end)) not in bundles:
                raise error_at(
                    end, f"uses '@{channel}', and the module declares no such channel{suggestion(nearest(channel, bundles))}"
                )
    return bundles
