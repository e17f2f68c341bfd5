"""Finds loop nests of a core that write a buffer tile by tile, and nests that access a whole buffer in its order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import prod
from operator import add, mul
from typing import Any

from allo_air.core.affine import first_results
from allo_air.core.constants import constant_of, index_constant
from allo_air.core.loops import Dim, Loop, dim_of
from allo_air.core.walking import defining_op, is_result_of
from allo_air.mlir import AnyOp, affine, ir, scf
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.effects import accesses, is_pure

_ACCESSES = ("vector.transfer_read", "vector.transfer_write", "memref.load", "memref.store")
_FREE_ORDER = ("arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf", "arith.maxsi", "arith.minsi")
"""Operations that may combine the lanes of a reduction in any order."""
_MOST = 4096
"""Largest number of iterations of a nest that is analysed."""


def is_value(op: AnyOp) -> bool:
    """Whether `op` only computes values, including vectors."""
    return is_pure(op) or (op.name.startswith("vector.") and op.name not in _ACCESSES and not len(op.regions))


def is_plain(op: AnyOp) -> bool:
    """Whether `op` computes values, or reads or writes a buffer of the core."""
    return op.name in _ACCESSES or op.name == "scf.yield" or is_value(op)


@dataclass(frozen=True)
class Nest:
    """The loops of a nest, outermost first. Between them are only plain operations; the innermost loop contains `body`."""

    loops: tuple[Dim, ...]
    body: list[Any]

    @property
    def root(self) -> Any:
        return self.loops[0].op

    @property
    def trips(self) -> list[int]:
        return [loop.trips for loop in self.loops]

    @cached_property
    def _counters(self) -> dict[Any, list[int]]:
        """The values of the loop variables in all iterations, in order."""
        results: dict[Any, list[int]] = {}
        for index, loop in enumerate(self.loops):
            times, each = prod(self.trips[:index]), prod(self.trips[index + 1 :])
            results[loop.iv] = [n for n in loop.values for _ in range(each)] * times
        return results

    def numbers(self, value: ir.Value) -> list[int | None] | None:
        """The value of index `value` in each iteration; None if it depends on more than the loop variables."""
        if value in self._counters:
            return [*self._counters[value]]
        number = constant_of(value)
        if number is not None:
            return [number] * prod(self.trips)
        if not is_result_of(value, "affine.apply", "arith.addi", "arith.muli"):
            return None
        op = value.owner
        values = [self.numbers(v) for v in op.operands]
        if any(numbers is None for numbers in values):
            return None
        rows = list(zip(*values, strict=True)) if values else [()] * prod(self.trips)
        if op.name == "affine.apply":
            return first_results(op.attributes["map"].value, rows)
        combine = add if op.name == "arith.addi" else mul
        return [None if None in row else combine(*row) for row in rows]


def nest_of(loop: ir.Operation) -> Nest | None:
    """The nest of `loop` down to the body that writes, or that contains no loop or several; None if bounds are not known."""
    loops: list[Dim] = []
    while True:
        dim = dim_of(loop)
        if dim is None or not dim.trips:
            return None
        loops.append(dim)
        body = Loop(loop).body
        inner = [op for op in body if op.name == "scf.for"]
        if len(inner) != 1 or any(op.name == "vector.transfer_write" for op in body):
            break
        [loop] = inner
    nest = Nest(tuple(loops), body)
    return nest if prod(nest.trips) <= _MOST else None


@dataclass(frozen=True)
class Tiles:
    """The tiles of `buffer` that the `writes` of a nest write, each exactly once: their positions by outer dimensions."""

    nest: Nest
    buffer: Any
    writes: list[Any]

    @property
    def outer(self) -> list[int]:
        return list(self.buffer.type.shape)[:-2]

    @property
    def size(self) -> int:
        """Elements of a tile."""
        return int(prod(self.buffer.type.shape[-2:]))

    def place(self, write: AnyOp) -> list[Any]:
        return list(write.operands)[2 : 2 + len(self.outer)]


def tiles_of(nest: Nest) -> Tiles | None:
    """The tiles that a nest of contractions writes, if it writes whole matrices and nothing else."""
    writes = [op for op in nest.body if op.name == "vector.transfer_write"]
    if not writes or not any(_contracts(op) for op in nest.body):
        return None
    buffer = writes[0].operands[1]
    kind = buffer.type
    if any(w.operands[1] != buffer for w in writes) or not is_whole(buffer) or len(kind.shape) < 3:
        return None
    if any(list(w.operands[0].type.shape) != list(kind.shape)[-2:] or not _is_straight(w) for w in writes):
        return None
    tiles = Tiles(nest, buffer, writes)
    if any(constant_of(v) != 0 for w in writes for v in list(w.operands)[2 + len(tiles.outer) : 2 + len(kind.shape)]):
        return None
    visited: set[Any] = set()
    for write in writes:
        places = [nest.numbers(v) for v in tiles.place(write)]
        for numbers, size in zip(places, tiles.outer, strict=True):
            if numbers is None or any(n is None or not 0 <= n < size for n in numbers):
                return None
        visited.update(zip(*places, strict=True))
    return tiles if len(visited) == prod(tiles.outer) == len(writes) * prod(nest.trips) else None


def _contracts(op: AnyOp) -> bool:
    return op.name == "vector.contract" or (op.name == "scf.for" and any(_contracts(o) for o in Loop(op).body))


def is_whole(buffer: ir.Value) -> bool:
    """Whether `buffer` is the whole of a core's buffer, and contiguous."""
    kind = buffer.type
    root = root_of(buffer)
    if not is_result_of(root, "aie.buffer") or not kind.has_static_shape:
        return False
    shape = list(kind.shape)
    strides, offset = kind.get_strides_and_offset()
    rows = [prod(shape[n + 1 :]) for n in range(len(shape))]
    return offset == 0 and list(strides) == rows and prod(shape) == prod(root.type.shape)


