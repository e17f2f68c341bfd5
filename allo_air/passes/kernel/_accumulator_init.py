"""Folds a copy or fill of an accumulator's buffer into the initial value of the accumulation by vector.contract."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.core.constants import constant_of
from allo_air.core.loops import dim_of
from allo_air.core.walking import body_of, is_result_of, walk_named
from allo_air.mlir import AnyOp, arith, ir, vector
from allo_air.passes._analysis.alias import are_distinct, root_of
from allo_air.passes._analysis.effects import accesses
from allo_air.passes._ir.tokens import add_deps, deps_of, token_of, with_deps

Start = Callable[[list[ir.Value], Any], Any]
"""Creates the vector with which the accumulation at a position starts, instead of a read of the buffer."""


def fold_accumulator_init(op: AnyOp) -> None:
    """Erases the operation that fills an accumulator's buffer, if no other operation reads the buffer; accumulation starts from
    its source.

    The operation is a linalg.generic that yields its operand in any broadcast, or a linalg.fill with a constant. The loops then
    read each micro-tile of the initial value once, and write the buffer once. In `air.execute`, tokens are updated.
    """
    for loop in walk_named(op, "scf.for"):
        read = _start_of(loop)
        if read is not None:
            _fold_init(read, loop)


def _start_of(reduction: ir.Operation) -> Any:
    """The read of the initial value of the only accumulator of `reduction`."""
    if len(reduction.results) != 1 or not any(op.name == "vector.contract" for op in body_of(reduction)):
        return None
    first = reduction.operands[3]
    if not is_result_of(first, "vector.transfer_read"):
        return None
    return first.owner.operation if len(list(first.uses)) == 1 else None


def _fold_init(read: ir.Operation, reduction: ir.Operation) -> None:
    nest = _outermost_loop(read)
    if nest is None or not _visits_each_once(read, reduction, nest):
        return
    result = _initial_write(nest, read.operands[0])
    if result is None:
        return
    filling, start = result
    if not _follows(filling, nest):
        return
    with ir.InsertionPoint(read), read.location:
        read.results[0].replace_all_uses_with(start(_indices_of(read), read))
    read.erase()
    _remove(filling, nest)


def _outermost_loop(read: ir.Operation) -> ir.Operation | None:
    """The outermost operation around `read` that is a loop, or an air.execute with only this work."""
    nest = read
    while (parent := nest.parent) is not None and parent.operation.name == "scf.for":
        if [o.name for o in body_of(parent.operation)] != [nest.name, "scf.yield"] and nest != read:
            return nest
        nest = parent.operation
    if nest == read:
        return None
    outer = nest.parent
    if outer is None or outer.operation.name != "air.execute":
        return nest
    only = [o.operation for o in outer.operation.regions[0].blocks[0].operations if o.operation.name == "scf.for"]
    return outer.operation if only == [nest] and len(outer.operation.results) == 1 else None


def _indices_of(read: ir.Operation) -> list[ir.Value]:
    return list(read.operands)[1 : 1 + len(read.operands[0].type.shape)]


def _visits_each_once(read: ir.Operation, reduction: ir.Operation, nest: ir.Operation) -> bool:
    """Whether the loops of `nest` read and write each micro-tile of the buffer once, without other accesses."""
    buffer, place = read.operands[0], _indices_of(read)
    root = root_of(buffer)
    users = [a.op for a in accesses(nest) if a.root == root]
    writes = [op for op in users if op.name == "vector.transfer_write"]
    if len(users) != 2 or len(writes) != 1 or writes[0].operands[0] != reduction.results[0]:
        return False
    if list(writes[0].operands)[1 : 2 + len(place)] != [buffer, *place] or writes[0].parent != read.parent:
        return False
    loops, op = [], read
    while (parent := op.parent) is not None and op != nest:
        op = parent.operation
        loops += [op] if op.name == "scf.for" else []
    dims = [dim_of(loop) for loop in loops]
    ivs = {place.index(d.iv): d for d in dims if d is not None and d.iv in place}
    if len(ivs) != len(loops):
        return False
    *outer, _, _ = enumerate(buffer.type.shape)
    shape = list(read.results[0].type.shape)
    for n, extent in outer:
        dim = ivs.get(n)
        if dim is None and (extent != 1 or constant_of(place[n]) != 0):
            return False
        if dim is not None and (dim.lower, dim.step, dim.trips) != (0, 1, extent):
            return False
    return list(buffer.type.shape)[-2:] == shape and all(constant_of(v) == 0 for v in place[-2:])


def _initial_write(nest: ir.Operation, buffer: ir.Value) -> tuple[ir.Operation, Start] | None:
    """The operation before `nest` that writes all of `buffer`, and its source; None if there is another write, or the source
    changes in between.
    """
    root, between = root_of(buffer), []
    for op in reversed(_earlier(nest)):
        results = list(accesses(op))
        if not any(a.root == root for a in results):
            between += [(a.kind, a.root) for a in results]
            continue
        result = _filling(op, buffer)
        if result is None:
            return None
        source, start = result
        if source is not None and not are_distinct(root_of(source), root):
            return None
        changed = source is not None and any(kind != "read" and r == root_of(source) for kind, r in between)
        return None if changed else (op, start)
    return None


def _earlier(op: ir.Operation) -> list[ir.Operation]:
    ops = [o.operation for o in op.block.operations]
    return ops[: ops.index(op)]


def _filling(op: ir.Operation, buffer: ir.Value) -> tuple[Any, Start] | None:
    """The tensor that `op` copies into `buffer` (None for a constant), and the resulting initial value of an accumulator."""
    if op.name == "air.execute":
        inner_ops = [o.operation for o in op.regions[0].blocks[0].operations][:-1]
        return _filling(inner_ops[0], buffer) if len(inner_ops) == 1 and len(op.results) == 1 else None
    if op.name == "linalg.fill" and op.operands[1] == buffer:
        value = op.operands[0]
        if not is_result_of(value, "arith.constant"):
            return None
        number = value.owner.attributes["value"]
        return None, lambda _, read: arith.constant(
            read.results[0].type, ir.DenseElementsAttr.get_splat(read.results[0].type, number)
        )
    if op.name != "linalg.generic" or len(op.operands) != 2 or op.operands[1] != buffer:
        return None
    fill_map, argument = (a.value for a in op.attributes["indexing_maps"])
    [end] = [o.operation for o in op.regions[0].blocks[0].operations][:1]
    source, rank = op.operands[0], argument.n_dims
    if end.name != "linalg.yield" or end.operands[0] != op.regions[0].blocks[0].arguments[0] or source == buffer:
        return None
    if (
        argument != ir.AffineMap.get_identity(rank)
        or not fill_map.is_projected_permutation
        or not isinstance(source.type, ir.MemRefType)
    ):
        return None
    dims = [e.position for e in fill_map.results]
    if dims[-2:] != [rank - 2, rank - 1]:
        return None

    def start(place: list[ir.Value], read: AnyOp) -> Any:
        kind, minor = read.results[0].type, ir.AffineMap.get_minor_identity(len(dims), 2)
        padding = read.operands[1 + rank]
        return vector.transfer_read(kind, source, [place[d] for d in dims], minor, padding, [True, True])

    return source, start


def _follows(filling: ir.Operation, nest: ir.Operation) -> bool:
    """Whether all users of the token of `filling` are in `nest` or after it."""
    if filling.name != "air.execute":
        return nest.name != "air.execute"
    if nest.name != "air.execute":
        return False
    earlier = [*_earlier(nest)]
    return all(_in_block(use.owner.operation, nest.block) not in earlier for use in filling.results[0].uses)


def _in_block(op: ir.Operation, block: ir.Block) -> ir.Operation:
    while op.block != block and op.parent is not None:
        op = op.parent.operation
    return op


def _remove(filling: ir.Operation, nest: ir.Operation) -> None:
    """Erases `filling`. Users of its token wait for `nest`, which waits for the dependences of `filling`."""
    if filling.name == "air.execute":
        token, before = filling.results[0], deps_of(filling)
        nest = with_deps(nest, [d for d in deps_of(nest) if d != token])
        nest = add_deps(nest, before)
        token.replace_all_uses_with(token_of(nest))
    filling.erase()
