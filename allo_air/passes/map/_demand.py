"""Computes how much of each tensor, and how many iterations of each operation, one tile of a kernel's last operation needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

from allo_air.arch import Core
from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.passes._analysis.structured import indexing_maps, loop_extents, loop_of, loops_in, reductions, span_function
from allo_air.passes._ir.generic import composed_map
from allo_air.passes.map._argument_slices import is_argument_slice
from allo_air.passes.map._kernel import REDUCE, Kernel
from allo_air.passes.map._pads import cuts, pad_cycles, padding, source_sizes
from allo_air.passes.map._step_time import StepTime

STEP = 20
"""Cycles of a core around a tile, or a part of one: a lock before and one after it, 3 each, 8 to wake up, and a jump
(docs/sources.md#timing).
"""
OPERAND_CODE = 3
"""Operations of a core around its loops for each operand or result: two locks, and a view of its buffer."""
EXCESS = 0.25
"""The largest share of repeated work if a loop is cut into tiles that each compute their own operands."""


@dataclass(frozen=True)
class Step:
    """An operation as numbers."""

    op: ir.Operation
    extents: list[int]
    """The extents of its loops."""
    reads: list[tuple[int, Callable[[Sequence[int]], list[int]]]]
    """The tensors that it reads, by number, with the extents that a tile of its loops reads."""
    writes: list[tuple[int, list[int]]]
    """The tensors that it writes, by number, with the loop of each dimension (-1: no single loop)."""
    is_root: bool
    is_returned: bool
    is_fill: bool
    parts: list[int]
    """Tiles of its reductions that a core takes one after another, 0 for loops that are not cut."""
    time: StepTime


@dataclass(frozen=True)
class Padding:
    """A tensor.pad, or a slice of an argument: the numbers of its source and result tensors."""

    op: ir.Operation
    source: int
    result: int


@dataclass(frozen=True)
class Demand:
    """The resources that one tile needs."""

    parts: list[list[int] | None]
    """By number, the extents of each tensor's part; None: not needed."""
    pieces: list[list[int] | None]
    """The same for what a core takes at a time, if a reduction is cut."""
    work: int
    """Iterations of all operations but fills."""
    cycles: float
    """Cycles of a core."""


@dataclass
class Model:
    """A kernel as numbers, built once and queried for many tiles: its steps from the last to the first."""

    kernel: Kernel
    core: Core
    number: dict[ir.Value, int] = field(default_factory=dict)
    shapes: list[list[int]] = field(default_factory=list)
    steps: list[Step | Padding | list[int]] = field(default_factory=list)
    """In reverse order. A list stands for an operation that is not a linalg operation; it needs the tensors with these numbers
    as a whole.
    """
    demands: dict[tuple[int, ...], Demand] = field(default_factory=dict)
    """Cache of the demands of tiles: a search asks for many of them several times."""

    def __post_init__(self) -> None:
        kernel, returned = self.kernel, self.kernel.returned
        for view in reversed(list(kernel.block.operations)):
            op = view.operation
            if padding(op) is not None or is_argument_slice(op):
                self.steps.append(Padding(op, self._of(op.operands[0]), self._of(op.results[0])))
            elif op in kernel.movements:
                self.steps.append([self._of(v) for v in op.operands if isinstance(v.type, ir.RankedTensorType)])
            elif op in kernel.ops:
                whole = [inner.operands[0] for inner in walk_named(op, "tensor.extract")]
                self.steps.append([self._of(v) for v in whole])
                self.steps.append(self._step(op, any(r in returned for r in op.results)))
        for value in (*kernel.block.arguments, *returned):
            if isinstance(value.type, ir.RankedTensorType):
                self._of(value)

    @cached_property
    def _is_bf16(self) -> bool:
        """Whether all results are rounded to bf16, so that functions are computed with less accuracy."""
        return all(str(r.type.element_type) == "bf16" for r in self.kernel.returned)

    @property
    def in_parts(self) -> bool:
        """Whether a reduction is cut into parts, so that a core computes one part while it receives the next."""
        return any(isinstance(step, Step) and any(step.parts) for step in self.steps)

    @cached_property
    def passes(self) -> dict[int, int]:
        """How often a core reads each tensor, in parts."""
        read_tensors = [
            n for step in self.steps if isinstance(step, Step) and any(step.parts) for n in {t for t, _ in step.reads}
        ]
        return {number: read_tensors.count(number) for number in read_tensors}

    @cached_property
    def operands(self) -> int:
        """The number of the kernel's operands and results that are tensors."""
        return len({v for v in (*self.kernel.block.arguments, *self.kernel.returned) if v in self.number})

    @cached_property
    def has_sums(self) -> bool:
        """Whether a tensor is indexed by a sum of loops."""
        ops = [step.op for step in self.steps if isinstance(step, Step)]
        return any(len(loops_in(e)) > 1 for op in ops for m in indexing_maps(op) for e in m.results)

    @cached_property
    def offset_counts(self) -> dict[int, int]:
        """For each tensor, the number of different offsets at which its users read it, as in x[i] and x[i + 512]. Each offset
        needs a transfer.

        Slices of arguments count in the same way.
        """
        results: dict[int, set[tuple[int, ...]]] = {}
        for op in [step.op for step in self.steps if isinstance(step, Step)]:
            for value, map_ in zip(op.operands, indexing_maps(op), strict=True):
                if value in self.number:
                    begin = composed_map(map_, _origin(map_.n_dims))
                    results.setdefault(self.number[value], set()).add(tuple(_constant(e) for e in begin.results))
        slices = Counter(step.source for step in self.steps if isinstance(step, Padding))
        return {number: max(1, len(results.get(number, ())), slices[number]) for number in (*results, *slices)}

    @cached_property
    def reads_differ(self) -> bool:
        """Whether two users of a tensor traverse it differently, for example its even and its odd elements."""
        steps = [step for step in self.steps if isinstance(step, Step)]
        read_parts = {(tensor, tuple(spans([2] * len(step.extents)))) for step in steps for tensor, spans in step.reads}
        return len(read_parts) > len({tensor for tensor, _ in read_parts})

    def _of(self, value: ir.Value) -> int:
        if value not in self.number:
            self.number[value] = len(self.shapes)
            self.shapes.append(list(value.type.shape))
        return self.number[value]

    def _step(self, op: ir.Operation, is_returned: bool) -> Step:
        maps = indexing_maps(op)
        results = maps[len(maps) - len(op.results) :]
        ranked = [(v, m) for v, m in zip(op.operands, maps, strict=True) if isinstance(v.type, ir.RankedTensorType)]
        reads = [(self._of(v), _span_function(m, v.type.shape)) for v, m in (*ranked, *zip(op.results, results, strict=True))]
        writes = [(self._of(r), [loop_of(e) for e in m.results]) for r, m in zip(op.results, results, strict=True)]
        extents = loop_extents(op)
        parts = list(op.attributes[REDUCE]) if REDUCE in op.attributes else [0] * len(extents)
        return Step(
            op,
            extents,
            reads,
            writes,
            op == self.kernel.root,
            is_returned,
            op.name == "linalg.fill",
            parts,
            StepTime(op, self.core, is_bf16=self._is_bf16, is_returned=is_returned),
        )

    def demand(self, sizes: Sequence[int]) -> Demand:
        """The needs of a tile of the root; `sizes` has one size for each loop (0: the whole loop)."""
        if (tile := tuple(sizes)) not in self.demands:
            self.demands[tile] = self._demand(tile)
        return self.demands[tile]

    def _demand(self, sizes: tuple[int, ...]) -> Demand:
        parts: list[list[int] | None] = [None] * len(self.shapes)
        pieces = list(parts)
        work, cycles = 0, 0.0
        timed: list[tuple[Step, list[int], list[int], int]] = []
        for step in self.steps:
            if isinstance(step, list):
                for tensor in step:
                    parts[tensor] = pieces[tensor] = self.shapes[tensor]
                continue
            if isinstance(step, Padding):
                if (result_sizes := parts[step.result]) is not None:
                    parts[step.source] = _largest(parts[step.source], source_sizes(step.op, result_sizes))
                    cycles += pad_cycles(step.op, result_sizes)
                    pieces[step.source] = _largest(
                        pieces[step.source], source_sizes(step.op, pieces[step.result] or result_sizes)
                    )
                continue
            loops = sizes if step.is_root else _loops_of(step, parts)
            if loops is None:
                continue
            tile = [size or extent for size, extent in zip(loops, step.extents, strict=True)]
            piece = [part or size for part, size in zip(step.parts, tile, strict=True)]
            turns = prod(-(-t // p) for t, p in zip(tile, piece, strict=True))
            timed.append((step, tile, piece, turns))
            cycles += STEP * turns if any(step.parts) else 0
            work += 0 if step.is_fill else prod(tile)
            for tensor, spans in step.reads:
                for sizes_of, touched in ((parts, tile), (pieces, piece)):
                    needed = [min(pair) for pair in zip(spans(touched), self.shapes[tensor], strict=True)]
                    sizes_of[tensor] = _largest(sizes_of[tensor], needed)
        code = OPERAND_CODE * self.operands + sum(step.time.code(piece) for step, _, piece, _ in timed)
        cycles += sum(step.time.of(tile, piece, turns, code) for step, tile, piece, turns in timed)
        return Demand(parts, pieces, work, cycles)

    def variants(self, tiles: Sequence[Sequence[int]]) -> list[set[tuple[tuple[int, ...], ...]]]:
        """For each tensor, the different parts that its users need for some tiles of the root.

        If tiles recompute a part, they need all of a tensor of which the last user needs a part.
        """
        parts_needed: list[set[tuple[tuple[int, ...], ...]]] = [set() for _ in self.shapes]
        for step in self.steps:
            if isinstance(step, list):
                for tensor in step:
                    parts_needed[tensor].add((tuple(self.shapes[tensor]),) * len(tiles))
            elif isinstance(step, Padding):
                parts_needed[step.source] |= {
                    tuple(tuple(source_sizes(step.op, w)) for w in ws) for ws in parts_needed[step.result]
                }
            else:
                result_ways = [(ws, loops) for tensor, loops in step.writes for ws in parts_needed[tensor]]
                for value in [tiles] if step.is_root else [[_tile(step, w, loops) for w in ws] for ws, loops in result_ways]:
                    whole = [[size or extent for size, extent in zip(g, step.extents, strict=True)] for g in value]
                    for tensor, spans in step.reads:
                        parts_needed[tensor].add(tuple(tuple(map(min, spans(tile), self.shapes[tensor])) for tile in whole))
        return parts_needed

    def tileable(self, excess: float = EXCESS) -> list[bool]:
        """For each loop of the root, whether its tiles can be computed independently with at most `excess` recomputed work."""
        root = self.kernel.root
        assert root is not None
        extents, maps = loop_extents(root), indexing_maps(root)
        results = maps[len(maps) - len(root.results) :]
        shared = [all(any(loop in loops_in(e) for e in m.results) for m in results) for loop in range(len(extents))]
        whole = self.demand([0] * len(extents))
        matches = []
        for loop, (extent, reduces) in enumerate(zip(extents, reductions(root), strict=True)):
            half = -(-extent // 2)
            needed = self.demand([half if i == loop else 0 for i in range(len(extents))])
            pads = [(s.op, needed.parts[s.result], whole.parts[s.result]) for s in self.steps if isinstance(s, Padding)]
            cut = any(part and all_ and cuts(op, part, all_) for op, part, all_ in pads)
            is_independent = shared[loop] and not reduces and extent > 1 and not cut
            matches.append(is_independent and needed.work * extent / half <= whole.work * (1 + excess))
        return matches


def _origin(dims: int) -> ir.AffineMap:
    return ir.AffineMap.get(0, 0, [ir.AffineConstantExpr.get(0)] * dims)


def _constant(expression: ir.AffineExpr) -> int:
    return int(ir.AffineConstantExpr(expression).value) if isinstance(expression, ir.AffineConstantExpr) else 0


def _span_function(indexing: ir.AffineMap, shape: Sequence[int]) -> Callable[[Sequence[int]], list[int]]:
    """The indices of a tensor that a tile of loops touches. A dimension without a loop counts as a whole, as in tiling."""
    spans = span_function(indexing)
    is_fixed = [not loops_in(e) for e in indexing.results]
    return lambda sizes: [e if fixed else n for fixed, n, e in zip(is_fixed, spans(sizes), shape, strict=True)]


def _loops_of(step: Step, parts: list[list[int] | None]) -> list[int] | None:
    """The loops that compute the needed part of a step's results, 0 for a whole loop; None if nothing is needed."""
    results_of_step = [(parts[tensor], loops) for tensor, loops in step.writes]
    if not step.is_returned and all(sizes is None for sizes, _ in results_of_step):
        return None
    tile = [0] * len(step.extents)
    for sizes, loops in results_of_step:
        for size, loop in zip(sizes or (), loops, strict=sizes is not None):
            if loop >= 0:
                tile[loop] = max(tile[loop], size)
    return tile


def _tile(step: Step, result_sizes: Sequence[int], loops: Sequence[int]) -> list[int]:
    """The sizes of the loops that compute a tile of `result_sizes` of a result; 0 is a whole loop."""
    tile = [0] * len(step.extents)
    for size, loop in zip(result_sizes, loops, strict=True):
        if loop >= 0:
            tile[loop] = size
    return tile


def _largest(first: list[int] | None, second: list[int]) -> list[int]:
    return second if first is None else [max(pair) for pair in zip(first, second, strict=True)]
