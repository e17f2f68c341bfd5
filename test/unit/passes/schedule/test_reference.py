"""The schedule and placement passes on what mlir-air's tools print before each of them, against what those print after it."""

from pathlib import Path
from typing import Any

import pytest

from allo_air import asm
from allo_air.core.constants import constant_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk, walk_named
from allo_air.passes.canonical.canonicalize import Canonicalize
from allo_air.passes.kernel.air_linalg_to_func import AirLinalgToFunc
from allo_air.passes.place.air_collapse_herd import AirCollapseHerd
from allo_air.passes.place.air_place_herds import AirPlaceHerds
from allo_air.passes.schedule.air_broadcast_detection import AirBroadcastDetection
from allo_air.passes.schedule.air_dependency_schedule_opt import AirDependencyScheduleOpt
from allo_air.passes.schedule.air_hoist_dma_in_accum_pattern import AirHoistDmaInAccumPattern
from allo_air.passes.schedule.air_specialize_dma_broadcast import AirSpecializeDmaBroadcast
from helpers import REFERENCE, apply, around, counts, is_settled

PASSES: tuple[Pass, ...] = (
    AirLinalgToFunc(link_with="mm.o"),
    AirHoistDmaInAccumPattern(),
    AirBroadcastDetection(),
    AirSpecializeDmaBroadcast(),
    AirCollapseHerd(max_col_size=4),
    AirPlaceHerds(num_rows=4, num_cols=4, row_anchor=2, col_anchor=0),
)
TRANSFERS = ("air.dma_memcpy_nd", "air.channel.put", "air.channel.get")
KEPT = ("sym_name", "link_with", "x_loc", "y_loc", "x_size", "y_size", "function_type", "llvm.emit_c_interface", "callee")
MARKS = ("broadcast_pattern", "broadcast_set", "id", "chan_name", "condition")


def shape(module: Any) -> list[Any]:
    """Functions, calls and hierarchies with what matters of them; not in order of functions."""
    found = []
    for op in walk(module):
        name = op.operation.name
        if name in ("func.func", "func.call", "air.segment", "air.herd", "air.channel"):
            sizes = [constant_of(s) for s in op.sizes] if name == "air.herd" else []
            found.append((name, sizes, {k: str(op.attributes[k]) for k in KEPT if k in op.attributes}))
    return sorted(found, key=str)


def transfers(module: Any) -> list[tuple[Any, ...]]:
    found = []
    for op in walk_named(module, *TRANSFERS, "air.affine_if"):
        marks = {k: str(op.attributes[k]) for k in MARKS if k in op.attributes}
        parts = [constant_of(v) if str(v.type) == "index" else str(v.type) for v in op.operands]
        found.append((op.name, marks, parts))
    return found


@pytest.mark.parametrize(("step", "before", "after"), around(*PASSES))
@pytest.mark.usefixtures("context")
def test_step_does_what_the_reference_does(step: Pass, before: Path, after: Path) -> None:
    ours = asm.read(before.read_text(), str(before))
    theirs = asm.read(after.read_text(), str(after))
    apply(ours, step)
    for module in (ours, theirs):
        apply(module, Canonicalize())
    assert counts(ours) == counts(theirs)
    assert shape(ours) == shape(theirs)
    for (name, marks, parts), (wanted_name, wanted_marks, wanted) in zip(transfers(ours), transfers(theirs), strict=True):
        assert (name, marks) == (wanted_name, wanted_marks)
        # Where they keep an id that the branch knows, ours has the number.
        assert len(parts) == len(wanted)
        known = isinstance(step, AirSpecializeDmaBroadcast)
        assert all(a == b or (known and b is None) for a, b in zip(parts, wanted, strict=True))


@pytest.mark.parametrize(("step", "before", "after"), around(*PASSES))
@pytest.mark.usefixtures("context")
def test_step_changes_nothing_when_it_runs_again(step: Pass, before: Path, after: Path) -> None:
    assert is_settled(step, before)


@pytest.mark.parametrize("name", ["collapse-herd", "hoist-dma-in-accum-pattern"])
def test_steps_are_found(name: str) -> None:
    assert any(name in s.id for s in around(*PASSES))


@pytest.mark.usefixtures("context")
def test_what_the_reference_leaves_alone_stays() -> None:
    """A 4x4 herd is not a column of four, and no accumulator is in a herd inside of the loop."""
    folder = REFERENCE / "case_study_bf16"
    last = max(f for f in folder.glob("*.mlir") if f.name[:2] < "25")
    module = asm.read(last.read_text(), str(last))
    before = asm.write(module)
    apply(module, AirCollapseHerd(max_col_size=4))
    assert asm.write(module) == before


@pytest.mark.usefixtures("context")
def test_the_older_name_runs_both() -> None:
    file = next((REFERENCE / "case_study_bf16").glob("*-air-dependency.mlir"))
    one, two = (asm.read(file.read_text(), str(file)) for _ in range(2))
    apply(one, AirDependencyScheduleOpt())
    apply(two, AirHoistDmaInAccumPattern())
    apply(two, AirBroadcastDetection())
    assert asm.write(one) == asm.write(two)
    assert asm.write(one).count("broadcast_pattern") == 2
