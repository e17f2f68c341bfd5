"""Products of matrices on a core, in the packed form that becomes MAC instructions.

`c = a b` with a of M x K becomes: a in tiles of m x k, b in tiles of k x n, their product in tiles of m x n of the
accumulator's type, which are then copied to c. Sums wrap, or are rounded, once at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from allo_air.arch import core_of
from allo_air.frontend import tensors
from allo_air.frontend.numbers import Number, binary, cast, mlir_type
from allo_air.frontend.types import Float, Int, ScalarType
from allo_air.frontend.values import Buffer, allocate, memref_type
from allo_air.mlir import ir

_MIN_REUSE = 3
"""Smallest number of multiplications per packed element for which packing pays."""
_TOTALS = {"i32": Int(32), "f32": Float(32)}

Form = tuple[tuple[int, int, int], ScalarType]
"""m, k and n of a tile, and the accumulator's type."""
Tile = tuple[int, int]
Port = tuple[int, int]
"""An instance's position on its core, and the number of its port."""


@dataclass
class Macs:
    """Emits products of matrices on the cores of `arch`, and records in which tiles the buffers of ports should arrive.

    `ports` are the buffers of ports that receive data, `tiled` those of them that already arrive in tiles, and `requested` the
    tiles in which products use the others.
    """

    arch: str
    ports: dict[Any, Port] = field(default_factory=dict)
    tiled: dict[Any, tuple[Tile, Buffer]] = field(default_factory=dict)
    requested: dict[Port, list[Tile]] = field(default_factory=dict)

    def form(self, a: Buffer, b: Buffer, result: Buffer) -> Form | None:
        """The form of a product, or None. The sums must be exact in the accumulator's type, and the tiles must divide the
        matrices.
        """
        if a.element != b.element or not a.element.signed or not _are_row_major(a, b, result):
            return None
        (rows, depth), (_, columns) = a.shape, b.shape
        packed = rows * depth + depth * columns + rows * columns
        for c in core_of(self.arch).contractions:
            if c.blocks or c.total not in _TOTALS:
                continue
            (m, k, n), total = c.shape, _TOTALS[c.total]
            fits = c.element == str(mlir_type(a.element)) and not (rows % m or depth % k or columns % n)
            if fits and result.element.floating == total.floating and rows * depth * columns >= _MIN_REUSE * packed:
                return c.shape, total
        return None

    def multiply(self, a: Buffer, b: Buffer, result: Buffer, form: Form) -> None:
        """Emits result = a b."""
        (m, k, n), total = form
        left, right = self._tiles(a, m, k), self._tiles(b, k, n)
        sums = allocate(total, (a.shape[0] // m, b.shape[1] // n, m, n))
        tensors.fill(sums, 0)
        i, j, depths, r, c, inner = (ir.AffineDimExpr.get(d) for d in range(6))
        maps = [ir.AffineMap.get(6, 0, list(e)) for e in ((i, depths, r, inner), (depths, j, inner, c), (i, j, r, c))]
        kinds = ["parallel", "parallel", "reduction"] * 2

        def body(numbers: list[Number], old: Number) -> Number:
            x, y = (cast(g, total) for g in numbers)
            return binary("add", old, binary("mul", x, y))

        tensors.generic([left, right], sums, maps, kinds, body)
        tensors.generic([sums], result, _tiled(m, n), ["parallel"] * 4, lambda values, old: cast(values[0], result.element))

    def _tiles(self, source: Buffer, rows: int, columns: int) -> Buffer:
        """The matrix `source` in tiles."""
        if source.value in self.tiled:
            tile, buffer = self.tiled[source.value]
            assert tile == (rows, columns)
            return buffer
        if source.value in self.ports:
            self.requested.setdefault(self.ports[source.value], []).append((rows, columns))
        result = allocate(source.element, (source.shape[0] // rows, source.shape[1] // columns, rows, columns))
        tensors.generic([source], result, _tiled(rows, columns)[::-1], ["parallel"] * 4, lambda values, old: values[0])
        return result

    def tiles_of_ports(self) -> dict[Port, Tile]:
        """For each port that only products use, all in the same tiles: these tiles."""
        results = {}
        for value, port in self.ports.items():
            tiles = self.requested.get(port, [])
            if tiles and len(set(tiles)) == 1 and sum(1 for _ in value.uses) == len(tiles) + 1:
                results[port] = tiles[0]
        return results


def _are_row_major(*buffers: Buffer) -> bool:
    """Whether they are matrices in row-major order."""
    return all(len(b.shape) == 2 and b.value.type == memref_type(b.element, b.shape) for b in buffers)


def _tiled(rows: int, columns: int) -> Sequence[Any]:
    """Maps of a tiled matrix and of the same one in row-major order."""
    i, j, r, c = (ir.AffineDimExpr.get(d) for d in range(4))
    return [ir.AffineMap.get(4, 0, [i, j, r, c]), ir.AffineMap.get(4, 0, [i * rows + r, j * columns + c])]
