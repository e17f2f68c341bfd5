"""Access lists against what mlir-air's tools of March 2026 make of the same IR."""

from pathlib import Path

import pytest

from allo_air import asm
from allo_air.core.constants import constant_of
from allo_air.core.walking import walk_named
from allo_air.passes.bd.air_specialize_channel_wrap_and_stride import AirSpecializeChannelWrapAndStride

DATA = Path(__file__).parents[3] / "data/reference"
NAME = "air-specialize-channel-wrap-and-stride"
CASES = ("case_study_bf16", "walkthrough_i32", "two_herds_i32")


def read(path):
    return asm.read(path.read_text())


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
@pytest.mark.parametrize("case", CASES)
def test_lists(case):
    [after] = (DATA / case).glob(f"*-{NAME}.mlir")
    number = int(after.name[:2])
    [before] = (DATA / case).glob(f"{number - 1}-*.mlir")
    ours = read(before)
    with ours.context, ours.location:
        AirSpecializeChannelWrapAndStride().run(ours)
    asm.verify(ours)
    expected = read(after)
    assert transfers(ours) == transfers(expected)
    for name in ("scf.for", "scf.parallel", "air.execute", "air.herd", "air.affine_if"):
        assert len(walk_named(ours, name)) == len(walk_named(expected, name)), name
    text = asm.write(ours)
    with ours.context, ours.location:
        AirSpecializeChannelWrapAndStride().run(ours)
    assert asm.write(ours) == text
