"""Finds objectFifos that send each object several times to several consumers, one of which waits for another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir

if TYPE_CHECKING:
    from allo_air.dialects._aie_objectfifo import ObjectFifoOp


def check_replay(device: AnyOp) -> None:
    """Raises DiagnosticError for the first broadcast of a device that can deadlock."""
    fifos = {o.opview.sym_name: o.opview for o in walk_named(device, "aie.objectfifo")}
    links = _links(device, fifos)
    for name, fifo in fifos.items():
        fan_out = len(fifo.consumerTiles)
        times = max(_repeats(fifos[fifo]) for fifo in _group(name, links))
        if fan_out < 2 or times < 2:
            continue
        depth = min(_depths(fifo))
        if fan_out * times <= 2 * depth:
            continue
        path = next((w for tile in fifo.consumerTiles if (w := _path(fifos, links, tile, fifo))), None)
        if path is not None:
            objects_needed = -(-fan_out * times // 2)
            through = ", ".join(f"'@{f}'" for f in path)
            raise error_at(
                fifo,
                f"sends each object {counted(times, 'time')} to "
                f"{counted(fan_out, 'consumer')}, and one of these waits for another through "
                f"{through}; its smallest end holds "
                f"{counted(depth, 'object')}, but at least {objects_needed} are needed so that the "
                "others can continue: increase its depth, or send the parts by separate objectFifos",
            )


def _links(device: AnyOp, fifos: dict[str, AnyOp]) -> list[tuple[list[str], list[str]]]:
    """The input and output FIFOs of each link."""
    results = [o.opview for o in walk_named(device, "aie.objectfifo.link")]
    sides = [([a.value for a in o.fifoIns], [a.value for a in o.fifoOuts]) for o in results]
    return [(ins, outs) for ins, outs in sides if all(name in fifos for name in (*ins, *outs))]


def _group(name: str, links: list[tuple[list[str], list[str]]]) -> set[str]:
    """The FIFO and the FIFOs that share its objects."""
    return {name}.union(*[{*ins, *outs} for ins, outs in links if name in (*ins, *outs)])


def _repeats(fifo: ObjectFifoOp) -> int:
    return int(fifo.repeat_count or fifo.memtile_repeat_count or 1)


def _depths(fifo: ObjectFifoOp) -> list[int]:
    number = fifo.elemNumber
    return [n.value for n in number] if isinstance(number, ir.ArrayAttr) else [number.value]


def _path(
    fifos: Mapping[str, ObjectFifoOp], links: list[tuple[list[str], list[str]]], tile: ir.OpResult, broadcast: ObjectFifoOp
) -> list[str] | None:
    """The FIFOs on a path from consumer `tile` of `broadcast` to another consumer of it, or back to `broadcast`; None if
    there is no path.
    """
    paths = [[name] for name, fifo in fifos.items() if fifo.producerTile == tile and fifo.sym_name != broadcast.sym_name]
    visited = {path[0] for path in paths}
    rest = [t for t in broadcast.consumerTiles if t != tile]
    while paths:
        path = paths.pop(0)
        if any(t in rest for t in fifos[path[-1]].consumerTiles):
            return path
        for name in _following(fifos, links, path[-1]):
            if name == broadcast.sym_name:
                return path
            if name not in visited:
                visited.add(name)
                paths.append([*path, name])
    return None


def _following(fifos: Mapping[str, ObjectFifoOp], links: list[tuple[list[str], list[str]]], name: str) -> list[str]:
    """The FIFOs that forward the data of FIFO `name`: through a link, or through the core of a consumer."""
    linked = [out for ins, outs in links if name in ins for out in outs]
    forwarded = {out for _, outs in links for out in outs}
    tiles = fifos[name].consumerTiles
    return linked + [n for n, f in fifos.items() if n not in forwarded and f.producerTile in tiles and _is_core(f.producerTile)]


def _is_core(tile: ir.Value) -> bool:
    """Whether a tile has a core, whose program may need the data of one FIFO to fill another."""
    return any(use.owner.name == "aie.core" for use in tile.uses)
