"""The analyses under air-to-aie, each by itself."""

import random
from itertools import islice
from math import prod
from typing import Any

import numpy as np
import pytest

from allo_air.device import CORE_BD, MEM_BD
from allo_air.passes.to_aie._fewer_gates import fewer
from allo_air.passes.to_aie._periods import Loop, TooLong, period_of
from allo_air.passes.to_aie._sequences import is_in_turn
from allo_air.passes.to_aie._sync import Access, Gate, InexpressibleAccesses, gates
from allo_air.passes.to_aie._walks import UnwalkableError, Walk, fit


def said(tree: tuple[Any, ...]) -> list[Any]:
    found: list[Any] = []
    for node in tree:
        found += said(node.body) * node.count if isinstance(node, Loop) else [node]
    return found


def same(item: Any) -> Any:
    return item


def test_the_root_of_loops_says_what_they_say() -> None:
    draw = random.Random(0)

    def tree(depth: int) -> tuple[Any, ...]:
        parts: list[Any] = []
        for _ in range(draw.randint(1, 3)):
            parts.append(Loop(draw.randint(0, 3), tree(depth - 1)) if depth and draw.random() < 0.6 else draw.choice("ab"))
        return tuple(parts)

    for _ in range(300):
        made = tree(3)
        word, whole = period_of(made, same), said(made)
        assert list(word) * (len(whole) // max(1, len(word))) == whole
        assert not any(list(word) == list(word[:p]) * (len(word) // p) for p in range(1, len(word)))


def test_loops_of_any_length_have_a_root_where_one_word_repeats() -> None:
    assert period_of((Loop(None, ("a", "b")),), same) == ("a", "b")
    assert period_of((Loop(10**9, (Loop(7, ("a",)),)), "a"), same) == ("a",)
    with pytest.raises(TooLong, match="unknown number"):
        period_of((Loop(None, ("a",)), "b"), same)
    with pytest.raises(TooLong, match="1000001 transfers"):
        period_of((Loop(10**6, ("a",)), "b"), same)


def visited(offset: int, dims: Any) -> Any:
    walked = np.full(1, offset)
    for size, stride in dims:
        walked = (walked[:, None] + np.arange(size) * stride).reshape(-1)
    return walked


@pytest.mark.parametrize("limits", [CORE_BD, MEM_BD])
@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_bds_visit_what_their_walk_does_and_fit_their_fields(limits: Any, bits: int) -> None:
    draw = random.Random(bits)
    fitted = 0
    for _ in range(400):
        sizes = [draw.choice([1, 2, 3, 4, 8, 16, 300, 640]) for _ in range(draw.randint(1, 5))]
        if prod(sizes) > 100_000:
            continue
        strides, step = [], 1
        for size in reversed(sizes):
            strides.insert(0, step)
            step *= size * draw.choice([1, 1, 2])
        dims = list(zip(sizes, strides, strict=True))
        draw.shuffle(dims)
        walk = Walk(draw.choice([0, 4]), tuple(dims), step + 4, bits)
        try:
            bds = fit(walk, limits)
        except UnwalkableError:
            continue
        fitted += 1
        walked = [visited(part.offset, shape or part.plain.dims) for part, shape in bds]
        np.testing.assert_array_equal(np.concatenate(walked), visited(walk.offset, dims))
        for _, shape in bds:
            assert len(shape) <= limits.dimensions
            for at, (size, stride) in enumerate(reversed(shape)):
                words = size * bits // 32 if at == 0 else size
                assert size <= 512
                assert at >= len(limits.max_wraps) or words <= limits.max_wraps[at]
                assert size == 1 or stride * bits <= limits.max_step * 32
    assert fitted > 50


def test_a_step_that_stays_in_place_is_descriptors_of_their_own() -> None:
    found = fit(Walk(0, ((4, 64), (2, 0), (8, 1)), 256, 32), MEM_BD)
    assert [(part.offset, shape) for part, shape in found] == [(64 * i, ()) for i in range(4) for _ in range(2)]


@pytest.mark.parametrize(
    ("walk", "why"),
    [
        (Walk(0, ((3, 1),), 8, 16), "moves 6 bytes from byte 0; the DMA moves whole 32-bit words"),
        (Walk(1, ((4, 1),), 8, 16), "moves 8 bytes from byte 2"),
        (Walk(0, ((4, 4), (2, 1)), 16, 8), "rows of 2 elements of 8 bits"),
        (Walk(0, ((4, 2),), 8, 16), "innermost stride of 2"),
        (Walk(4, ((8, 1),), 8, 32), "visits elements 4 to 11 of a buffer of 8"),
        (Walk(0, ((67, 67), (67, 67 * 67), (67, 1)), 67**3, 32), "a BD's length holds at most 16383"),
        (Walk(0, ((4, 6), (4, 1)), 32, 8), "steps by 6 elements of 8 bits; a step is whole 32-bit words"),
    ],
)
def test_walks_that_no_bd_does_say_why(walk: Walk, why: str) -> None:
    with pytest.raises(UnwalkableError, match=why):
        fit(walk, CORE_BD)


def simulate(accesses: list[Access], locks: list[Gate], seed: int) -> list[int]:
    """The order in which accesses end up, agents taking turns at random, for a few repetitions."""
    draw, level = random.Random(seed), [g.init for g in locks]
    agents: dict[Any, list[int]] = {}
    for i, access in enumerate(accesses):
        agents.setdefault(access.agent, []).extend([i] * access.count)
    place = dict.fromkeys(agents, 0)
    order: list[int] = []
    while len(order) < 5 * sum(a.count for a in accesses):
        ready = []
        for agent, mine in agents.items():
            now = mine[place[agent] % len(mine)]
            if all(level[n] >= amount for n, g in enumerate(locks) for at, amount in g.dests if at == now):
                ready.append((agent, now))
        assert ready, "deadlock"
        agent, now = draw.choice(ready)
        place[agent] += 1
        order.append(now)
        for n, gate in enumerate(locks):
            level[n] += sum(a for at, a in gate.sources if at == now) - sum(a for at, a in gate.dests if at == now)
    return order


def test_locks_keep_conflicting_accesses_in_order() -> None:
    """Random programs of five agents on four parts of a buffer; agents that share a lock are never aligned here."""
    draw = random.Random(3)
    for trial in range(300):
        accesses = []
        kinds = {agent: draw.random() < 0.5 for agent in range(5)}
        for _ in range(draw.randint(1, 7)):
            agent, first = draw.randrange(5), draw.randrange(4)
            width = draw.randint(1, 4 - first)
            accesses.append(Access(agent, kinds[agent], Walk(first, ((width, 1),), 4, 32)))
        locks = gates(accesses, lambda a, b: False)
        order = simulate(accesses, fewer(locks, accesses) if trial % 2 else locks, trial)
        rounds: dict[int, int] = {}
        numbered = []
        for at in order:
            rounds[at] = rounds.get(at, -1) + 1
            numbered.append((rounds[at], at))
        for i, one in enumerate(numbered):
            for other in islice(numbered, i):
                a, b = accesses[one[1]], accesses[other[1]]
                if a.agent != b.agent and (a.writes or b.writes) and a.walk.overlaps(b.walk):  # type: ignore[union-attr,arg-type]
                    assert other < one, (accesses, numbered)


def test_a_gate_counts_for_all_who_share_it() -> None:
    whole, left, right = (Walk(o, ((n, 1),), 8, 32) for o, n in ((0, 8), (0, 4), (4, 4)))
    split = [Access("in", True, whole), Access("l", False, left), Access("r", False, right)]
    free, full = gates(split, lambda a, b: True)
    assert full == Gate(((0, 2),), ((1, 1), (2, 1)), 0)
    assert free == Gate(((1, 1), (2, 1)), ((0, 2),), 2)
    again = [Access("in", True, whole), Access("out", False, whole, 3)]
    assert gates(again, lambda a, b: True) == [Gate(((1, 1),), ((0, 3),), 3), Gate(((0, 3),), ((1, 1),), 0)]


def test_one_pair_of_locks_for_a_buffer_that_is_sent_several_times() -> None:
    whole = Walk(0, ((8, 1),), 8, 32)
    sends = [Access("core", True, None), Access("out", False, whole)] * 3
    assert fewer(gates(sends, lambda a, b: True), sends) == [
        Gate(((1, 1), (3, 1), (5, 1)), ((0, 1), (2, 1), (4, 1)), 1),
        Gate(((0, 1), (2, 1), (4, 1)), ((1, 1), (3, 1), (5, 1)), 0),
    ]


def test_readers_in_step_share_a_lock_for_several_readings() -> None:
    left, right = (Walk(o, ((4, 1),), 8, 32) for o in (0, 4))
    accesses = [Access("in", True, Walk(0, ((8, 1),), 8, 32)), Access("l", False, left, 3), Access("r", False, right, 3)]
    free, full = gates(accesses, lambda a, b: True, in_step=True)
    assert full == Gate(((0, 6),), ((1, 1), (2, 1)), 0)
    assert free == Gate(((1, 1), (2, 1)), ((0, 6),), 6)
    with pytest.raises(InexpressibleAccesses):
        gates(accesses, lambda a, b: True)


@pytest.mark.parametrize(
    ("order", "unsafe"),
    [((0,), ()), ((0, 1), ()), ((0, 1, 2), ()), ((0, 1, 0, 1, 2), (0,)), ((0, 1, 0, 2), (0,)), ((0, 0, 1), (0,))],
)
def test_channels_that_share_a_lock_keep_their_turns(order: tuple[int, ...], unsafe: tuple[int, ...]) -> None:
    """As many shares as channels come at once, when all have left the buffer: at random, some channel takes a second one."""
    for buffer in set(order):
        assert is_in_turn(order, buffer) == (buffer not in unsafe)
    assert {first_overtaken(order, seed) for seed in range(200)} - {None} == set(unsafe)


def first_overtaken(order: tuple[int, ...], seed: int) -> int | None:
    """The first buffer of which one of two channels takes a second share before the other has its first; None without one."""
    draw, at, level, left = random.Random(seed), [0, 0], dict.fromkeys(order, 0), dict.fromkeys(order, 2)
    visits = [dict.fromkeys(order, 0), dict.fromkeys(order, 0)]
    filled = 0
    for _ in range(100):
        if left[now := order[filled % len(order)]] == 2:
            filled, left[now], level[now] = filled + 1, 0, level[now] + 2
        for n in (0, 1):
            now = order[at[n] // 2 % len(order)]
            if at[n] % 2 == 0 and level[now]:  # even: asks for its next buffer; odd: reads it
                level[now], at[n] = level[now] - 1, at[n] + 1
                visits[n][now] += 1
                if abs(visits[0][now] - visits[1][now]) > 1:
                    return now
        if done := [n for n in (0, 1) if at[n] % 2]:
            n = draw.choice(done)
            left[order[at[n] // 2 % len(order)]] += 1
            at[n] += 1
    return None
