"""Accesses of BDs, which are entered in the shadow as a whole, are judged as if each word were entered when it moves."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

HW = SimpleNamespace

WALKS = {
    "in order": (((0, 1), (0, 1)), 1),
    "columns of four words": (((4, 1), (8, 16)), 4),  # 16 words in all of a row, four at a time
    "rows apart": (((64, 1), (0, 1)), 96),
    "transposed": (((8, 64), (0, 1)), 1),
}


def found(hw: HW, walks: tuple[str, str], seed: int, *, whole: bool, locks: bool = False) -> list[Any]:
    """All findings of channels that write and read memory over and over, while a core accesses words of it."""
    rig = hw.Rig(burst=0)
    a, c = np.arange(1 << 12, dtype=np.int32), np.zeros(1 << 11, np.int32)
    rig.host(a, c)
    rig.flow((0, 0, "DMA", 0), (0, 2, "DMA", 0))
    rig.flow((0, 2, "DMA", 0), (0, 0, "DMA", 0))
    rig.array.mark_written(0, 2, 0, 1500)
    for number, walk in enumerate(walks):
        dims, d2 = WALKS[walk]
        sides = {"acquire": (0, -1), "release": (0, 1)} if locks else {}
        for half in range(2):
            following = 2 * number + 1 - half
            words = hw.core_bd(512, base=2048 * half, dims=dims, d2=d2, following=following, **sides)
            rig.array.write_bd(0, 2, 2 * number + half, words)
        rig.array.start_channel(0, 2, (hw.S2MM, hw.MM2S)[number], 0, 2 * number)
    rig.array.set_lock(0, 2, 0, 1)
    rng = np.random.default_rng(seed)
    base, calls = rig.array.memory_address(0, 2), []
    for site in range(20):
        word, words = (int(n) for n in (rng.integers(0, 1000), rng.integers(1, 40)))
        access = (("read", "write")[int(rng.integers(0, 2))], base + 4 * word + int(rng.integers(0, 2)), 4 * words, site)
        calls += [("work", 0, 1, int(rng.integers(1, 300))), access]
    rig.array.add_core(0, 2, hw.program(calls), 0)
    rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(4096))
    rig.words.shim(hw.S2MM, 1, 1, hw.shim_bd(2048))
    rig.words.sync(hw.S2MM)
    if not whole:
        rig.array.record_origins()  # which word came from where is known only where each moves by itself
    result = rig.run(strict=False)
    assert result.status == "done"
    seen = [
        (f.kind, f.cycle, f.address, f.count, f.access, f.other_access, f.detail, f.same, f.differs) for f in result.findings
    ]
    who = [[None if a is None else (a.unit, a.direction, a.bd, a.site) for a in (f.agent, f.other)] for f in result.findings]
    return [result.cycles, c.tolist(), *zip(seen, who, strict=True)]


@pytest.mark.parametrize("walks", [(a, b) for a in WALKS for b in WALKS])
def test_findings_are_those_of_single_words(hw: HW, walks: tuple[str, str]) -> None:
    for seed in range(3):
        expected = found(hw, walks, seed, whole=False)
        assert len(expected) > 4
        assert found(hw, walks, seed, whole=True) == expected


def test_findings_are_those_of_single_words_where_channels_take_turns(hw: HW) -> None:
    walks = ("columns of four words", "in order")
    expected = found(hw, walks, 7, whole=False, locks=True)
    assert found(hw, walks, 7, whole=True, locks=True) == expected


def test_half_of_a_bd_is_written_when_the_next_device_reads(hw: HW) -> None:
    first = hw.Rig()
    first.host(np.arange(96, dtype=np.int32))
    first.flow((0, 0, "DMA", 0), (0, 1, "DMA", 0))
    first.array.write_bd(0, 1, 0, hw.mem_bd(128))
    first.array.start_channel(0, 1, hw.S2MM, 0, 0)
    first.words.shim(hw.MM2S, 0, 0, hw.shim_bd(96), token=True)
    first.words.sync(hw.MM2S)
    assert first.run().status == "done"
    second = hw.Rig()
    second.array.inherit(first.array)
    second.host(np.zeros(128, np.int32))
    second.flow((0, 1, "DMA", 1), (0, 0, "DMA", 0))
    second.array.write_bd(0, 1, 24, hw.mem_bd(128))
    second.array.start_channel(0, 1, hw.MM2S, 1, 24)
    second.words.shim(hw.S2MM, 0, 0, hw.shim_bd(128))
    second.words.sync(hw.S2MM)
    [finding] = second.run(strict=False).findings
    assert (finding.kind, finding.address, finding.count) == ("uninitialized-read", 384, 32)
