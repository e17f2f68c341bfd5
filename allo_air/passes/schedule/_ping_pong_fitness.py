"""Decides whether a loop can have ping-pong buffers, and whether they are worthwhile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from allo_air.core.loops import Loop
from allo_air.core.names import sym_name_of
from allo_air.core.walking import body_of, is_defined_in, walk_named, walk_post_order
from allo_air.dialects.air_values import ASYNC, HIERARCHIES, TRANSFERS, forwarded_value, is_token, outer_operand
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.effects import accesses, is_pure
from allo_air.passes._analysis.loops import NO_PING_PONG
from allo_air.passes._analysis.memory import LEVELS, is_in
from allo_air.passes._analysis.memory import buffer as bottom
from allo_air.passes._analysis.parallel import CONDITIONS
from allo_air.passes._analysis.views import VIEWS
from allo_air.passes.schedule._ping_pong_buffers import UNROLL, Buffer, OmitSpace, buffers

_LOOPS = ("scf.for", "scf.parallel", "affine.for")


def reason_against(loop: AnyOp, items: Sequence[Buffer], *, token_needed: bool = True) -> str | None:
    """Why `loop` cannot double the buffers `items`, with a remedy; None if it can.

    Without `token_needed` the loop need not carry a token yet, since air-ping-pong-transform gives it one.
    """
    if token_needed and not any(is_token(v) for v in Loop(loop).inits):
        return "carries no token, so nothing says which iterations may overlap; run air-dependency first"
    if "unsignedCmp" in loop.attributes:
        return "compares its bounds as unsigned numbers; use a signed loop"
    for inner in walk_named(loop, *HIERARCHIES):
        return f"contains an {inner.name}, which would be duplicated; run air-isolate-async-dma-loop-nests first"
    for op in body_of(loop)[:-1]:
        if (blocking := _blocking(op)) is not None:
            return f"contains a '{blocking.name}' that has no token to wait for; run air-dependency first"
    for b in items:
        if any(is_defined_in(v, loop) for v in b.alloc.operands):
            return f"allocates a buffer {b.value.type} whose size is computed in the loop; compute it before the loop"
        if any(bottom(v) == b.value for v in body_of(loop)[-1].operands):
            return f"passes its buffer {b.value.type} to the next iteration; allocate it before the loop"
    return None


def _blocking(op: ir.Operation) -> ir.Operation | None:
    """The first operation in `op` that has effects and no token, or None."""
    if is_pure(op) or op.name == "air.wait_all":
        return None
    if not any(is_token(r) for r in op.results):
        return op
    if op.name in ASYNC:
        return None
    inner = [o.operation for region in op.regions for block in region.blocks for o in list(block.operations)[:-1]]
    return next((result for o in inner if (result := _blocking(o)) is not None), None) if inner else op


def fitting(root: AnyOp, omit: OmitSpace, *, calls_overwrite: bool = True) -> Iterator[tuple[AnyOp, list[Buffer]]]:
    """The innermost loops in `root` that may have ping-pong buffers, with the buffers to double.

    A call that is the first to access a buffer in an iteration reads its old content, unless `calls_overwrite`.
    """
    seen: list[ir.Operation] = []
    for loop in [o for o in walk_post_order(root) if o.name == "scf.for"]:
        if UNROLL in loop.attributes:
            seen.append(loop)
            continue
        result = buffers(loop, omit)
        if not result or any(is_defined_in(Loop(s).block.arguments[0], loop) for s in seen):
            continue
        if _is_worthwhile(loop, result, calls_overwrite) and reason_against(loop, result, token_needed=False) is None:
            seen.append(loop)
            yield loop, result


def _is_worthwhile(loop: ir.Operation, items: Sequence[Buffer], calls_overwrite: bool) -> bool:
    """Whether two iterations may overlap, each on its own buffer that a transfer fills or drains."""
    count = Loop(loop).trips()
    if (count is not None and count < 2) or _is_disabled(loop):
        return False
    done = list(accesses(loop))
    if any(a.is_opaque and _is_of_others(a.memref) for a in done):
        return False
    first: dict[ir.Value, str] = {}
    for access in done:
        is_state = access.is_opaque and not calls_overwrite and access.op.name == "func.call"
        first.setdefault(access.root, "read" if is_state else access.kind)
    if any(first.get(b.root) == "read" or _fills(body_of(loop), b.root) > 1 for b in items):
        return False
    roots = {b.root for b in items}
    return any(a.op.name in TRANSFERS and a.root in roots for a in done)


def _is_disabled(loop: Any) -> bool:
    """Whether `air.disable_ping_pong` is on the loop, around it or in it."""
    outer = loop
    while outer is not None:
        if NO_PING_PONG in outer.operation.attributes:
            return True
        outer = outer.operation.parent
    return any(NO_PING_PONG in op.attributes for op in walk_post_order(loop))


def _is_of_others(memref: ir.Value) -> bool:
    """Whether `memref` belongs to operations outside of the herd: an operand of the herd that is not an accumulator of its
    cores (a buffer used only by phases of this herd).
    """
    value = bottom(memref)
    if not isinstance(value, ir.BlockArgument) or value.owner.owner.name != "air.herd":
        return False
    argument: Any = value
    while (outer := outer_operand(argument)) is not None:
        argument = bottom(outer)
    if isinstance(argument, ir.BlockArgument) or argument.owner.name != "memref.alloc":
        return True
    return not is_in(argument.type, LEVELS["L1"]) or len({_phase(herd) for herd in _herds(argument)}) > 1


def _herds(value: ir.Value) -> Iterator[Any]:
    """The herds that have `value` as an operand, also through other hierarchies and views."""
    for use in value.uses:
        if use.owner.name == "air.herd":
            yield use.owner
        elif (inside := forwarded_value(use)) is not None:
            yield from _herds(inside)
        elif use.owner.name in VIEWS:
            yield from _herds(use.owner.results[0])


def _phase(herd: AnyOp) -> Any:
    """A key that is equal for phases of the same cores: the herd's name."""
    return sym_name_of(herd) if "sym_name" in herd.attributes else hash(herd.regions[0].blocks[0].arguments[0])


def _fills(ops: Sequence[ir.Operation], root: ir.Value) -> int:
    """The largest number of transfers of `ops` into the buffer; a loop without constant bounds counts as two iterations."""
    total = 0
    for op in ops:
        regions = [[o.operation for block in region.blocks for o in block.operations] for region in op.regions]
        if op.name in TRANSFERS:
            total += sum(a.root == root and a.kind == "write" for a in accesses(op))
        elif op.name in _LOOPS:
            count = Loop(op).trips() if op.name == "scf.for" else None
            total += _fills(regions[0], root) * (2 if count is None else count)
        elif op.name in CONDITIONS:
            total += max((_fills(region, root) for region in regions), default=0)
        else:
            total += sum(_fills(region, root) for region in regions)
    return total
