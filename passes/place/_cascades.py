"""The cascade channels that herds use: streams between neighbouring cores, from west to east and from north to south."""

from allo_air.core.walking import walk_named
from allo_air.dialects.air import ChannelGetOp, ChannelOp, ChannelPutOp
from allo_air.mlir import AnyOp


def cascades(root: AnyOp) -> dict[str, ChannelOp]:
    """The cascade channels around and in `root`, by name."""
    top = root.operation
    while top.parent is not None:
        top = top.parent.operation
    channels = map(ChannelOp, walk_named(top, ChannelOp.OPERATION_NAME))
    return {channel.sym_name: channel for channel in channels if channel.channel_type.endswith("cascade")}


def uses_cascade(herd: AnyOp) -> bool:
    """Whether the cores of `herd` put into or get from a cascade."""
    return bool(ends(herd, cascades(herd)))


def ends(herd: AnyOp, channels: dict[str, ChannelOp]) -> set[tuple[str, str]]:
    """(channel, "put" or "get") of each end of one of `channels` in `herd`."""
    if not channels:
        return set()
    ops = walk_named(herd, ChannelPutOp.OPERATION_NAME, ChannelGetOp.OPERATION_NAME)
    return {(op.opview.chan_name, op.name[-3:]) for op in ops if op.opview.chan_name in channels}
