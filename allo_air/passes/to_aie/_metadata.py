"""Records the data of a device that the host program needs: shim allocations at its transfers, and runtime metadata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at
from allo_air.core.walking import parents, walk_named
from allo_air.dialects import airrt
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.memory import LEVELS, is_in
from allo_air.passes.to_aie._bundles import Bundle, Key
from allo_air.passes.to_aie._design import Flow, Place, Port
from allo_air.passes.to_aie._interpret import TRANSFERS

if TYPE_CHECKING:
    from allo_air.dialects.air import ChannelGetOp, ChannelPutOp

_UNITS = ("air.segment", "air.herd")


def host_transfers(module: AnyOp) -> list[Any]:
    """The puts and gets of `module` outside of segments and herds, and those of external memory in segments."""
    return [op.opview for op in walk_named(module, *TRANSFERS) if is_of_host(op)]


def is_of_host(op: AnyOp) -> bool:
    """Whether the host performs `op`, a put or get."""
    ancestors = [p.name for p in parents(op) if p.name in _UNITS]
    view = op.operation.opview
    buffer = view.src if op.operation.name == "air.channel.put" else view.dst
    return not ancestors or (ancestors == ["air.segment"] and is_in(buffer.type, LEVELS["L3"]))


def annotate(
    transfers: list[ChannelGetOp | ChannelPutOp],
    bundles: Mapping[str, Bundle],
    shims: Mapping[Key, Port],
    stamps: Mapping[Key, ir.Attribute],
    suffix: str = "",
) -> None:
    """Gives each host transfer the names of its bundle's shim allocations, with `suffix` after them, and the header of its
    packets. Entries of other devices, and of other channels of the bundle, stay."""
    i32 = ir.IntegerType.get_signless(32)
    for op in transfers:
        bundle = bundles[op.chan_name]
        keys = sorted((k for k in shims if k[0] == bundle.name), key=bundle.number)
        entries = list(op.operation.attributes["metadataArray"]) if "metadataArray" in op.operation.attributes else []
        used_indices = {entry["index"].value for entry in entries}
        for k in keys:
            number = bundle.number(k)
            if number in used_indices:
                number = max(used_indices) + 1
            used_indices.add(number)
            entry = {"base": ir.StringAttr.get(bundle.symbol(k) + suffix), "index": ir.IntegerAttr.get(i32, number)}
            if len(keys) > 1 and k in stamps and _sends(op):
                entry["packet"] = stamps[k]
            entries.append(ir.DictAttr.get(entry))
        if entries:
            op.operation.attributes["metadataArray"] = ir.ArrayAttr.get(entries)
        if len(keys) == 1 and keys[0] in stamps and _sends(op):
            op.operation.attributes["packet"] = stamps[keys[0]]


def _sends(op: AnyOp) -> bool:
    """Whether the host sends in `op`: the host's put, or a core's copy from external memory."""
    is_put = op.operation.name == "air.channel.put"
    memref: Any = op.operation.opview.src if is_put else op.operation.opview.dst
    return is_put is is_in(memref.type, LEVELS["L3"])


def check_annotated(transfers: list[ChannelGetOp | ChannelPutOp]) -> None:
    """DiagnosticError at a host transfer whose channel has no end on a device."""
    for op in transfers:
        if "metadataArray" not in op.operation.attributes and "metadata" not in op.operation.attributes:
            verb = "get from" if op.operation.name == "air.channel.put" else "put into"
            raise error_at(
                op,
                f"uses @{op.chan_name}, and no segment or herd has a {verb} it; move its other end, with the buffer there,"
                " into the segment or herd that works on it",
            )


def record(
    holder: airrt.ModuleMetadataOp,
    name: str,
    herds: list[Any],
    flows: list[Flow],
    shims: Mapping[Key, Port],
    ids: Mapping[Key, Sequence[int]],
    memtile_rows: Sequence[int],
) -> None:
    """Adds segment `name` to the module metadata `holder`: its herds and the shim channels that serve it.

    As in mlir-air, transfers from memtiles to shims are not in it, and a broadcast has an entry for its first core only. `ids`
    has the ids of the transfers on the device's side of each channel. Rows and columns of a herd's entries count from the herd.
    """
    location = holder.location
    terminator = list(holder.regions[0].blocks[0].operations)[-1]
    segment = airrt.SegmentMetadataOp(
        sym_name=name, attributes={"dma_allocations": ir.ArrayAttr.get([])}, loc=location, ip=ir.InsertionPoint(terminator)
    )
    inside = segment.regions[0].blocks.append()
    seen_keys: set[Key] = set()
    for herd, place, size in herds:
        own_flows = [(f, d) for f in _by_direction(flows, shims) for d in _ends(f)[:1] if _in(d, place, size)]
        seen_keys |= {f.key for f, _ in own_flows}
        entries = [_entry(shims[f.key], d[0] - place[0], d[1] - place[1], n) for f, d in own_flows for n in ids[f.key]]
        numbers = {"loc_x": place[0], "loc_y": place[1], "size_x": size[0], "size_y": size[1]}
        attributes = {n: _i64(v) for n, v in numbers.items()} | {"dma_allocations": ir.ArrayAttr.get(entries)}
        airrt.HerdMetadataOp(
            sym_name=herd.sym_name or "herd", attributes=attributes, loc=location, ip=ir.InsertionPoint(inside)
        )
    airrt.SegmentMetadataTerminatorOp(loc=location, ip=ir.InsertionPoint(inside))
    sent = [f for f in _by_direction(flows, shims) if f.key not in seen_keys and shims[f.key][1]]
    rest = [(f, d) for f in sent for d in _ends(f) if d[1] in memtile_rows]
    segment.operation.attributes["dma_allocations"] = ir.ArrayAttr.get(
        [_entry(shims[f.key], d[0], -1, n) for f, d in rest for n in ids[f.key]]
    )


def _by_direction(flows: list[Flow], shims: Mapping[Key, Port]) -> list[Flow]:
    """The flows with a shim at one end; flows that shims receive come first."""
    return sorted((f for f in flows if f.key in shims), key=lambda f: shims[f.key][1])


def _ends(flow: Flow) -> list[Place]:
    return [p[0] for p in (flow.source, *flow.dests) if p[0][1] != 0]


def _in(place: Place, corner: Place, size: Place) -> bool:
    return all(c <= p < c + s for p, c, s in zip(place, corner, size, strict=True))


def _entry(port: Port, column: int, row: int, number: int) -> ir.DictAttr:
    """An allocation; the runtime counts a shim's MM2S channels after its two S2MM channels."""
    (location, _), sends, channel = port
    fields = {"channel": channel + 2 * sends, "col": column, "id": number, "location": location, "row": row}
    return ir.DictAttr.get({name: _i64(value) for name, value in fields.items()})


def _i64(number: int) -> ir.IntegerAttr:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), number)


def holder_of(module: ir.Operation) -> airrt.ModuleMetadataOp:
    """The module's `airrt.module_metadata`; if missing, it is created after the devices at the module's beginning."""
    ops = walk_named(module, airrt.ModuleMetadataOp.OPERATION_NAME)
    if ops:
        return ops[0].opview
    block = module.regions[0].blocks[0]
    first = next((o.operation for o in block.operations if o.operation.name != "aie.device"), None)
    ip = ir.InsertionPoint(block) if first is None else ir.InsertionPoint(first)
    location = module.location if first is None else first.location
    holder = airrt.ModuleMetadataOp(loc=location, ip=ip)
    airrt.ModuleMetadataTerminatorOp(loc=location, ip=ir.InsertionPoint(holder.regions[0].blocks.append()))
    return holder
