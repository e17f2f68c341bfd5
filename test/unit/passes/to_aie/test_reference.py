"""air-to-aie on the IR that mlir-air's tools print before it, against what those print after it."""

from collections import Counter
from typing import Any

import pytest

from allo_air import asm
from allo_air.core.walking import walk, walk_named
from allo_air.dialects import aie
from allo_air.dialects._places import size_stride_pairs
from allo_air.passes.canonical.canonicalize import Canonicalize
from helpers import REFERENCE, apply, reference

from .devices import AS_MLIR_AIR

CASES = sorted(p.parent.name for p in REFERENCE.glob("*/29-air-to-aie.mlir"))
TRANSFERS = ("air.channel.put", "air.channel.get")


@pytest.fixture(params=CASES)
def both(request: Any, context: Any) -> tuple[str, Any, Any]:
    """(case, our module, the reference)."""
    return request.param, apply(reference(request.param, "27"), AS_MLIR_AIR), reference(request.param, "29")


def places(module: Any) -> dict[Any, tuple[int, int]]:
    return {op.tile: (op.col, op.row) for op in walk(module, aie.TileOp)}


def test_tiles_buffers_and_flows_are_the_references(both: Any) -> None:
    _, *modules = both
    tiles, buffers, flows = [], [], []
    for module in modules:
        at = places(module)
        tiles.append(sorted(at.values()))
        buffers.append(Counter((at[b.tile], str(b.buffer.type)) for b in walk(module, aie.BufferOp)))
        flows.append(Counter((at[f.source], at[f.dest]) for f in walk(module, aie.FlowOp)))
    assert tiles[0] == tiles[1]
    assert buffers[0] == buffers[1]
    assert flows[0] == flows[1]


def test_broadcasts_leave_by_one_port(both: Any) -> None:
    _, *modules = both
    fans = []
    for module in modules:
        at = places(module)
        sources = Counter((at[f.source], f.source_channel) for f in walk(module, aie.FlowOp))
        fans.append(Counter((place, fan) for (place, _), fan in sources.items()))
    assert fans[0] == fans[1]


def descriptors(module: Any) -> Counter[Any]:
    """Tile, direction, buffer type, offset, length and dimensions of each BD."""
    at = places(module)
    found: Counter[Any] = Counter()
    for program in walk(module, aie.MemOp, aie.MemTileDMAOp):
        for start in walk(program, aie.DMAStartOp):
            block, seen = start.dest, []
            while block not in seen:
                seen.append(block)
                [bd] = [o for o in block.operations if isinstance(o, aie.DMABDOp)]
                dims = tuple(size_stride_pairs(bd.dimensions)) if bd.dimensions is not None else ()
                if bd.len:
                    found[at[program.tile], start.channel_dir, str(bd.buffer.type), bd.offset, bd.len, dims] += 1
                block = block.operations[len(block.operations) - 1].successors[0]
    return found


def test_bds_are_the_references(both: Any) -> None:
    _, ours, reference = both
    assert descriptors(ours) == descriptors(reference)


def locks(module: Any) -> Counter[Any]:
    at = places(module)
    return Counter((at[lock.tile], lock.init) for lock in walk(module, aie.LockOp))


def uses(module: Any) -> Counter[Any]:
    at = places(module)
    return Counter((at[u.lock.owner.operands[0]], u.action, u.value) for u in walk(module, aie.UseLockOp))


def test_locks_are_the_references(both: Any) -> None:
    """But where those are weak: two_herds reads what either writer may be writing, case_study never fills ahead in L2."""
    case, ours, reference = both
    weak = {"two_herds_i32": {(1, 1)}, "case_study_bf16": {(x, 1) for x in range(4)}}.get(case, set())
    for count in (locks, uses):
        mine, others = count(ours), count(reference)
        assert {k: n for k, n in mine.items() if k[0] not in weak} == {k: n for k, n in others.items() if k[0] not in weak}
    if case == "case_study_bf16":
        for x in range(4):
            assert sorted(op.init for op in walk(ours, aie.LockOp) if places(ours)[op.tile] == (x, 1)) == [0, 0, 0, 2, 2, 4]


def code(module: Any) -> Counter[str]:
    """The kinds of operations in cores, except for constants."""
    names = Counter(op.operation.name for core in walk(module, aie.CoreOp) for op in walk(core))
    return Counter({n: c for n, c in names.items() if n not in ("arith.constant", "cf.br")})


def test_cores_are_the_references(both: Any) -> None:
    _, ours, reference = both
    Canonicalize().run(ours)
    assert code(ours) == code(reference)
    linked = [Counter(core.link_with for core in walk(m, aie.CoreOp)) for m in (ours, reference)]
    assert linked[0] == linked[1]


def test_the_host_knows_its_shim_channels(both: Any) -> None:
    _, *modules = both
    allocations, annotations = [], []
    for module in modules:
        found = {a.sym_name: a.channel_dir for a in walk(module, aie.ShimDMAAllocationOp)}
        allocations.append(found)
        named = [op for op in walk_named(module, *TRANSFERS) if "metadataArray" in op.attributes]
        annotations.append({op.attributes["id"].value: str(op.attributes["metadataArray"]) for op in named})
    assert allocations[0] == allocations[1]
    assert annotations[0] == annotations[1]


def test_running_twice_changes_nothing(both: Any) -> None:
    _, ours, _ = both
    before = asm.write(ours)
    assert asm.write(apply(ours, AS_MLIR_AIR)) == before


@pytest.mark.usefixtures("context")
def test_the_walkthrough_in_one_column() -> None:
    """The checklist W8 to W11: one shim, one memtile, four cores; locks, flows and shim channels as counted there."""
    text = next((REFERENCE / "walkthrough_i32").glob("27-*")).read_text().replace("x_size = 4", "x_size = 1")
    module = apply(asm.read(text), AS_MLIR_AIR)
    at = places(module)
    assert sorted(at.values()) == [(0, row) for row in range(6)]
    found = locks(module)
    assert {init: n for ((_, row), init), n in found.items() if row == 1} == {2: 2, 4: 1, 0: 3}
    assert all(found[(0, row), init] == n for row in range(2, 6) for init, n in ((2, 2), (1, 1), (0, 3)))
    assert Counter(at[b.tile] for b in walk(module, aie.BufferOp)) == {(0, 1): 3, **{(0, row): 5 for row in range(2, 6)}}
    flows = Counter((at[f.source][1], f.source_channel, f.dest_channel) for f in walk(module, aie.FlowOp))
    assert sum(flows.values()) == 15
    assert sorted(Counter((at[f.source], f.source_channel) for f in walk(module, aie.FlowOp)).values())[-4:] == [2, 2, 2, 2]
    shims = {(a.channel_dir, a.channel_index) for a in walk(module, aie.ShimDMAAllocationOp)}
    assert shims == {(0, 0), (1, 0), (1, 1)}
    moved = descriptors(module)
    assert moved[(0, 1), 0, "memref<32x256xi32, 1>", 0, 8192, ()] == 1
    assert moved[(0, 1), 1, "memref<32x256xi32, 1>", 4096, 4096, ((16, 16), (16, 256), (16, 1))] == 1
    assert moved[(0, 1), 0, "memref<32x32xi32, 1>", 528, 256, ((16, 32), (16, 1))] == 1
