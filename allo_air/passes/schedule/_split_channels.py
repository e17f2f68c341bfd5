"""Splits a bundle of broadcast channels into one channel for each source."""

from __future__ import annotations

from functools import partial
from itertools import product
from math import prod

from allo_air.core.affine import Constraint, IntegerSet
from allo_air.core.constants import constant_of, index_constant
from allo_air.core.walking import walk_named
from allo_air.dialects.air import ChannelOp
from allo_air.dialects.operands import operands_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.channel_origins import from_channel
from allo_air.passes._ir.names import Names
from allo_air.passes._ir.operands import with_operands
from allo_air.passes.schedule._broadcasts import range_conditions
from allo_air.passes.schedule._chain import Choice, replace_by_chain

Source = tuple[int, ...]


def split_broadcast_channels(root: AnyOp) -> set[str]:
    """Splits the bundles in `root` that have more than one source and a broadcast_shape; returns the names of the new channels.

    A get selects its channel by a chain of conditions on its indices. A bundle stays if an index of a put is not constant in a
    dimension larger than 1.
    """
    names, new_names = Names(root), set()
    for op in walk_named(root, ChannelOp.OPERATION_NAME):
        channel = ChannelOp(op)
        if "broadcast_shape" not in op.attributes or prod(channel.size) == 1:
            continue
        transfers = walk_named(op.parent, "air.channel.put", "air.channel.get")
        ends = [end for end in transfers if end.opview.chan_name == channel.sym_name]
        wide = [n for n, size in enumerate(channel.size) if size > 1]
        puts = [end.opview for end in ends if end.name == "air.channel.put"]
        if any(constant_of(put_op.indices[n]) is None for put_op in puts for n in wide):
            continue
        split = _split(channel, names)
        for end in ends:
            _redirect(end, _shape(channel), wide, split)
        new_names |= set(split.values())
        op.erase()
    return new_names


def _shape(channel: AnyOp) -> list[int]:
    return [int(n.value) for n in channel.attributes["broadcast_shape"]]


def _split(channel: ChannelOp, names: Names) -> dict[Source, str]:
    """Creates the channels; returns their names by source."""
    attributes = {
        n: v for n, v in channel.attributes.items() if n not in ("sym_name", "size", "broadcast_shape", "channel_type")
    }
    i64 = ir.IntegerType.get_signless(64)
    shape = [1 if size > 1 else n for size, n in zip(channel.size, _shape(channel), strict=True)]
    if prod(shape) > 1:
        attributes["broadcast_shape"] = ir.ArrayAttr.get([ir.IntegerAttr.get(i64, n) for n in shape])
    results = {}
    for source in product(*map(range, channel.size)):
        results[source] = names.fresh(channel.sym_name)
        ChannelOp(
            sym_name=results[source],
            size=[1] * len(shape),
            channel_type=channel.channel_type,
            attributes=attributes,
            loc=from_channel(channel),
            ip=ir.InsertionPoint(channel),
        )
    return results


def _redirect(end: ir.Operation, shape: list[int], wide: list[int], split: dict[Source, str]) -> None:
    """Makes `end` use the channel for its indices."""
    indices = end.opview.indices
    constants = {n: constant_of(indices[n]) for n in wide}
    possible = [s for s in split if all(constants[n] in (None, s[n]) for n in wide)]
    choices: list[Choice] = [(_set(s, shape, wide).attribute(), partial(_clone, end, split[s], wide)) for s in possible]
    replace_by_chain(end, indices, choices)


def _set(source: Source, shape: list[int], wide: list[int]) -> IntegerSet:
    constraints: list[Constraint] = []
    for n, size in enumerate(shape):
        index = ir.AffineSymbolExpr.get(n)
        constraints += [Constraint(index - source[n], True)] if n in wide else range_conditions(index, size)
    return IntegerSet(0, len(shape), tuple(constraints))


def _clone(end: AnyOp, name: str, wide: list[int], ip: ir.InsertionPoint) -> AnyOp:
    new = end.clone(ip=ip)
    new.attributes["chan_name"] = ir.FlatSymbolRefAttr.get(name)
    with ir.InsertionPoint(new):
        chosen = [
            index_constant(0, end.location) if n in wide else value for n, value in enumerate(operands_of(new)["indices"])
        ]
    return with_operands(new, {"indices": chosen})
