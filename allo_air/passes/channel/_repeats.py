"""Merges channels that send the same data one after another into one channel that sends it several times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.access.linear import Linear
from allo_air.core.constants import constant_of, index_constant
from allo_air.core.names import sym_name_of
from allo_air.core.walking import parents, walk_named, walk_pre_order
from allo_air.dialects.air_values import HIERARCHIES, is_join
from allo_air.dialects.operands import lists_of, memref_of
from allo_air.mlir import AnyOp, ir, scf
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.channel_ends import GET, PUT, Ends
from allo_air.passes._analysis.effects import accesses, is_pure
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._analysis.memory import space
from allo_air.passes._analysis.parallel import CONDITIONS
from allo_air.passes._ir.tokens import add_deps, deps_of, joined, token_of


@dataclass(frozen=True)
class RepeatedTransfer:
    """A transfer, and the loops around it, up to the innermost block that also contains the other channel's transfer."""

    op: Any
    loops: tuple[Any, ...]
    """From the outermost to the innermost."""

    @property
    def top(self) -> Any:
        return self.loops[0] if self.loops else self.op

    @property
    def bounds(self) -> list[tuple[int | None, ...]]:
        return [tuple(constant_of(v) for v in list(loop.operands)[:3]) for loop in self.loops]


def merge_repeats(module: AnyOp) -> None:
    """Merges two channels between the same places into one, if each has a single put, and both puts send the same data one
    after the other.

    If the loops around the puts are equal, they run twice. If one put is in a loop and the other one next to it, the latter
    becomes an iteration of the loop. The gets stay in place and use the first channel.
    """
    distinct_channels: list[Any] = []
    for channel in walk_named(module, "air.channel"):
        if not any(_merge(module, first, channel) for first in distinct_channels):
            distinct_channels.append(channel)


def _merge(module: AnyOp, first: AnyOp, channel: AnyOp) -> bool:
    ends_of = Ends(module)
    first_name, two = (sym_name_of(c) for c in (first, channel))
    if ends_of.kind(first_name) != ends_of.kind(two):
        return False
    ends = [(ends_of.of(first_name, end), ends_of.of(two, end)) for end in (PUT, GET)]
    if any(len(item) != 1 for pair in ends for item in pair):
        return False
    puts, gets = (_pair(one_ends[0], two_ends[0]) for one_ends, two_ends in ends)
    if puts is None or gets is None or not _is_same_data(puts, gets):
        return False
    if [len(r.loops) for r in puts] != [len(r.loops) for r in gets]:
        return False
    merged = _run_twice(*puts) if puts[0].bounds == puts[1].bounds else _extend_loop(*puts)
    if not merged:
        return False
    first_get, second_get = gets
    second_get.op.attributes["chan_name"] = ir.FlatSymbolRefAttr.get(first_name)
    token = token_of(first_get.top)
    if token is not None and token_of(second_get.top) is not None:
        add_deps(second_get.top, [token])
    channel.erase()
    return True


def _pair(first: AnyOp, second: AnyOp) -> tuple[RepeatedTransfer, RepeatedTransfer] | None:
    """Both transfers with their loops; None if `first` does not precede `second`, or if other operations than loops contain
    only one of them.
    """
    outer = [p for p in parents(first) if p in list(parents(second))]
    common = outer[0]
    paths = [[p for p in parents(op) if p not in outer] for op in (first, second)]
    if any(p.name != "scf.for" for path in paths for p in path) or common.name in CONDITIONS:
        return None
    first_repeat, two = (RepeatedTransfer(op, tuple(reversed(path))) for op, path in zip((first, second), paths, strict=True))
    if first_repeat.top.block != two.top.block or not first_repeat.top.is_before_in_block(two.top):
        return None
    return first_repeat, two


def _is_same_data(puts: tuple[RepeatedTransfer, RepeatedTransfer], gets: tuple[RepeatedTransfer, RepeatedTransfer]) -> bool:
    """Whether both channels send the same buffer, unchanged, and their gets can use one channel."""
    sources = [root_of(memref_of(r.op)) for r in puts]
    targets = [root_of(memref_of(r.op)) for r in gets]
    if sources[0] != sources[1] or any(
        name in r.op.attributes for r in (*puts, *gets) for name in ("pad_before", "pad_after", "dest")
    ):
        return False
    if (space(sources[0].type) and any(r.loops for r in puts)) or (targets[0] == targets[1] and any(r.loops for r in gets)):
        return False
    lists = [[[constant_of(v) for v in part] for part in lists_of(r.op)] for r in gets]
    if lists[0] != lists[1] or any(v is None for part in lists[0] for v in part):
        return False
    indices = [[[constant_of(v) or v for v in r.op.opview.indices] for r in pair] for pair in (puts, gets)]
    return all(a == b for a, b in indices) and not _is_written(puts)


