"""Both passes on the IR that mlir-air's tools print before them, against what those print after them."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from allo_air import asm
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk, walk_named
from allo_air.dialects.air_values import ASYNC
from allo_air.passes._ir.tokens import deps_of
from allo_air.passes.schedule.air_dependency import AirDependency
from allo_air.passes.schedule.air_dependency_canonicalize import AirDependencyCanonicalize
from helpers import apply, around

NUMBERED = ("air.launch", "air.segment", "air.herd", "air.dma_memcpy_nd", "air.channel.put", "air.channel.get", "air.execute")


def counts(module: Any) -> Counter[str]:
    return Counter(o.operation.name for o in walk(module) if o.operation.name != "arith.constant")


def ids(module: Any) -> list[tuple[str, int | None]]:
    found = walk_named(module, *NUMBERED)
    return [(op.name, op.attributes["id"].value if "id" in op.attributes else None) for op in found]


def orders(module: Any) -> list[set[int]]:
    """For each asynchronous operation, in order, the earlier ones that its tokens lead to, through joins and loops."""
    before: dict[Any, set[int]] = {}
    found = []
    for op in [o.operation for o in walk(module)]:
        if op.name in ("scf.for", "scf.parallel"):
            inits = list(op.operands)[-1:] if len(op.results) else []
            inside = [a for b in op.regions[0].blocks for a in list(b.arguments)[-1:]]
            for value in [*op.results, *(inside if op.name == "scf.for" and inits else [])]:
                before[value] = before.get(inits[0], set())
        if op.name in ("scf.yield", "scf.reduce") and len(op.operands):
            before[op.parent.operation.results[0]] |= before.get(op.operands[0], set())
        if op.name == "air.affine_yield" and len(op.operands):
            before.setdefault(op.parent.operation.results[0], set()).update(before.get(op.operands[0], set()))
        if op.name not in ASYNC:
            continue
        reached = {n for t in deps_of(op) for n in before.get(t, set())}
        if op.name != "air.wait_all":
            found.append(reached)
            reached = reached | {len(found) - 1}
        if len(op.results):
            before[op.results[0]] = reached
    return found


@pytest.mark.parametrize(("step", "before", "after"), around(AirDependency()))
@pytest.mark.usefixtures("context")
def test_dependences_are_those_of_the_reference(step: Pass, before: Path, after: Path) -> None:
    ours, theirs = asm.read(before.read_text(), str(before)), asm.read(after.read_text(), str(after))
    apply(ours, step)
    assert counts(ours) == counts(theirs)
    assert ids(ours) == ids(theirs)
    assert orders(ours) == orders(theirs)


@pytest.mark.parametrize(("step", "before", "after"), around(AirDependencyCanonicalize()))
@pytest.mark.usefixtures("context")
def test_reduction_keeps_the_order_of_the_reference(step: Pass, before: Path, after: Path) -> None:
    ours, theirs = asm.read(before.read_text(), str(before)), asm.read(after.read_text(), str(after))
    apply(ours, step)
    assert counts(ours) == counts(theirs)
    assert ids(ours) == ids(theirs)
    names = [op.name for op in walk_named(ours, *(n for n in ASYNC if n != "air.wait_all"))]
    for name, mine, wanted in zip(names, orders(ours), orders(theirs), strict=True):
        assert mine == wanted or (name == "air.execute" and mine > wanted)  # deallocations that theirs let run too early
    once = asm.write(ours)
    assert asm.write(apply(ours, step)) == once
