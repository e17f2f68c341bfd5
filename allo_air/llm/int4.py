"""A token's row times rows of 4-bit weights: the program for the array, and how its arguments lie in memory.

A launch is a block of rows of weights, some for each core, with as many columns as all products of a model share: a longer
row counts as several parts, whose sums the host adds. The design is the same for any number of blocks and parts. Weights
stream from memory once. Cores multiply whole numbers by planes of the row, which are its digits of eight bits, sum a group,
and scale the sum (`int4.cc`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from allo_air.aie_api.kernel import CppKernel
from allo_air.device import DEVICES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

KERNEL = Path(__file__).with_name("int4.cc")
NAME = "multiply_int4"
DIGITS = 3
"""Planes of a row that are not zero: 23 bits with a sign, as many as a float's mantissa has."""
_PLANES = 4
_AT_ONCE = 8
"""Rows that an instruction multiplies."""
_ROOM = 56 * 1024
"""Bytes of a core's memory for operands and sums, all twice; the rest is the stack's."""
_MOST_COLUMNS = 2048


def is_taken(group: int) -> bool:
    """Whether cores multiply groups of this size by two tiles of eight columns, and sums stay exact."""
    return group % 16 == 0 and group <= 512


@dataclass(frozen=True)
class Arrangement:
    """The blocks of products with groups of `group` columns, `columns` at once, on a device's cores."""

    device: str
    group: int
    columns: int
    wide: int
    """Columns of cores."""
    rows: int = 16
    """Rows of weights of a core in a launch."""

    @property
    def grid(self) -> tuple[int, int]:
        """Columns and rows of cores."""
        return self.wide, len(DEVICES[self.device].core_rows)

    @property
    def block_rows(self) -> int:
        """Rows of weights of a launch."""
        wide, high = self.grid
        return wide * high * self.rows

    @property
    def bytes(self) -> int:
        """Of a core's weights in a launch: for each eight rows of a group the numbers, the zeros twice, and the scales."""
        return self.rows // _AT_ONCE * (self.columns // self.group) * (_AT_ONCE * self.group // 2 + 4 * _AT_ONCE)

    @property
    def fits(self) -> bool:
        """Whether a core holds its operands and sums twice."""
        return 2 * (self.bytes + _PLANES * (self.columns + 4 * self.rows)) <= _ROOM

    def parts(self, columns: int) -> int:
        """Of a row of so many columns."""
        return -(-columns // self.columns)

    def blocks(self, rows: int) -> int:
        """Of so many rows."""
        return -(-rows // self.block_rows)

    def read(self, rows: int, columns: int) -> float:
        """Bytes that a product of this size moves from and to memory."""
        cores = self.grid[0] * self.grid[1]
        each = cores * (self.bytes + _PLANES * 4 * self.rows) + _PLANES * self.columns
        return float(self.parts(columns) * self.blocks(rows) * each)

    def kernel(self) -> CppKernel:
        """The cores' function."""
        return CppKernel(KERNEL, {"ROWS": self.rows, "COLUMNS": self.columns, "GROUP": self.group})

    def weights(self, numbers: Tensor, scales: Tensor, zeros: Tensor) -> Any:
        """The bytes of weights [rows, groups, group] from 0 to 15 in the order of cores and launches."""
        (rows, groups, size), (wide, high) = numbers.shape, self.grid
        parts, blocks, per = self.parts(groups * size), self.blocks(rows), self.columns // size
        more = (0, 0, 0, parts * per - groups, 0, blocks * self.block_rows - rows)
        numbers = torch.nn.functional.pad(numbers.to(torch.uint8), more)
        scales, zeros = (torch.nn.functional.pad(t, more[2:]) for t in (scales.to(torch.bfloat16), zeros.to(torch.uint8)))
        shape = (blocks, wide, high, self.rows // _AT_ONCE, _AT_ONCE, parts, per)
        # part, column of cores, block, row of cores, eight rows, group
        order = (5, 1, 0, 2, 3, 6)
        tiles = (
            numbers.reshape(*shape, size // 8, 8).permute(*order, 7, 8, 4).reshape(parts, wide, blocks, high, -1, per, size * 8)
        )
        packed = tiles[..., 0::2] | tiles[..., 1::2] << 4
        own_zeros, own_scales = (t.reshape(shape).permute(*order, 4).contiguous() for t in (zeros, scales))
        whole = torch.cat((packed, *[own_zeros.reshape(*packed.shape[:-1], 8)] * 2, _bytes_of(own_scales, packed.shape)), -1)
        ordered = whole.permute(1, 0, 2, 3, 4, 5, 6).reshape(wide, parts * blocks, high * self.bytes)
        return ordered.view(torch.int8).contiguous()

    def planes(self, row: Tensor) -> Any:
        """The row [1, columns] as digits of eight bits, the most significant ones first, for each part."""
        size = self.parts(row.shape[1]) * self.columns
        left = torch.zeros(size, dtype=torch.int64)
        left[: row.shape[1]] = (row[0].double() / step_of(row)).round().long()
        found = torch.zeros(_PLANES, size, dtype=torch.int8)
        for number in reversed(range(DIGITS)):
            low = (left + 128) % 256 - 128 if number else left
            found[number] = low.to(torch.int8)
            left = (left - low) // 256
        return (
            found.reshape(_PLANES, -1, self.columns // 8, 8)
            .permute(1, 2, 0, 3)
            .reshape(-1, _PLANES * self.columns)
            .contiguous()
        )

    def sums(self, found: Tensor, row: Tensor, rows: int) -> Any:
        """The product [rows] in f64, from the sums of cores and the row that was multiplied."""
        wide, high = self.grid
        parts = self.parts(row.shape[1])
        own = found.double().reshape(parts, -1, wide, high, self.rows // _AT_ONCE, _PLANES, _AT_ONCE)[..., :DIGITS, :]
        places = torch.tensor([256.0**n for n in reversed(range(DIGITS))], dtype=torch.float64)
        return (own.sum(0) * places[:, None]).sum(4).reshape(-1)[:rows] * step_of(row)

    def text(self, rows: int, columns: int) -> str:
        """The program in AIR for a product of this size."""
        (wide, high), parts, blocks = self.grid, self.parts(columns), self.blocks(rows)
        planes, sums, count = _PLANES * self.columns, _PLANES * self.rows, parts * blocks
        A, B, C = f"{wide}x{count}x{high * self.bytes}xi8", f"{parts}x{planes}xi8", f"{count}x{wide}x{high * sums}xf32"
        a2, c2 = f"memref<{wide}x{high * self.bytes}xi8, 1>", f"memref<{wide}x{high * sums}xf32, 1>"
        a1, b1, c1 = f"memref<{self.bytes}xi8, 2>", f"memref<{planes}xi8, 2>", f"memref<{sums}xf32, 2>"
        numbers = (0, 1, wide, high, self.bytes, high * self.bytes, count * high * self.bytes, planes, sums, high * sums)
        return _TEXT.format(
            name=NAME, A=f"memref<{A}>", B=f"memref<{B}>", C=f"memref<{C}>", a2=a2, c2=c2, a1=a1, b1=b1, c1=c1,
            parts=parts, blocks=blocks, weights=self.bytes, sums=sums, planes=planes, wide=wide, high=high,
            all_weights=high * self.bytes, all_sums=high * sums, column=count * high * self.bytes, launch=wide * high * sums,
            outside=_constants((*numbers, wide * high * sums), "c"), inside=_constants(numbers, "h"),
        )  # fmt: skip


def _bytes_of(scales: Tensor, shape: Sequence[int]) -> Any:
    return scales.view(torch.uint8).reshape(*shape[:-1], 2 * _AT_ONCE)


def _constants(numbers: Iterable[int], prefix: str) -> str:
    return "\n".join(f"%{prefix}{n} = arith.constant {n} : index" for n in sorted(set(numbers)))


def step_of(row: Tensor) -> float:
    """The value of 1 in the last digit of `row`."""
    return max(float(row.double().abs().max()), 1e-30) / (127 * 256 ** (DIGITS - 1))


def arrangement(device: str, group: int, products: Iterable[tuple[int, int]], wide: int | None = None) -> Arrangement:
    """The one with which products of these rows and columns of weights, all of one design, move the fewest bytes.

    It has `wide` columns of cores, by default all.
    """
    sizes = list(products)
    most = min(_MOST_COLUMNS, max(-(-columns // group) * group for _, columns in sizes))
    found = [Arrangement(device, group, n, wide or DEVICES[device].columns) for n in range(group, most + 1, group)]
    return min((a for a in found if a.fits or a.columns == group), key=lambda a: (sum(a.read(*s) for s in sizes), -a.columns))


_TEXT = """
func.func private @{name}({a1}, {b1}, {c1}) attributes {{link_with = "int4.o", llvm.emit_c_interface}}
func.func @product(%a: {A}, %b: {B}, %c: {C}) {{
  %parts = arith.constant {parts} : index
  %blocks = arith.constant {blocks} : index
  air.launch (%i, %j) in (%li=%parts, %lj=%blocks) args(%la=%a, %lb=%b, %lc=%c) : {A}, {B}, {C} {{
    air.segment @rows args(%si=%i, %sj=%j, %sa=%la, %sb=%lb, %sc=%lc) : index, index, {A}, {B}, {C} {{
      {outside}
      %at = affine.apply affine_map<()[s0, s1] -> (s0 * {blocks} + s1)>()[%si, %sj]
      %w2 = memref.alloc() : {a2}
      %s2 = memref.alloc() : {c2}
      air.dma_memcpy_nd (%w2[] [] [], %sa[%c0, %at, %c0] [%c{wide}, %c1, %c{all_weights}] [%c{column}, %c{all_weights}, %c1]) :
        ({a2}, {A})
      air.herd @cores tile (%tx, %ty) in (%sx=%c{wide}, %sy=%c{high}) args(%hi=%si, %ha=%w2, %hb=%sb, %hc=%s2) :
          index, {a2}, {B}, {c2} attributes {{link_with = "int4.o"}} {{
        {inside}
        %w = memref.alloc() : {a1}
        %x = memref.alloc() : {b1}
        %y = memref.alloc() : {c1}
        %from = affine.apply affine_map<()[s0] -> (s0 * {weights})>()[%ty]
        %to = affine.apply affine_map<()[s0] -> (s0 * {sums})>()[%ty]
        air.dma_memcpy_nd (%x[] [] [], %hb[%hi, %h0] [%h1, %h{planes}] [%h{planes}, %h1]) : ({b1}, {B})
        air.dma_memcpy_nd (%w[] [] [], %ha[%tx, %from] [%h1, %h{weights}] [%h{all_weights}, %h1]) : ({a1}, {a2})
        func.call @{name}(%w, %x, %y) : ({a1}, {b1}, {c1}) -> ()
        air.dma_memcpy_nd (%hc[%tx, %to] [%h1, %h{sums}] [%h{all_sums}, %h1], %y[] [] []) : ({c2}, {c1})
        memref.dealloc %w : {a1}
        memref.dealloc %x : {b1}
        memref.dealloc %y : {c1}
      }}
      air.dma_memcpy_nd (%sc[%at, %c0, %c0] [%c1, %c{wide}, %c{all_sums}] [%c{launch}, %c{all_sums}, %c1], %s2[] [] []) :
        ({C}, {c2})
      memref.dealloc %w2 : {a2}
      memref.dealloc %s2 : {c2}
    }}
  }}
  return
}}
"""
