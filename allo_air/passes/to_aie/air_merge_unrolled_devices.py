"""air-merge-unrolled-devices."""

from dataclasses import dataclass

from allo_air import dialects
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.declarations import device_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes.to_aie._merge import X, Y, merge, wider


@dataclass(frozen=True)
class AirMergeUnrolledDevices(Pass):
    """Merges the devices of an unrolled segment's instances into one wider device, side by side.

    Such devices carry `segment_unroll_x` and `segment_unroll_y`, and are called `@s_x_y` after segment `@s`. Instance n takes
    the columns from n times their width on; symbols of its tiles get the suffix `_unroll_n`. Metadata is merged, too. Modules
    without such devices are unchanged.

    Before:

        aie.device(npu1_1col) @s_0_0 { ... aie.tile(0, 2) ... } {segment_unroll_x = 0 : i64, segment_unroll_y = 0 : i64}
        aie.device(npu1_1col) @s_1_0 { ... aie.tile(0, 2) ... } {segment_unroll_x = 1 : i64, segment_unroll_y = 0 : i64}

    After:

        aie.device(npu1_2col) @s { ... aie.tile(0, 2) ... aie.tile(1, 2) ... }
    """

    name = "air-merge-unrolled-devices"
    anchor = "builtin.module"
    works_on = ("aie.*",)

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("aie", "airrt"))
        groups: dict[str, list[ir.Operation]] = {}
        for piece in walk_named(op, "aie.device"):
            if X in piece.attributes and Y in piece.attributes:
                groups.setdefault(_stem(piece), []).append(piece)
        with op.context, op.location:
            for name, item in groups.items():
                pieces = sorted(item, key=lambda d: (d.attributes[Y].value, d.attributes[X].value))
                names = [sym_name_of(p) for p in pieces]
                device = device_of(pieces[0])
                into = wider(device, len(pieces), pieces[0])
                merge(pieces, name, device, into)
                _join_metadata(op, names, name, device.columns)


def _stem(device: ir.Operation) -> str:
    """The name of the segment."""
    name: str = sym_name_of(device)
    return name.removesuffix(f"_{device.attributes[X].value}_{device.attributes[Y].value}")


def _join_metadata(module: AnyOp, names: list[str], name: str, width: int) -> None:
    """Merges the `airrt.segment_metadata` of the pieces into one, with shifted columns."""
    results = {sym_name_of(m): m for m in walk_named(module, "airrt.segment_metadata")}
    segments = [(n, results[old]) for n, old in enumerate(names) if old in results]
    for n, segment in segments:
        for holder in [segment, *walk_named(segment, "airrt.herd_metadata")]:
            _move(holder, n * width)
        if segment is segments[0][1]:
            segment.attributes["sym_name"] = ir.StringAttr.get(name)
            continue
        end = [o.operation for o in segments[0][1].regions[0].blocks[0].operations][-1]
        for herd in walk_named(segment, "airrt.herd_metadata"):
            herd.move_before(end)
        both = [*segments[0][1].attributes["dma_allocations"], *segment.attributes["dma_allocations"]]
        segments[0][1].attributes["dma_allocations"] = ir.ArrayAttr.get(both)
        segment.erase()


def _move(holder: ir.Operation, by: int) -> None:
    i64 = ir.IntegerType.get_signless(64)
    if "loc_x" in holder.attributes:
        holder.attributes["loc_x"] = ir.IntegerAttr.get(i64, holder.attributes["loc_x"].value + by)
    moved = []
    for entry in holder.attributes["dma_allocations"]:
        fields = {named.name: named.attr for named in entry}
        fields["location"] = ir.IntegerAttr.get(i64, fields["location"].value + by)
        moved.append(ir.DictAttr.get(fields))
    holder.attributes["dma_allocations"] = ir.ArrayAttr.get(moved)
