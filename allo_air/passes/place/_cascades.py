"""The cascade channels of herds: streams between adjacent cores, from west to east and from north to south."""

from allo_air.core.constants import constant_of
from allo_air.core.walking import root_of, walk_named
from allo_air.dialects.air import ChannelGetOp, ChannelOp, ChannelPutOp
from allo_air.mlir import AnyOp, ir

Indices = tuple[int, ...] | None


def cascades(root: AnyOp) -> dict[str, ChannelOp]:
    """The cascade channels around and in `root`, by name."""
    channels = map(ChannelOp, walk_named(root_of(root), ChannelOp.OPERATION_NAME))
    return {channel.sym_name: channel for channel in channels if channel.channel_type.endswith("cascade")}


def uses_cascade(herd: AnyOp) -> bool:
    """Whether the cores of `herd` put into or get from a cascade."""
    return bool(channel_ends_of(herd, cascades(herd)))


def channel_ends_of(herd: AnyOp, channels: dict[str, ChannelOp]) -> set[tuple[str, str, Indices]]:
    """(channel, "put" or "get", its indices if all are constant) of each end of one of `channels` in `herd`."""
    if not channels:
        return set()
    ops = walk_named(herd, ChannelPutOp.OPERATION_NAME, ChannelGetOp.OPERATION_NAME)
    return {(op.opview.chan_name, op.name[-3:], _indices(op)) for op in ops if op.opview.chan_name in channels}


def _indices(op: ir.Operation) -> Indices:
    constants = tuple(constant_of(index) for index in op.opview.indices)
    return None if None in constants else constants  # type: ignore[return-value]
