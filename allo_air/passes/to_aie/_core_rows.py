"""Merges consecutive transfers of a core into one BD, if the core has too few BDs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from allo_air.core.walking import walk_named
from allo_air.device import BDFormat, Tile
from allo_air.mlir import ir
from allo_air.passes.to_aie._cores import MARK, CoreClone
from allo_air.passes.to_aie._design import Transfer
from allo_air.passes.to_aie._phases import transfers_in
from allo_air.passes.to_aie._program import rings_of
from allo_air.passes.to_aie._rows import follows


def join_rows(block: ir.Block, clone: CoreClone, tile: Tile) -> None:
    """Joins adjacent transfers of a core, if the DMA of `tile` has fewer BDs than they need. Joined transfers move pieces of
    one shape of a buffer over one channel, at equal distances. The data and the core's synchronization do not change. Packet
    transfers are not joined, since other packets may come between them.
    """
    rings = rings_of(transfers_in(block, clone.transfers))
    if tile.bd is None or sum(map(len, rings.values())) <= tile.bds:
        return
    marks = Counter(
        o.attributes[MARK].value for op in block.operations for o in walk_named(op, "air.wait_all") if MARK in o.attributes
    )
    single_marks = {n for n, count in marks.items() if count == 1 and not clone.bundles[clone.transfers[n].key[0]].is_packet}
    _join(block, clone, single_marks, tile.bd)


def _join(block: ir.Block, clone: CoreClone, single_marks: set[int], form: BDFormat) -> None:
    row: list[int] = []
    piece: Transfer | None = None  # the first of the joined transfers
    offset = step = 0
    for op in [o.operation for o in block.operations]:
        if MARK in op.attributes and op.attributes[MARK].value in single_marks:
            number = op.attributes[MARK].value
            transfer = clone.transfers[number]
            walk = follows(piece, len(row), offset, step, transfer, form) if piece else None
            if piece is None or walk is None:
                row, piece, step = [number], transfer, 0
            else:
                step = transfer.walk.offset - offset
                row.append(number)
                for each in row:
                    clone.transfers[each] = replace(piece, walk=walk)
                op.erase()
            offset = transfer.walk.offset
        elif op.name != "arith.constant":
            piece = None
            for region in op.regions:
                for inner in region.blocks:
                    _join(inner, clone, single_marks, form)