def _is_written(puts: tuple[RepeatedTransfer, RepeatedTransfer]) -> bool:
    """Whether an operation between the puts may write the data that they send."""
    root = root_of(memref_of(puts[0].op))
    ops = [o.operation for o in puts[0].top.block.operations]
    between = ops[ops.index(puts[0].top) + 1 : ops.index(puts[1].top)]
    is_harmless = all(is_pure(op) or is_join(op) or op.name in (PUT, GET, "scf.for", *HIERARCHIES) for op in between)
    inner = [op for outer in between for op in walk_pre_order(outer) if not len(op.regions) or op.name.startswith("linalg.")]
    return not is_harmless or any(a.root == root and a.kind != "read" for op in inner for a in accesses(op))


def _access(repeat: RepeatedTransfer, fixed: dict[ir.Value, Linear]) -> Any:
    """The access pattern of the transfer, with its loop variables by number, or replaced by their values in `fixed`."""
    values = IndexValues()
    places: dict[Any, Any] = {loop.regions[0].blocks[0].arguments[0]: n for n, loop in enumerate(repeat.loops)} | fixed

    def linear_form(value: ir.Value) -> Any:
        result, constant = [], values.value(value).constant
        for v, factor in values.value(value).terms:
            place = places.get(v, v)
            if isinstance(place, Linear):
                constant += place.constant * factor
            else:
                result.append((place, factor))
        return constant, frozenset(result)

    offsets, sizes, strides = lists_of(repeat.op)
    return [[linear_form(v) for v in part] for part in (offsets, sizes, strides)]


def _only_transfers(repeat: RepeatedTransfer) -> bool:
    """Whether the loops do nothing but this transfer."""
    for loop in repeat.loops:
        for view in list(loop.regions[0].blocks[0].operations)[:-1]:
            op = view.operation
            if op != repeat.op and op not in repeat.loops and not is_pure(op) and not is_join(op):
                return False
    return True


def _run_twice(first: RepeatedTransfer, two: RepeatedTransfer) -> bool:
    """Replaces the loops of both puts by a loop that runs those of `first` twice."""
    if (
        any(None in bound for bound in first.bounds)
        or _access(first, {}) != _access(two, {})
        or not (_only_transfers(first) and _only_transfers(two))
    ):
        return False
    top, is_async = first.top, token_of(first.top) is not None
    extra_deps = [d for d in deps_of(two.top) if d != token_of(top)]
    if is_async != (token_of(two.top) is not None) or any(not _is_before(d, top) for d in extra_deps):
        return False
    deps = [*deps_of(top), *extra_deps] if is_async else []
    with top.location, ir.InsertionPoint(top):
        inits = [joined(deps, ir.InsertionPoint(top))] if is_async else []
        loop = scf.ForOp(index_constant(0), index_constant(2), index_constant(1), inits)
    if is_async:
        top.results[0].replace_all_uses_with(loop.results[0])
        two.top.results[0].replace_all_uses_with(loop.results[0])
    two.top.erase()
    block = loop.body
    with top.location:
        end = scf.YieldOp([], ip=ir.InsertionPoint(block)).operation
        top.move_before(end)
        if is_async:
            for n, value in enumerate(list(top.operands)):
                if value in deps:
                    top.operands[n] = loop.inner_iter_args[0]
            if not deps_of(top):
                top = add_deps(top, [loop.inner_iter_args[0]])
            end.erase()
            scf.YieldOp([token_of(top)], ip=ir.InsertionPoint(block))
    return True


def _extend_loop(one: RepeatedTransfer, two: RepeatedTransfer) -> bool:
    """Makes the put without a loop the first or the last iteration of the other put's loop."""
    single, many = (one, two) if len(one.loops) < len(two.loops) else (two, one)
    if (
        single.loops
        or len(many.loops) != 1
        or not _only_transfers(many)
        or token_of(single.op) is not None
        or token_of(many.top) is not None
    ):
        return False
    [(lower, upper, step)] = many.bounds
    if lower is None or upper is None or step != 1:
        return False
    variable = many.loops[0].regions[0].blocks[0].arguments[0]
    access = _access(single, {})
    first, last = (_access(many, {variable: Linear(n)}) == access for n in (lower - 1, upper))
    idle = first and last
    loop = many.loops[0]
    if lower >= 1 and first and (single is one or idle):
        loop.operands[0] = index_constant(lower - 1, loop.location, ir.InsertionPoint(loop))
    elif last and (single is two or idle):
        loop.operands[1] = index_constant(upper + 1, loop.location, ir.InsertionPoint(loop))
    else:
        return False
    many.op.attributes["chan_name"] = one.op.attributes["chan_name"]
    single.op.erase()
    return True


def _is_before(value: ir.Value, op: AnyOp) -> bool:
    """Whether `value` dominates `op`."""
    if isinstance(value, ir.BlockArgument):
        return True
    owner = value.owner.operation
    return owner.block != op.block or owner.is_before_in_block(op)
