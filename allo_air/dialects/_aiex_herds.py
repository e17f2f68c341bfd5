"""AIEX's herds of March 2026, which mlir-aie has removed since: rectangles of tiles, their places, and streams between them."""

from __future__ import annotations

from allo_air.dialects._enums import BUNDLE
from allo_air.dialects._fields import INDEX, attr, operand, result
from allo_air.dialects._kinds import I32, STRING
from allo_air.dialects._op import Op


class GetTileOp(Op, name="aiex.getTile"):
    """The tile at a column and a row."""

    col = operand(INDEX)
    row = operand(INDEX)
    tile = result(INDEX)
    assembly = "`(` $col `,` $row `)` attr-dict"


class HerdOp(Op, name="aiex.herd"):
    """A rectangle of tiles."""

    width = attr(I32)
    height = attr(I32)
    sym_name = attr(STRING, optional=True)
    herd = result(INDEX)
    assembly = "`[` $width `]` `[` $height `]` attr-dict"


class PlaceOp(Op, name="aiex.place"):
    """The distance between two herds, in columns and rows."""

    sourceHerd = operand(INDEX)
    destHerd = operand(INDEX)
    distX = attr(I32)
    distY = attr(I32)
    assembly = "`(` $sourceHerd `,` $destHerd `,` $distX `,` $distY `)` attr-dict"


class IterOp(Op, name="aiex.iter"):
    """Columns or rows from `start` to `end`, each `stride`-th."""

    start = attr(I32)
    end = attr(I32)
    stride = attr(I32)
    iter = result(INDEX)
    assembly = "`(` $start `,` $end `,` $stride `)` attr-dict"


class SelectOp(Op, name="aiex.select"):
    """The tiles of a herd in some columns and rows."""

    startHerd = operand(INDEX)
    iterX = operand(INDEX)
    iterY = operand(INDEX)
    subHerd = result(INDEX)
    assembly = "`(` $startHerd `,` $iterX `,` $iterY `)` attr-dict"


class RouteOp(Op, name="aiex.route"):
    """Streams from some tiles to others."""

    sourceHerds = operand(INDEX)
    destHerds = operand(INDEX)
    sourceBundle = attr(BUNDLE)
    sourceChannel = attr(I32)
    destBundle = attr(BUNDLE)
    destChannel = attr(I32)
    assembly = (
        "`(` `<` $sourceHerds `,` $sourceBundle `:` $sourceChannel `>` `,` `<` $destHerds `,` $destBundle `:` $destChannel `>`"
        " `)` attr-dict"
    )
