"""Rules of stream switches, flows and the cascade."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.arch import arch_of
from allo_air.arch.limits import ARBITERS, MAX_PACKET_ID, MSELS, RULES_PER_PORT
from allo_air.device import adjacent
from allo_air.dialects._aie_streams import (
    AMSelOp,
    CascadeFlowOp,
    ConfigureCascadeOp,
    ConnectOp,
    FlowOp,
    GetCascadeOp,
    MasterSetOp,
    PacketFlowOp,
    PacketRuleOp,
    PacketRulesOp,
    PutCascadeOp,
    ShimMuxOp,
    SwitchboxOp,
)
from allo_air.dialects._enums import BUNDLE, CASCADE_DIR
from allo_air.dialects._places import Place, device_of, is_shim, kind_of, place_of
from allo_air.dialects._rules import Report, operations, rule
from allo_air.dialects.memrefs import total_bits
from allo_air.mlir import AnyOp, ir

if TYPE_CHECKING:
    from allo_air.dialects._aie_streams import PacketDestOp, PacketSourceOp

Port = tuple[str, int]
_IN_SWITCH = ("aie.connect", "aie.masterset", "aie.packet_rules", "aie.amsel", "aie.end")


@rule("aie.switchbox")
def switchbox(op: SwitchboxOp, report: Report) -> None:
    """Ports exist, each master is driven once, no slave is both packet and circuit switched, connections are possible."""
    place = place_of(op.tile, report)
    sources: set[Port] = set()
    dests: set[Port] = set()
    for inner in operations(op.regions[0].blocks[0]):
        if inner.name not in _IN_SWITCH:
            report.error(inner, "cannot be contained in a Switchbox op")
        elif inner.name == "aie.connect":
            if not _check_connect(ConnectOp(inner), place, sources, dests, report):
                return
        elif inner.name == "aie.masterset":
            if not _check_masterset(MasterSetOp(inner), place, dests, report):
                return
        elif inner.name == "aie.packet_rules" and not _check_rules(PacketRulesOp(inner), place, sources, report):
            return


def _check_connect(op: ConnectOp, place: Place | None, sources: set[Port], dests: set[Port], report: Report) -> bool:
    source, dest = (BUNDLE.keyword(op.source_bundle), op.source_channel), (BUNDLE.keyword(op.dest_bundle), op.dest_channel)
    sources.add(source)
    if dest in dests:
        report.error(op, f"targets same destination as another connect operation; dest: {_text(dest)}")
        return False
    dests.add(dest)
    if not _check_port(op, "source", source, place, report) or not _check_port(op, "dest", dest, place, report):
        return False
    if place is not None and not place.device.can_connect(*place.coordinate, source, dest):
        report.error(op, f"illegal stream switch connection: {_text(source)} to {_text(dest)} in a {place.kind} tile")
        return False
    return True


def _check_masterset(op: MasterSetOp, place: Place | None, dests: set[Port], report: Report) -> bool:
    dest = (BUNDLE.keyword(op.dest_bundle), op.dest_channel)
    if dest in dests:
        report.error(op, f"targets same destination as another connect or masterset operation: {_text(dest)}")
        return False
    dests.add(dest)
    if not _check_port(op, "dest", dest, place, report):
        return False
    selects = [a.owner.operation for a in op.amsels if not isinstance(a, ir.BlockArgument)]
    arbiters = {a.attributes["arbiterID"].value for a in selects if a.name == "aie.amsel"}
    if len(arbiters) > 1:
        report.error(op, f"a master port can only be tied to one arbiter, found arbiters {sorted(arbiters)}")
        return False
    return True


def _check_rules(op: PacketRulesOp, place: Place | None, sources: set[Port], report: Report) -> bool:
    source = (BUNDLE.keyword(op.source_bundle), op.source_channel)
    if source in sources:
        report.error(op, f"packet switched source {_text(source)} cannot match another connect or masterset operation")
        return False
    sources.add(source)
    return _check_port(op, "source", source, place, report)


def _check_port(op: AnyOp, end: str, port: Port, place: Place | None, report: Report) -> bool:
    bundle, index = port
    if index < 0:
        report.error(op, f"{end} index cannot be less than zero")
        return False
    if place is None:
        return True
    bound = place.device.ports(*place.coordinate, bundle, master=end == "dest")
    if index < bound:
        return True
    if bound:
        report.error(op, f"index {index} for {end} bundle {bundle} must be less than {bound}")
    else:
        report.error(op, f"{end} bundle {bundle} not supported; index: {index}, bound: {bound} ({place}, a {place.kind} tile)")
    return False


def _text(port: Port) -> str:
    return f"({port[0]}: {port[1]})"


@rule("aie.shim_mux")
def shim_mux(op: ShimMuxOp, report: Report) -> None:
    """In a shim tile; each port is driven once."""
    if kind_of(op.tile, report) in ("core", "mem"):
        report.error(op, "must be in a ShimTile with a NOC or PL connection")
        return
    dests: set[Port] = set()
    for inner in operations(op.regions[0].blocks[0]):
        if inner.name == "aie.connect":
            connect = ConnectOp(inner)
            dest = (BUNDLE.keyword(connect.dest_bundle), connect.dest_channel)
            if dest in dests:
                report.error(inner, f"targets same destination as another connect operation: {_text(dest)}")
                return
            dests.add(dest)
        elif inner.name != "aie.end":
            report.error(inner, "cannot be contained in a Switchbox op")


@rule("aie.amsel")
def amsel(op: AMSelOp, report: Report) -> None:
    """Arbiter and master select exist."""
    for name, value, count in (("arbiterID", op.arbiterID, ARBITERS), ("msel", op.msel, MSELS)):
        if not 0 <= value < count:
            report.error(
                op,
                f"attribute '{name}' failed to satisfy constraint: 8-bit signless integer attribute whose minimum value is 0 "
                f"whose maximum value is {count - 1}, found {value}",
            )


@rule("aie.rule")
def packet_rule(op: PacketRuleOp, report: Report) -> None:
    """Mask and value are 5-bit; bits outside of the mask never match."""
    for name, value in (("mask", op.mask), ("value", op.value)):
        if not 0 <= value <= MAX_PACKET_ID:
            report.error(
                op,
                f"attribute '{name}' failed to satisfy constraint: 8-bit signless integer attribute whose minimum value is 0 "
                f"whose maximum value is {MAX_PACKET_ID}, found {value}",
            )
            return
    if op.value & ~op.mask:
        report.warning(op, f"never matches: value {op.value} has bits outside of mask {op.mask}")
    for packet in _numbers(op.packet_ids):
        if not 0 <= packet <= MAX_PACKET_ID:
            report.error(op, f"has packet id {packet} in 'packet_ids'; a packet's header has ids 0 to {MAX_PACKET_ID}")
            return


def _numbers(attribute: ir.ArrayAttr | ir.DenseI32ArrayAttr | None) -> list[int]:
    """The integers of an array attribute of either kind."""
    return [] if attribute is None else [entry if isinstance(entry, int) else entry.value for entry in attribute]


@rule("aie.packet_rules")
def packet_rules(op: PacketRulesOp, report: Report) -> None:
    """A slave port has four slots."""
    rules = [o for o in operations(op.regions[0].blocks[0]) if o.name == "aie.rule"]
    if len(rules) > RULES_PER_PORT:
        report.warning(op, f"has {len(rules)} rules; a slave port has {RULES_PER_PORT} slots")


@rule("aie.packet_flow")
def packet_flow(op: PacketFlowOp, report: Report) -> None:
    """At least one source and one destination, a 5-bit id."""
    body = operations(op.regions[0].blocks[0])
    for inner in body:
        if inner.name not in ("aie.packet_source", "aie.packet_dest", "aie.end"):
            report.error(inner, "cannot be contained in a PacketFlow op")
            return
    names = [o.name for o in body]
    if "aie.packet_source" not in names:
        report.error(op, "must have at least one packet_source, found 0")
    elif "aie.packet_dest" not in names:
        report.warning(op, "has no packet_dest, so its packets go nowhere")
    if not 0 <= op.ID <= MAX_PACKET_ID:
        report.error(op, f"ID {op.ID} does not fit the packet header's 5 bits, [0, {MAX_PACKET_ID}]")


@rule("aie.flow")
def flow(op: FlowOp, report: Report) -> None:
    """The DMA channels at the ends of a flow exist."""
    _check_channel(op, "source", op.source, op.source_bundle, op.source_channel, 1, report)
    _check_channel(op, "dest", op.dest, op.dest_bundle, op.dest_channel, 0, report)


@rule("aie.packet_source", "aie.packet_dest")
def packet_end(op: PacketDestOp | PacketSourceOp, report: Report) -> None:
    """The DMA channels at the ends of a packet flow exist."""
    direction = 1 if op.OPERATION_NAME == "aie.packet_source" else 0
    _check_channel(op, "source" if direction else "dest", op.tile, op.bundle, op.channel, direction, report)


def _check_channel(op: ir.OpView, end: str, tile: ir.Value, bundle: int, channel: int, direction: int, report: Report) -> None:
    place = place_of(tile, report)
    if place is None or BUNDLE.keyword(bundle) != "DMA":
        return
    count = place.tile.channels[direction]
    if not 0 <= channel < count:
        name = ("S2MM", "MM2S")[direction]
        tell = report.error if count else report.warning  # mlir-aie's router accepts ends at tiles without a DMA
        tell(op, f"{end} DMA channel {channel} does not exist: {place} has {count} {name} channels")


@rule("aie.cascade_flow")
def cascade_flow(op: CascadeFlowOp, report: Report) -> None:
    """Between neighbouring core tiles."""
    ends = (op.source_tile, op.dest_tile)
    if not all(_has_cascade(op, tile, report) for tile in ends):
        return
    source, dest = (place_of(tile, report) for tile in ends)
    if source is not None and dest is not None and not adjacent(source.coordinate, dest.coordinate):
        report.error(op, f"tiles must be adjacent, found {source} and {dest}")


@rule("aie.configure_cascade")
def configure_cascade(op: ConfigureCascadeOp, report: Report) -> None:
    """The cascade comes from north or west and goes to south or east."""
    if not _has_cascade(op, op.tile, report):
        return
    device = device_of(op, report)
    if device is None:
        return
    if not arch_of(device).cascade_directions:
        report.error(op, f"cascade not supported in {device.arch}")
        return
    source, dest = CASCADE_DIR.keyword(op.inputDir), CASCADE_DIR.keyword(op.outputDir)
    if source not in ("North", "West"):
        report.error(op, f"input direction of cascade must be North or West on {device.arch}, found {source}")
    elif dest not in ("South", "East"):
        report.error(op, f"output direction of cascade must be South or East on {device.arch}, found {dest}")


def _has_cascade(op: ir.OpView, tile: ir.Value, report: Report) -> bool:
    if is_shim(tile, report):
        report.error(op, "shimTile row has no cascade stream interface")
    elif kind_of(tile, report) == "mem":
        report.error(op, "memTile row has no cascade stream interface")
    else:
        return True
    return False


@rule("aie.put_cascade")
def put_cascade(op: PutCascadeOp, report: Report) -> None:
    """A value as wide as the cascade."""
    _checktotal_bits(op, op.cascade_value.type, report)


@rule("aie.get_cascade")
def get_cascade(op: GetCascadeOp, report: Report) -> None:
    """A value as wide as the cascade."""
    _checktotal_bits(op, op.cascade_value.type, report)


def _checktotal_bits(op: ir.OpView, value_type: ir.Type, report: Report) -> None:
    device, bits = device_of(op, report), total_bits(value_type)
    if device is not None and bits is not None and bits != arch_of(device).cascade_bits:
        report.error(
            op,
            f"type must match architecture cascade width ({arch_of(device).cascade_bits} bits in {device.arch}), "
            f"found {value_type} of {bits} bits",
        )
