"""If one herd only fills an accumulator with a constant, and another herd gets it, the second herd fills it itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.constants import constant_of
from allo_air.core.names import channel_of
from allo_air.core.walking import ancestor_in, body_of, parents, walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.channel_ends import GET, PUT, Ends
from allo_air.passes._ir.tokens import deps_of, joined, token_of, with_deps
from allo_air.passes.schedule._accumulators import wrapped
from allo_air.passes.schedule._channel_accumulators import is_mirrored

_FREE = ("memref.alloc", "memref.dealloc", "linalg.fill")


@dataclass(frozen=True)
class _ConstantPath:
    """The path of a constant between two herds: `fill` fills the buffer that `sent` puts; `stored` and `loaded` get and put it
    in L2; `get` receives it.
    """

    fill: Any
    constant: Any
    sent: Any
    stored: Any
    loaded: Any
    get: Any


def fill_accumulators(module: AnyOp) -> None:
    """Replaces gets of data that another herd only filled with a constant by that fill; erases the transfers, and the herds
    that have no work left.

    The L2 memory between the herds must be overwritten before another operation reads it.
    """
    while (path := _find(module)) is not None:
        _fill(path)


def _find(module: AnyOp) -> _ConstantPath | None:
    ends = Ends(module)
    gets = [op for herd in walk_named(module, "air.herd") for op in body_of(herd) if op.name == GET]
    return next((result for get in gets if (result := _constant_path(get, ends)) is not None), None)


def _constant_path(get: AnyOp, ends: Ends) -> _ConstantPath | None:
    loaded = _sole(get, ends, PUT)
    if (
        loaded is None
        or not _is_whole(get)
        or get.parent.name != "air.herd"
        or _grid(loaded) is None
        or isinstance(loaded.opview.src, ir.BlockArgument)
    ):
        return None
    uses = [use.owner.operation for use in loaded.opview.src.uses]
    block = _grid(loaded).block
    if block != get.parent.block or any(_op_in_block(op, block) is None for op in uses):
        return None
    order = [o.operation for o in block.operations]
    moving = sorted((op for op in uses if op.name in (PUT, GET)), key=lambda op: order.index(_op_in_block(op, block)))
    rest = [op for op in uses if op not in moving and wrapped(op).name != "memref.dealloc" and op.name != "memref.dealloc"]
    if rest or len(moving) < 3 or moving[1] != loaded:
        return None
    stored, _, back = moving[:3]
    if stored.name != GET or back.name != GET or any(_grid(op) is None for op in (stored, back)):
        return None
    if not (is_mirrored(loaded, stored) and is_mirrored(loaded, back)) or _grid(stored).block != block:
        return None
    sent = _sole(stored, ends, PUT)
    if sent is None or not _is_whole(sent) or sent.parent.name != "air.herd" or sent.parent.block != block:
        return None
    return _filled(sent, stored, loaded, get)


def _filled(sent: AnyOp, stored: AnyOp, loaded: AnyOp, get: AnyOp) -> _ConstantPath | None:
    """The path of the constant, if a fill with a constant is the only write to the data of `sent`."""
    buffer = sent.opview.src
    herds = [op.parent.opview for op in (sent, get)]
    sizes = [[constant_of(v) for v in herd.sizes] for herd in herds]
    if buffer.type != get.opview.dst.type or sizes[0] != sizes[1] or None in sizes[0]:
        return None
    touching = [use.owner.operation for use in buffer.uses if use.owner.operation not in (sent,)]
    fills = [op for op in touching if op.name == "linalg.fill"]
    rest = [op for op in touching if op not in fills and op.name != "memref.dealloc"]
    if rest or len(fills) != 1:
        return None
    top = ancestor_in(fills[0], sent.block)
    constant = fills[0].operands[0]
    if fills[0] not in (top, wrapped(top)) or isinstance(constant, ir.BlockArgument) or constant.owner.name != "arith.constant":
        return None
    order = [o.operation for o in sent.block.operations]
    return _ConstantPath(top, constant, sent, stored, loaded, get) if order.index(top) < order.index(sent) else None


def _sole(transfer: AnyOp, ends: Ends, end: str) -> Any:
    """The transfer at the other end of the channel of `transfer`, if each end has one, without broadcast; else None."""
    name = channel_of(transfer)
    if len(ends.of(name, PUT)) != 1 or len(ends.of(name, GET)) != 1 or ends.is_broadcast(name):
        return None
    return ends.of(name, end)[0]


def _is_whole(transfer: AnyOp) -> bool:
    """Whether `transfer` moves a whole buffer, on the channel with the core's ids."""
    view, side = transfer.opview, "src" if transfer.name == PUT else "dst"
    if transfer.parent.name != "air.herd" or list(getattr(view, f"{side}_sizes")):
        return False
    return list(view.indices) == list(transfer.parent.opview.ids)


def _grid(transfer: AnyOp) -> Any:
    """The only parallel loop around `transfer`, or `transfer` itself if there is no loop; None for other loops."""
    outer = next(iter(parents(transfer)))
    if outer.name == "scf.parallel":
        return outer if len(walk_named(outer, PUT, GET)) == 1 and outer.parent.operation.name == "air.segment" else None
    return transfer if outer.name == "air.segment" else None


def _op_in_block(op: AnyOp, block: ir.Block) -> Any:
    """The operation of `block` that is or contains `op`, or None."""
    return next((o for o in (op, *parents(op)) if o.block == block), None)


def _fill(path: _ConstantPath) -> None:
    values: dict[Any, Any] = {path.sent.opview.src: path.get.opview.dst}
    clone(path.constant.owner.operation, values, ir.InsertionPoint(path.get))
    result = clone(path.fill, values, ir.InsertionPoint(path.get))
    if token_of(result) is not None:
        result = with_deps(result, deps_of(path.get))
    if token_of(path.get) is not None:
        path.get.results[0].replace_all_uses_with(token_of(result))
    herd = path.sent.parent
    path.get.erase()
    for op in (_grid(path.loaded), _grid(path.stored), path.sent):
        _drop(op)
    if all(wrapped(op).name in _FREE or op.name in ("arith.constant", "air.wait_all") for op in body_of(herd)[:-1]):
        _drop(herd)


def _drop(op: AnyOp) -> None:
    """Erases `op`. Users of its token wait for the dependences of `op` instead."""
    for result in op.results:
        result.replace_all_uses_with(joined(list(dict.fromkeys(deps_of(op))), op))
    op.erase()
