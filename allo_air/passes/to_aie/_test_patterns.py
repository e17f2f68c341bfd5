"""Single steps of air-to-aie, under the names in mlir-air's tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from math import prod
from typing import Any

from allo_air.core.affine import compiled_set
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.loops import Loop
from allo_air.core.names import sym_name_of
from allo_air.core.walking import enclosing, parents, walk_named, walk_post_order, walk_pre_order
from allo_air.dialects.aie import BufferOp, TileOp
from allo_air.dialects.air import L1, WaitAllOp
from allo_air.dialects.air_values import is_token
from allo_air.errors import PassError
from allo_air.mlir import AnyOp, ir, scf
from allo_air.passes._analysis.memory import is_in
from allo_air.passes._ir.tokens import deps_of
from allo_air.passes.to_aie._objectfifos import add_fifo, use_fifo
from allo_air.passes.to_aie._single_channels import specialize_bundles


def lower_execute(module: AnyOp) -> None:
    """Inlines the body of each `air.execute` between a wait for its dependences and a wait that is its token."""
    for op in walk_named(module, "air.execute"):
        ip, location = ir.InsertionPoint(op), op.location
        deps = deps_of(op)
        if deps:
            WaitAllOp(deps=deps, loc=location, ip=ip)
        *body, end = [o.operation for o in op.regions[0].blocks[0].operations]
        yielded = list(end.operands)
        for inner in body:
            inner.move_before(op)
        token, *results = op.results
        for result, value in zip(results, yielded, strict=True):
            result.replace_all_uses_with(value)
        token.replace_all_uses_with(WaitAllOp(deps=[], token=True, loc=location, ip=ip).results[0])
        op.erase()


def lower_loop_tokens(module: AnyOp) -> None:
    """Removes loop-carried tokens: an iteration waits for the tokens that it would yield."""
    for op in [o for o in walk_post_order(module) if o.name == "scf.for" and any(is_token(r) for r in o.results)]:
        _without_tokens(op)


def _without_tokens(op: AnyOp) -> None:
    loop, location = Loop(op), op.location
    kept_results = [n for n, result in enumerate(op.results) if not is_token(result)]
    lower, upper, step = list(op.operands)[:3]
    with ir.InsertionPoint(op), location:
        new = scf.ForOp(lower, upper, step, [loop.inits[n] for n in kept_results])
    for name, attribute in op.attributes.items():
        new.operation.attributes[name] = attribute
    new_loop = Loop(new.operation)
    loop.ivs[0].replace_all_uses_with(new_loop.ivs[0])
    for n, argument in enumerate(loop.iter_args):
        argument.replace_all_uses_with(loop.inits[n] if is_token(argument) else new_loop.iter_args[kept_results.index(n)])
    end, tokens = loop.terminator, [v for v in loop.yielded if is_token(v)]
    values = [v for v in loop.yielded if not is_token(v)]
    for inner in loop.body:
        inner.move_before(end)
        new_loop.block.append(inner)
    with ir.InsertionPoint(new_loop.block), location:
        WaitAllOp(deps=list(dict.fromkeys(tokens)), loc=location)
        scf.yield_(values)
    for n, result in enumerate(op.results):
        if is_token(result):
            wait = WaitAllOp(deps=[], token=True, loc=location, ip=ir.InsertionPoint(op))
            result.replace_all_uses_with(wait.results[0])
        else:
            result.replace_all_uses_with(new.operation.results[kept_results.index(n)])
    op.erase()


def allocate_l1(module: AnyOp) -> None:
    """Replaces each L1 allocation in an `aie.core` by a buffer of its tile; erases deallocations."""
    used_names = {sym_name_of(op) for op in walk_pre_order(module) if "sym_name" in op.attributes}
    names = (f"buf{n}" for n in count(len(walk_named(module, "aie.buffer"))) if f"buf{n}" not in used_names)
    for core in walk_named(module, "aie.core"):
        for alloc in walk_named(core, "memref.alloc"):
            if not is_in(alloc.results[0].type, L1):
                continue
            for use in list(alloc.results[0].uses):
                if use.owner.name == "memref.dealloc":
                    use.owner.operation.erase()
            name, buffer = _given_name(alloc, core) or next(names), alloc.results[0].type
            where: dict[str, Any] = {"loc": alloc.location, "ip": ir.InsertionPoint(core)}
            result = BufferOp(tile=core.operands[0], buffer=buffer, sym_name=name, **where)
            alloc.results[0].replace_all_uses_with(result.operation.results[0])
            alloc.erase()


def _given_name(alloc: AnyOp, core: AnyOp) -> str:
    """The name of `alloc`, with its tile's column and row."""
    tile = core.operands[0].owner.opview
    return f"{sym_name_of(alloc)}_{tile.col}_{tile.row}" if "sym_name" in alloc.attributes else ""


