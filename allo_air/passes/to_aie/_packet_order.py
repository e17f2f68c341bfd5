"""Orders the host's transfers on channels that share a DMA channel of a core: the order in which the core receives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at, warn_at
from allo_air.core.walking import parents
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes.to_aie._bundles import Bundle, Key
from allo_air.passes.to_aie._design import Place, Transfer
from allo_air.passes.to_aie._periods import shortest_period

if TYPE_CHECKING:
    from allo_air.dialects.air import ChannelGetOp, ChannelPutOp

Word = tuple[tuple[Key, int], ...]
"""A sequence of channels, each with its number of elements."""


def order_host_transfers(
    rings: Sequence[tuple[Place, tuple[Transfer, ...]]],
    transfers: Sequence[ChannelGetOp | ChannelPutOp],
    bundles: Mapping[str, Bundle],
) -> None:
    """Reorders the host's transfers to one channel of a core by its `rings`. DiagnosticError if a transfer has more elements
    than the core receives before the next channel. Transfers in different loops, or with sizes or channels that are not
    constant, stay unchanged, with a warning.
    """
    puts = [(t, _key(t, bundles)) for t in transfers if t.operation.name == "air.channel.put"]
    for place, ring in rings:
        keys = dict.fromkeys(t.key for t in ring)
        names = [key[0] for key in keys]
        puts_here = [t for t, key in puts if key in keys or (key is None and t.chan_name in names)]
        if len(keys) < 2 or not puts_here:
            continue
        sent = {key: volume for t in puts_here if (key := _key(t, bundles)) is not None and (volume := _volume(t)) is not None}
        is_one = len(puts_here) == len(sent) == len(keys) and len({_nest(t) for t in puts_here}) == 1
        if not is_one:
            shown = ", ".join(f"@{name}" for name in dict.fromkeys(names))
            warn_at(
                ring[0].op,
                f"shares an S2MM DMA channel of core {place} with {shown}; it is unknown whether the host sends them in the"
                f" order in which the core receives them: send all of them in one loop",
            )
            continue
        received = shortest_period(tuple((t.key, t.walk.length) for t in ring), lambda item: item)
        if len(received) == len(keys) and dict(received) == sent:
            _sort({key: t for t in puts_here if (key := _key(t, bundles)) is not None}, [key for key, _ in received])
            continue
        raise _refusal(place, ring[0], received, tuple(sent.items()))


def _key(put_op: ir.OpView, bundles: Mapping[str, Bundle]) -> Key | None:
    """The single channel that a put uses; None if it is not constant."""
    indices = [constant_of(v) for v in put_op.indices]
    return None if None in indices else bundles[put_op.chan_name].key(put_op, [i or 0 for i in indices], True)


def _refusal(place: Place, first: Transfer, received: Word, sent: Word) -> Exception:
    order = ", ".join(f"{counted(count, 'element')} of {_label(key, received)}" for key, count in received)
    host = ", ".join(f"{count} of {_label(key, sent)}" for key, count in sent)
    return error_at(
        first.op,
        f"shares an S2MM DMA channel of core {place} with others: the core receives {order} in turn, but the host sends"
        f" {host} in turn, so that data would arrive in the wrong buffers. Send pieces in the core's order in one loop, or "
        "let fewer channels end here",
    )


def _label(key: Key, word: Word) -> str:
    """The channel's name, with its indices if `word` has other channels of its bundle."""
    same = {mate for mate, _ in word if mate[0] == key[0]}
    return f"@{key[0]}" + (str(list(key[1])) if len(same) > 1 else "")


def _nest(op: AnyOp) -> tuple[Any, ...]:
    """The block of an operation, and the enclosing loops."""
    loops = []
    for parent in parents(op.operation):
        if parent.name in ("air.launch", "func.func"):
            break
        loops.append(parent)
    return (op.operation.block, *loops)


def _volume(put_op: ir.OpView) -> int | None:
    """The number of elements that a put sends; None if it is not constant."""
    if len(put_op.src_sizes):
        sizes = [constant_of(v) for v in put_op.src_sizes]
        return None if None in sizes else prod(s or 0 for s in sizes)
    kind = put_op.src.type
    return prod(kind.shape) if isinstance(kind, ir.MemRefType) and kind.has_static_shape else None


def _sort(puts: Mapping[Key, ir.OpView], order: Sequence[Key]) -> None:
    """Moves the puts to the position of the last one, in the given order of channels."""
    if list(puts) == list(order):
        return
    ops = [puts[key].operation for key in order]
    last = list(puts.values())[-1].operation
    for op in ops:
        users = [use.owner.operation for result in op.results for use in result.uses]
        if any(user.block == last.block and user.is_before_in_block(last) for user in users if op != last):
            names = ", ".join(key[0] for key in order)
            raise error_at(
                op,
                f"is sent before data that the core receives first ({names}), and other operations wait for it; send in the"
                f" order in which the core receives",
            )
    position = ops.index(last)
    for op in ops[:position]:
        op.move_before(last)
    for op in ops[position + 1 :]:
        op.move_after(last)
        last = op
