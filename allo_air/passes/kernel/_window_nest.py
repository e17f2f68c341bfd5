"""Lowers packed convolutions in L1 to loops over micro-tiles whose body is one vector.contract of extended operands."""

from __future__ import annotations

from math import gcd, prod

from allo_air.arch import Core
from allo_air.core.constants import index_constant
from allo_air.core.walking import walk_named
from allo_air.dialects.mac import contract
from allo_air.mlir import AnyOp, arith, ir, scf, vector
from allo_air.passes._analysis.blocking import FACTORS, unrolled
from allo_air.passes._ir.tensors import zero_of
from allo_air.passes.kernel._rows import Rows, in_one_row, reciprocal
from allo_air.passes.kernel._windows import Windows, windows_of


def vectorize_windows(op: AnyOp, core: Core) -> None:
    """Turns each packed convolution into loops over micro-tiles.

    A packed convolution is a linalg.generic of sums of products whose last three loops are a micro-tile m x n x k: (..., m, k)
    of the image, over which other loops move a window, (..., k, n) of the weights, (..., m, n) of the result. The loops over a
    window that are short enough to be unrolled become one loop, innermost, which carries the accumulator; the other window
    loops, and those over blocks of channels, are outermost. The two loops around the reduction, for `block-contractions`,
    are the result's last loop that changes the weights and its last loop that changes the pixels. If there are both, rows and
    columns of pixels become one loop where possible, so that a core pipelines all pixels rather than those of a row.
    """
    for generic in walk_named(op, "linalg.generic"):
        windows = windows_of(generic, core)
        if windows is None:
            continue
        with ir.InsertionPoint(generic), generic.location:
            _Nest(*in_one_row(windows), core).emit()
        generic.erase()


class _Nest:
    """Builds the loops of one packed convolution."""

    def __init__(self, windows: Windows, rows: Rows | None, core: Core) -> None:
        self.windows = windows
        self.rows = rows
        self.inner = _innermost(windows, core)
        self.ivs: dict[int, ir.Value] = {}
        numbers = {0, 1, *windows.extents, *windows.factors}
        self.constants = {n: index_constant(n, windows.op.location) for n in sorted(numbers)}

    def emit(self) -> None:
        w = self.windows
        outer = [d for d in w.reductions if d not in self.inner]
        self._loops([d for d in (*outer, *w.order) if w.extents[d] > 1])

    def _loops(self, dims: list[int]) -> None:
        if not dims:
            self._micro_tile()
            return
        zero, one = self.constants[0], self.constants[1]
        loop = scf.ForOp(zero, self.constants[self.windows.extents[dims[0]]], one)
        self.ivs[dims[0]] = loop.induction_variable
        with ir.InsertionPoint(loop.body):
            if self.rows is not None and dims[0] == self.rows.pixel:
                self.ivs[self.rows.row] = self._row(loop.induction_variable, self.rows.columns)
            self._loops(dims[1:])
            scf.yield_([])

    def _row(self, pixel: ir.Value, columns: int) -> ir.Value:
        """The row of a pixel: the pixel divided by `columns`, by a multiplication and a shift, which overlap with other work.

        A division by the common part of `columns` and the largest factor of jamming comes first, so that jammed pixels
        (`block-contractions`) share their loads.
        """
        assert self.rows is not None
        pixels, together = self.windows.extents[self.rows.pixel], gcd(columns, max(FACTORS))
        if together > 1:
            pixel = arith.divui(pixel, self._number(together))
        if columns == together:
            return pixel
        factor, shift = map(self._number, reciprocal(columns // together, pixels // together))
        return arith.shrui(arith.muli(pixel, factor), shift)

    def _number(self, number: int) -> ir.Value:
        return self.constants.get(number) or index_constant(number, self.windows.op.location)

    def _micro_tile(self) -> None:
        w = self.windows
        place = self._place(2)
        total = self._read(2, place)
        trips = prod(w.extents[d] for d in self.inner)
        if trips > 1:
            loop = scf.ForOp(self.constants[0], self._number(trips), self.constants[1], [total])
            with ir.InsertionPoint(loop.body):
                self._unflatten(loop.induction_variable)
                scf.yield_([self._product(loop.inner_iter_args[0])])
            total = loop.results[0]
        else:
            total = self._product(total)
        flags = ir.ArrayAttr.get([ir.BoolAttr.get(True)] * 2)
        vector.transfer_write(None, total, w.operands[2], place, _minor(len(place)), flags)

    def _unflatten(self, iteration: ir.Value) -> None:
        """For `iteration` of the merged window loops: the position in the window."""
        first, *rest = [d for d in self.inner if self.windows.extents[d] > 1]
        for d in reversed(rest):
            extent = self.constants[self.windows.extents[d]]
            self.ivs[d] = arith.remui(iteration, extent)
            iteration = arith.divui(iteration, extent)
        self.ivs[first] = iteration

    def _product(self, total: ir.Value) -> ir.Value:
        a, b = (self._read(n, self._place(n)) for n in (0, 1))
        return contract(self._wide(a), self._wide(b), total)

    def _wide(self, value: ir.Value) -> ir.Value:
        kind = ir.VectorType.get(value.type.shape, self.windows.operands[2].type.element_type)
        if value.type == kind:
            return value
        return arith.extf(kind, value) if isinstance(value.type.element_type, ir.BF16Type) else arith.extsi(kind, value)

    def _place(self, operand: int) -> list[ir.Value]:
        """The position of an operand's micro-tile."""
        places = []
        for terms in self.windows.indices[operand]:
            value = None
            for d, factor in terms:
                if d not in self.ivs:
                    continue
                term = self.ivs[d] if factor == 1 else arith.muli(self.ivs[d], self.constants[factor])
                value = term if value is None else arith.addi(value, term)
            places.append(self.constants[0] if value is None else value)
        return [*places, self.constants[0], self.constants[0]]

    def _read(self, operand: int, place: list[ir.Value]) -> ir.Value:
        memref = self.windows.operands[operand]
        element = memref.type.element_type
        zero = arith.constant(element, zero_of(element))
        kind = ir.VectorType.get(list(memref.type.shape)[-2:], element)
        flags = ir.ArrayAttr.get([ir.BoolAttr.get(True)] * 2)
        return vector.transfer_read(kind, memref, place, _minor(len(place)), zero, flags)


def _innermost(windows: Windows, core: Core) -> list[int]:
    """The window loops that are unrolled together: as many innermost ones as `unrolled` allows."""
    extents = [windows.extents[d] for d in windows.reductions]
    return list(windows.reductions[-unrolled(extents, windows.instructions(core)) :])


def _minor(rank: int) -> ir.AffineMapAttr:
    return ir.AffineMapAttr.get(ir.AffineMap.get_minor_identity(rank, 2))
