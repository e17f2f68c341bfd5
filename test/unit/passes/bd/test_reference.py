"""Access lists against what mlir-air's tools of March 2026 make of the same IR."""

import pytest

from allo_air import asm
from allo_air.core.constants import constant_of
from allo_air.core.walking import walk_named
from allo_air.passes.bd.air_specialize_channel_wrap_and_stride import AirSpecializeChannelWrapAndStride
from helpers import apply, around


def transfers(module):
    """Every put and get in order: channel, id, and its lists; a number, or `?`."""
    found = []
    for op in walk_named(module, "air.channel.put", "air.channel.get"):
        view = op.opview
        side = "src" if op.name.endswith("put") else "dst"
        lists = [
            [n if (n := constant_of(v)) is not None else "?" for v in getattr(view, f"{side}_{p}")]
            for p in ("offsets", "sizes", "strides")
        ]
        at = op.attributes["id"].value if "id" in op.attributes else None
        found.append((op.name, view.chan_name, at, op.parent.name, lists))
    return found


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(("step", "before", "after"), around(AirSpecializeChannelWrapAndStride()))
def test_lists(step, before, after):
    ours, expected = apply(asm.read(before.read_text()), step), asm.read(after.read_text())
    assert transfers(ours) == transfers(expected)
    for name in ("scf.for", "scf.parallel", "air.execute", "air.herd", "air.affine_if"):
        assert len(walk_named(ours, name)) == len(walk_named(expected, name)), name
    text = asm.write(ours)
    assert asm.write(apply(ours, step)) == text
