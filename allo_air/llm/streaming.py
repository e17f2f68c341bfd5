"""A token's row times a weight matrix: the program for the array, and the layout of its arguments in memory.

A launch computes a block of rows of weights, divided among the cores. The number of columns at a time is the same for all
products of a model: a longer row is several parts, whose sums the host adds. So the design is the same for any number of blocks
and parts. Weights stream from memory once. The subclasses for each type of weights define what cores compute.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import torch

from allo_air.aie_api.kernel import CppKernel
from allo_air.device import DEVICES

if TYPE_CHECKING:
    from torch import Tensor

DIGITS = 3
"""Number of nonzero planes of a row: 23 bits with a sign, as in a float's mantissa."""
PLANES = 4
AT_ONCE = 8
"""Number of rows that an instruction multiplies."""
_ROOM = 56 * 1024
"""Bytes of a core's memory for operands and sums, with double buffers; the rest is stack."""


@dataclass(frozen=True)
class Arrangement(ABC):
    """The division of products into blocks, for the cores of a device. A block has `columns` columns of weights, in groups of
    `group`.
    """

    device: str
    group: int
    columns: int
    wide: int
    """Number of columns of cores."""
    rows: int = 16
    """Rows of weights of a core in one launch."""

    name: ClassVar[str]
    """Name of the cores' function."""
    file: ClassVar[str]

    @property
    @abstractmethod
    def bytes(self) -> int:
        """Bytes of a core's weights in one launch."""

    @property
    @abstractmethod
    def row_bytes(self) -> int:
        """Bytes of one part of the multiplied row."""

    @property
    @abstractmethod
    def results(self) -> int:
        """Number of result words of a core in one launch."""

    @abstractmethod
    def weights(self, weight: tuple[Tensor, ...]) -> Any:
        """Packed weights as bytes, in the order in which cores and launches read them."""

    @abstractmethod
    def row(self, row: Tensor) -> Any:
        """The row [1, columns] as bytes, part by part."""

    @abstractmethod
    def sums(self, partial_sums: Tensor, row: Tensor, weight: tuple[Tensor, ...]) -> Any:
        """The product [rows] in f64, from the cores' results, the multiplied row, and the packed weights."""

    @property
    def grid(self) -> tuple[int, int]:
        """The numbers of columns and rows of cores."""
        return self.wide, len(DEVICES[self.device].core_rows)

    @property
    def block_rows(self) -> int:
        """Rows of weights in one launch."""
        wide, high = self.grid
        return wide * high * self.rows

    @property
    def fits(self) -> bool:
        """Whether a core has room for its operands and sums, with double buffers."""
        return 2 * (self.bytes + self.row_bytes + 4 * self.results) <= _ROOM

    def parts(self, columns: int) -> int:
        """Number of parts of a row with this many columns."""
        return -(-columns // self.columns)

    def blocks(self, rows: int) -> int:
        """Number of blocks into which this many rows are divided."""
        return -(-rows // self.block_rows)

    def read(self, rows: int, columns: int) -> float:
        """Bytes that a product of this size transfers from and to memory."""
        launch = self.grid[0] * self.grid[1] * (self.bytes + 4 * self.results) + self.row_bytes
        return float(self.parts(columns) * self.blocks(rows) * launch)

    def kernel(self) -> CppKernel:
        """The cores' function, with its macros."""
        defines = {"ROWS": self.rows, "COLUMNS": self.columns, "GROUP": self.group}
        return CppKernel(Path(__file__).with_name(self.file), defines)

    def in_order(self, numbers: Tensor, inner: tuple[int, ...], rows: int) -> Any:
        """Weights [rows, columns] in blocks of `rows` rows, padded with zeros, as [columns of cores, launches, bytes].

        `inner` is the order of the dimensions within a block's part: (row, group of eight columns, column in the group).
        """
        wide, high = self.grid
        parts, blocks = self.parts(numbers.shape[1]), self.blocks(numbers.shape[0])
        padding = (0, parts * self.columns - numbers.shape[1], 0, blocks * self.block_rows - numbers.shape[0])
        padded = torch.nn.functional.pad(numbers, padding)
        split = padded.reshape(blocks, wide, high, self.rows // rows, rows, parts, self.columns // 8, 8)
        ordered = split.permute(1, 5, 0, 2, 3, *(n + (4, 5, 5)[n] for n in inner))
        return ordered.reshape(wide, parts * blocks, -1).contiguous()

    def digits(self, row: Tensor) -> Any:
        """The row [1, columns] as 8-bit digits, for each part with the most significant digits first."""
        size = self.parts(row.shape[1]) * self.columns
        numbers = torch.zeros(size, dtype=torch.int32)
        numbers[: row.shape[1]] = (row[0].double() / step_of(row)).round().int()
        # With 128 added to each digit, no digit borrows from the next one: the bytes minus 128 are the digits.
        places = sum(128 << 8 * n for n in range(DIGITS))
        digits = ((numbers + places) ^ places).view(torch.int8).reshape(-1, AT_ONCE, PLANES)
        tiles = digits[:, :, [*reversed(range(DIGITS)), DIGITS]].transpose(1, 2)
        return tiles.reshape(-1, PLANES * self.columns).contiguous()

    def of_digits(self, partial_sums: Tensor, row: Tensor, rows: int) -> Any:
        """The product [rows] in f64, from its parts in units of the last digit."""
        return partial_sums.double().reshape(self.parts(row.shape[1]), -1).sum(0)[:rows] * step_of(row)

    def text(self, rows: int, columns: int) -> str:
        """The program in AIR for a product of this size."""
        (wide, high), parts, blocks = self.grid, self.parts(columns), self.blocks(rows)
        planes, sums, count = self.row_bytes, self.results, parts * blocks
        A, B, C = f"{wide}x{count}x{high * self.bytes}xi8", f"{parts}x{planes}xi8", f"{count}x{wide}x{high * sums}xf32"
        a2, c2 = f"memref<{wide}x{high * self.bytes}xi8, 1>", f"memref<{wide}x{high * sums}xf32, 1>"
        a1, b1, c1 = f"memref<{self.bytes}xi8, 2>", f"memref<{planes}xi8, 2>", f"memref<{sums}xf32, 2>"
        numbers = (0, 1, wide, high, self.bytes, high * self.bytes, count * high * self.bytes, planes, sums, high * sums)
        return _TEXT.format(
            name=self.name, file=self.file.replace(".cc", ".o"), A=f"memref<{A}>", B=f"memref<{B}>",
            C=f"memref<{C}>", a2=a2, c2=c2, a1=a1, b1=b1, c1=c1,
            parts=parts, blocks=blocks, weights=self.bytes, sums=sums, planes=planes, wide=wide, high=high,
            all_weights=high * self.bytes, all_sums=high * sums, column=count * high * self.bytes, launch=wide * high * sums,
            outside=_constants((*numbers, wide * high * sums), "c"), inside=_constants(numbers, "h"),
        )  # fmt: skip


def _constants(numbers: Iterable[int], prefix: str) -> str:
    return "\n".join(f"%{prefix}{n} = arith.constant {n} : index" for n in sorted(set(numbers)))


def step_of(row: Tensor) -> float:
    """The value of 1 in the last digit of `row`."""
    return max(float(row.double().abs().max()), 1e-30) / (127 * 256 ** (DIGITS - 1))


_TEXT = """
func.func private @{name}({a1}, {b1}, {c1}) attributes {{link_with = "{file}", llvm.emit_c_interface}}
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
          index, {a2}, {B}, {c2} attributes {{link_with = "{file}"}} {{
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