def _is_straight(access: AnyOp) -> bool:
    """Whether a transfer moves a whole vector whose dimensions are the innermost ones of the buffer."""
    view = access.opview
    mapping = view.permutation_map.value
    last = ir.AffineMap.get_minor_identity(mapping.n_dims, len(mapping.results))
    return view.mask is None and bool(mapping == last)


def can_merge(nest: Nest) -> bool:
    """Whether the loops of `nest` can be merged: all carry the same values, and only reads precede the inner one."""
    for outer, inner in pairwise(Loop(dim.op) for dim in nest.loops):
        before = [op for op in outer.body if op != inner.op]
        if outer.body[-1] != inner.op or any(a.kind != "read" for op in before for a in accesses(op)):
            return False
        if list(outer.iter_args) != list(inner.inits) or list(outer.yielded) != list(inner.op.results):
            return False
    return True


def writes_are_disjoint(nest: Nest, write: AnyOp) -> bool:
    """Whether each iteration of `nest` writes its own row with `write`, so that their order does not matter."""
    vector, view, *rest = write.operands
    index = rest[: len(view.type.shape)]
    if len(vector.type.shape) != 1 or not _is_straight(write) or not is_whole(view):
        return False
    shape, lanes = list(view.type.shape), vector.type.shape[0]
    places = [0] * prod(nest.trips)
    for dim, value in enumerate(index):
        numbers, stride = nest.numbers(value), prod(shape[dim + 1 :])
        if numbers is None or None in numbers:
            return False
        places = [place + (n or 0) * stride for place, n in zip(places, numbers, strict=True)]
    places.sort()
    return all(after - before >= lanes for before, after in pairwise(places))


def in_order(nest: Nest, access: AnyOp, tiles: Tiles) -> int | None:
    """The lanes of `access` if the nest's iterations read or write with it the whole of `tiles`, vector after vector.

    None for any other order. `access` has the buffer as one row.
    """
    if access.name not in ("vector.transfer_read", "vector.transfer_write"):
        return None
    number = 1 if access.name == "vector.transfer_write" else 0
    view, *index = list(access.operands)[number : number + 2]
    vector = access.operands[0].type if number else access.results[0].type
    if not isinstance(vector, ir.VectorType) or len(vector.shape) != 1 or len(view.type.shape) != 1 or not is_whole(view):
        return None
    if not _is_straight(access):
        return None
    lanes = vector.shape[0]
    if tiles.size % lanes or prod(nest.trips) * lanes != prod(view.type.shape):
        return None
    return lanes if nest.numbers(index[0]) == [n * lanes for n in range(prod(nest.trips))] else None


def counters(nest: Nest, sizes: Sequence[int]) -> list[list[int]] | None:
    """For each loop of `nest`, the dimensions of `sizes` that it traverses as one; None if they do not fit."""
    results: list[list[int]] = []
    dim = 0
    for trips in nest.trips:
        chosen_dims: list[int] = []
        while prod(sizes[n] for n in chosen_dims) < trips and dim < len(sizes):
            chosen_dims.append(dim)
            dim += 1
        if prod(sizes[n] for n in chosen_dims) != trips:
            return None
        results.append(chosen_dims)
    return results if all(size == 1 for size in sizes[dim:]) else None


def merge_loops(nest: Nest) -> list[Any]:
    """Merges the loops of `nest`, which carry the same values, into one loop so that iterations overlap; returns its body."""
    loops = [Loop(dim.op) for dim in nest.loops]
    first, last = loops[0], loops[-1]
    with ir.InsertionPoint(first.op), first.op.location:
        result = scf.ForOp(*(index_constant(n) for n in (0, prod(nest.trips), 1)), first.inits)
    with ir.InsertionPoint(result.body), first.op.location:
        for index, dim in enumerate(nest.loops):
            number: ir.AffineExpr = ir.AffineDimExpr.get(0)
            number = ir.AffineExpr.get_floor_div(number, prod(nest.trips[index + 1 :])) if index + 1 < len(loops) else number
            number = ir.AffineExpr.get_mod(number, dim.trips) if index else number
            counter = affine.AffineApplyOp(ir.AffineMap.get(1, 0, [number * dim.step + dim.lower]), [result.induction_variable])
            dim.iv.replace_all_uses_with(counter.result)
        end = scf.YieldOp(last.yielded)
    for loop in loops:
        for argument, value in zip(loop.iter_args, result.inner_iter_args, strict=True):
            argument.replace_all_uses_with(value)
        for op in loop.body:
            if op.name != "scf.for" or loop is last:
                op.move_before(end.operation)
    for old, new in zip(list(first.op.results), list(result.results), strict=True):
        old.replace_all_uses_with(new)
    first.op.erase()
    return Loop(result.operation).body


def in_any_order(nest: Nest) -> bool:
    """Whether the loops of the nest only pass on and combine their carried values, in an order that does not matter."""
    if not can_merge(nest):
        return False
    inner = Loop(nest.loops[-1].op)
    for carried, value in zip(inner.iter_args, inner.yielded, strict=True):
        owner = defining_op(value, *_FREE_ORDER)
        if owner is None or carried not in list(owner.operands):
            return False
        if len(list(carried.uses)) != 1:
            return False
    return True


def reads_own(loop: AnyOp, buffer: ir.Value) -> bool:
    """Whether `loop` reads a buffer other than `buffer` that it also writes."""
    results = [(a.kind, a.root) for a in accesses(loop) if a.root != buffer]
    return any(kind != "read" and ("read", root) in results for kind, root in results)