def decide_conditions(module: AnyOp) -> None:
    """Replaces each `affine.if` on constants by its taken branch."""
    for op in reversed(walk_named(module, "air.affine_if", "affine.if")):
        numbers = [constant_of(v) for v in op.operands]
        if not any(p.name in ("aie.core", "func.func") for p in parents(op)) or any(n is None for n in numbers):
            continue
        arm = _arm(op, [n for n in numbers if n is not None])
        if arm is None:
            op.erase()
            continue
        *body, end = [o.operation for o in arm.operations]
        yielded = list(end.operands)
        for inner in body:
            inner.move_before(op)
        for result, value in zip(op.results, yielded, strict=True):
            result.replace_all_uses_with(value)
        op.erase()


def _arm(op: AnyOp, numbers: list[int]) -> Any:
    """The block of the branch that is taken if the operands of `op` are `numbers`; None if it is a missing `else`."""
    region = op.regions[0 if compiled_set(op.attributes["condition"])(numbers) else 1]
    return region.blocks[0] if len(region.blocks) else None


def lower_channels(module: AnyOp) -> None:
    """Replaces each channel of a device between cores, or between a core and external memory, by an objectFifo."""
    for device in walk_named(module, "aie.device"):
        for channel in walk_named(device, "air.channel"):
            if prod(channel.opview.size) == 1:
                _lower_channel(device, channel)


def _lower_channel(device: AnyOp, channel: AnyOp) -> None:
    name = sym_name_of(channel)
    ends = {kind: [o for o in walk_named(device, kind) if o.attributes["chan_name"].value == name] for kind in _ENDS}
    puts, gets = (ends[kind] for kind in _ENDS)
    wide = channel.attributes.get("broadcast_shape", [])
    expected = prod(n.value for n in wide)
    if len(puts) > 1:
        raise error_at(channel, f"has {len(puts)} puts; an objectFifo has one producer")
    if len(gets) > expected:
        raise error_at(channel, f"has {len(gets)} gets for {expected}; a channel with several has a broadcast_shape")
    cores = [_core_of(o) for o in (*puts, *gets)]
    if any(core is None for core in cores) or not cores:
        return
    tiles = [core.operands[0] for core in cores if core is not None]
    first = walk_named(device, "aie.core")[0]
    producers, consumers = tiles[: len(puts)], tiles[len(puts) :]
    shim: Any = None if producers and consumers else _shim_for(tiles[0])
    depth = channel.attributes["buffer_resources"].value if "buffer_resources" in channel.attributes else 1
    kind = (puts or gets)[0].opview.src.type if puts else gets[0].opview.dst.type
    with device.context, channel.location:
        ip = ir.InsertionPoint(first)
        source, dests = producers[0] if producers else shim, consumers or [shim]
        add_fifo(f"air_{name}", depth, source, dests, kind, ip, channel.location)
        for op in (*puts, *gets):
            _use(op, f"air_{name}")
    channel.erase()


def _use(op: AnyOp, name: str) -> None:
    is_put = op.name == _ENDS[0]
    buffer = op.opview.src if is_put else op.opview.dst
    alloc = buffer.owner
    if getattr(alloc, "name", "") != "memref.alloc":
        raise error_at(op, "moves a buffer that its core does not allocate; an objectFifo brings the buffer")
    frees = [u.owner.operation for u in buffer.uses if u.owner.operation.name == "memref.dealloc"]
    use_fifo(name, op, frees, buffer, is_put=is_put)
    for free in frees:
        free.erase()
    deps = deps_of(op)
    if op.results:
        op.results[0].replace_all_uses_with(WaitAllOp(deps=deps, token=True, ip=ir.InsertionPoint(op)).results[0])
    op.erase()
    alloc.operation.erase()


def _core_of(op: AnyOp) -> Any:
    return enclosing(op, "aie.core")


def _shim_for(tile: ir.Value) -> Any:
    """The shim tile of the column of `tile`, created if it is missing."""
    here = tile.owner.operation
    column = here.opview.col
    for op in walk_named(here.parent, "aie.tile"):
        if (op.opview.col, op.opview.row) == (column, 0):
            return op.results[0]
    return TileOp(col=column, row=0, loc=here.location, ip=ir.InsertionPoint(here)).tile


_ENDS = ("air.channel.put", "air.channel.get")

PATTERNS: Mapping[str, Callable[[AnyOp], None]] = {
    "lower-air-execute": lower_execute,
    "lower-scf-tokens": lower_loop_tokens,
    "alloc-l1-buffers": allocate_l1,
    "specialize-affine-if": decide_conditions,
    "specialize-channel-bundle": specialize_bundles,
    "lower-air-channels": lower_channels,
}
"""The test patterns that only need a module, by name."""


def run_patterns(name: str, module: AnyOp, pattern_names: str, outline: Callable[[ir.Operation], None]) -> None:
    """Runs the steps `pattern_names`, separated by commas, for pass `name`; PassError for unknown names. `outline` is the
    step `to-aie-mlir`.
    """
    steps: Mapping[str, Callable[[Any], None]] = {"to-aie-mlir": outline, **PATTERNS}
    for step in pattern_names.split(","):
        if step not in steps:
            raise PassError(f"pass '{name}': option 'test-patterns' has '{step}', expected one of: {', '.join(steps)}")
        with module.context, module.location:
            steps[step](module)
