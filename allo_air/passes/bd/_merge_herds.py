"""Merges herds of equal names in a block: they are phases of one herd, whose cores run one program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.constants import constant_of
from allo_air.core.names import sym_name_of
from allo_air.core.walking import ancestor_in, defining_op, is_unused, walk_named, walk_post_order
from allo_air.dialects.air import L1, HerdOp
from allo_air.dialects.air_values import ASYNC
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.memory import is_in
from allo_air.passes._ir.tokens import add_deps, deps_of, joined, token_of, without_joins


def merge_herds(scope: AnyOp) -> None:
    """Merges herds of equal names in each block of `scope` into the last of them, if the result is the same.

    They must have equal sizes, and access only L1 memory and channels from outside. Operations between them then run
    concurrently, ordered by the channels. The merged herd waits for the operations before the first herd.

    Before:

        %1 = air.herd @h async [%0] tile (%x, %y) in (...) args(%b=%m) : memref<64xi32, 2> { %2 = air.channel.get async @a ... }
        %3 = air.herd @h async [%1] tile (%x, %y) in (...) args(%b=%m) : memref<64xi32, 2> { %4 = air.channel.put async @b ... }

    After:

        %3 = air.herd @h async [%0] tile (%x, %y) in (...) args(%b=%m) : memref<64xi32, 2> {
          %2 = air.channel.get async @a ...
          %4 = air.channel.put async [%2] @b ...
        }
    """
    blocks = [block for op in walk_post_order(scope) for region in op.regions for block in region.blocks]
    for block in blocks:
        names: dict[str, list[HerdOp]] = {}
        for op in [o.operation for o in block.operations if o.operation.name == "air.herd"]:
            if "sym_name" in op.attributes:
                names.setdefault(sym_name_of(op), []).append(HerdOp(op))
        for herds in names.values():
            if len(herds) > 1 and _are_alike(herds):
                _merge(herds)


def _are_alike(herds: Sequence[HerdOp]) -> bool:
    sizes = {tuple(constant_of(v) for v in herd.sizes) for herd in herds}
    linked = {str(herd.attributes["link_with"]) if "link_with" in herd.attributes else "" for herd in herds}
    places = {tuple(str(h.attributes[a]) if a in h.attributes else "" for a in ("x_loc", "y_loc")) for h in herds}
    has_token = {herd.token is not None for herd in herds}
    own = all(is_in(v.type, L1) or not isinstance(v.type, ir.ShapedType) for herd in herds for v in herd.args)
    return len(sizes) == len(linked) == len(places) == len(has_token) == 1 and own and None not in sizes.pop()


def _merge(herds: Sequence[HerdOp]) -> None:
    last, block = herds[-1], herds[-1].operation.block
    places = {o.operation: n for n, o in enumerate(block.operations)}
    start, end = (places[herd.operation] for herd in (herds[0], last))
    args = list(dict.fromkeys(v for herd in herds for v in herd.args))
    deps = [d for d in without_joins(d for herd in herds for d in herd.deps) if places.get(defining_op(d), -1) < start]
    attributes = {name: value for name, value in last.attributes.items() if name != "operandSegmentSizes"}
    own = {name: attributes.pop(name).value for name in ("sym_name", "link_with") if name in attributes}
    ip = ir.InsertionPoint(last.operation)
    new = HerdOp.build(
        list(last.sizes), args, deps=deps, token=last.token is not None, loc=last.location, ip=ip, attributes=attributes, **own
    )
    values = dict(zip(args, new.body_args, strict=True))
    before: list[Any] = []
    used: set[object] = set()
    for herd in herds:
        own_uses = _uses(herd)
        tokens = _append(new, herd, [values[v] for v in herd.args], before if own_uses & used else [])
        before = tokens if own_uses & used else [*before, *tokens]
        used |= own_uses
    for herd in reversed(herds):
        for use in list(herd.token.uses) if herd.token is not None else ():
            user = use.owner.operation
            outer = ancestor_in(user, block)
            is_after = places[outer] > end
            user.operands[use.operand_number] = new.token if is_after else joined(deps, outer)
        herd.operation.erase()


def _uses(herd: HerdOp) -> set[object]:
    """The memory arguments of `herd`, and the channel ends in it."""
    ends = walk_named(herd.operation, "air.channel.put", "air.channel.get")
    return {v for v in herd.args if isinstance(v.type, ir.ShapedType)} | {(o.name, o.opview.chan_name) for o in ends}


def _append(new: HerdOp, herd: HerdOp, args: Sequence[ir.Value], before: list[Any]) -> list[Any]:
    """Moves the body of `herd` to the end of `new`, to start after the tokens `before`; returns the tokens that follow all of
    it.
    """
    olds = [*herd.ids, *herd.size_args, *herd.body_args]
    for old, value in zip(olds, [*new.ids, *new.size_args, *args], strict=True):
        old.replace_all_uses_with(value)
    ops = [o.operation for o in herd.block.operations][:-1]
    end = [o.operation for o in new.block.operations][-1]
    for op in ops:
        op.move_before(end)
    moved = [add_deps(op, before) if before and op.name in ASYNC and not without_joins(deps_of(op)) else op for op in ops]
    tokens = [t for op in moved if (t := token_of(op)) is not None and is_unused(t)]
    return tokens or before
