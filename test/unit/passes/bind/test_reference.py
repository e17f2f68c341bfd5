"""The binding passes on the IR that mlir-air's tools print before each of them, against what those print after it."""

from pathlib import Path
from typing import Any

import pytest

from allo_air import asm
from allo_air.core.constants import constant_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk, walk_named
from allo_air.passes.bind.air_copy_to_dma import AirCopyToDma
from allo_air.passes.bind.air_par_to_herd import AirParToHerd
from allo_air.passes.bind.air_par_to_launch import AirParToLaunch
from allo_air.passes.canonical.canonicalize import Canonicalize
from allo_air.passes.channel.air_renumber_dma import AirRenumberDma
from helpers import apply, around, counts, is_settled

PASSES: tuple[Pass, ...] = (AirParToHerd(depth=1), AirParToLaunch(has_air_segment=True), AirCopyToDma(), AirRenumberDma())
HIERARCHIES = ("air.launch", "air.segment", "air.herd")
TRANSFERS = ("air.dma_memcpy_nd", "air.channel.put", "air.channel.get")


def hierarchies(module: Any) -> list[Any]:
    found = []
    for op in walk(module):
        if op.operation.name in HIERARCHIES:
            attributes = {a: str(op.attributes[a]) for a in ("sym_name", "link_with") if a in op.attributes}
            found.append((op.operation.name, attributes, [constant_of(s) for s in op.sizes], [str(a.type) for a in op.args]))
    return found


def transfers(module: Any) -> list[Any]:
    """Kind, id, memref types and lists of each transfer; a list entry that is not a constant shows as None."""
    found = []
    for op in walk_named(module, *TRANSFERS):
        number = op.attributes["id"].value if "id" in op.attributes else None
        parts = [constant_of(v) if str(v.type) == "index" else str(v.type) for v in op.operands]
        found.append((op.name, number, parts))
    return found


@pytest.mark.parametrize(("step", "before", "after"), around(*PASSES))
@pytest.mark.usefixtures("context")
def test_step_does_what_the_reference_does(step: Pass, before: Path, after: Path) -> None:
    ours = asm.read(before.read_text(), str(before))
    theirs = asm.read(after.read_text(), str(after))
    apply(ours, step)
    assert counts(ours) == counts(theirs)
    assert hierarchies(ours) == hierarchies(theirs)
    for module in (ours, theirs):
        apply(module, Canonicalize())
    assert transfers(ours) == transfers(theirs)


@pytest.mark.parametrize(("step", "before", "after"), around(*PASSES))
@pytest.mark.usefixtures("context")
def test_step_changes_nothing_when_it_runs_again(step: Pass, before: Path, after: Path) -> None:
    assert is_settled(step, before)
