"""Random graphs of streams between cores give what the same program gives with queues."""

import linecache
import random
from collections import deque

import numpy as np
import pytest

import allo_air as allo
import allo_air.dataflow as df
from allo_air.ir.types import Stream, int32
from allo_air.memory import Layout

Event = tuple[str, int, int]


def programs(chance: random.Random, cores: int) -> list[list[Event]]:
    """What each core puts and gets, over streams from core to core; nothing waits for ever."""
    found: list[list[Event]] = [[] for _ in range(cores)]
    hub = chance.random() < 0.3
    for _ in range(chance.randrange(cores, 4 * cores)):
        a, b = chance.sample(range(cores), 2)
        if hub and chance.random() < 0.6:
            a, b = chance.choice([(0, b or 1), (a or 1, 0)])
        found[a].append(("put", a, b))
        found[b].append(("get", a, b))
    for events in found:
        for at in range(1, len(events)):
            if (events[at - 1][0], events[at][0]) == ("get", "put") and chance.random() < 0.2:
                events[at - 1], events[at] = events[at], events[at - 1]
    return found


def source(found: list[list[Event]], size: int) -> str:
    """The region."""
    streams = dict.fromkeys(f"s{a}_{b}: Stream[int32[{size}], 2]" for events in found for _, a, b in events)
    total = len(found) * size
    lines = ["@df.region()", f"def top(A: int32[{total}], B: int32[{total}]):", *(f"    {s}" for s in streams)]
    lines += [
        f"    @df.kernel(mapping=[{len(found)}], args=[A, B])",
        f"    def core(a: int32[{total}] @ S, b: int32[{total}] @ S):",
        "        i = df.get_pid()",
        f"        x: int32[{size}] = a",
    ]
    for core, events in enumerate(found):
        lines += [f"        with allo.meta_if(i == {core}):"] if events else []
        for kind, a, b in events:
            put, get = f"s{a}_{b}.put(x)", f"x[:] = allo.add(allo.mul(x, 3), s{a}_{b}.get())"
            lines.append(" " * 12 + (put if kind == "put" else get))
    return "\n".join([*lines, "        b[:] = x", ""])


def by_queues(found: list[list[Event]], x: np.ndarray) -> np.ndarray:
    """What the region makes of each core's row."""
    x, at, queues = x.copy(), [0] * len(found), dict[tuple[int, int], deque[np.ndarray]]()
    while any(n < len(events) for n, events in zip(at, found, strict=True)):
        for core, events in enumerate(found):
            while at[core] < len(events):
                kind, a, b = events[at[core]]
                if kind == "put":
                    queues.setdefault((a, b), deque()).append(x[core].copy())
                elif not queues.get((a, b)):
                    break
                else:
                    x[core] = x[core] * 3 + queues[a, b].popleft()
                at[core] += 1
    return x


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 3, 4, 5, 7, 10, 12])
def test_cores_that_are_no_neighbours_exchange_over_others(seed):
    chance, size = random.Random(seed), 8
    found = programs(chance, chance.choice([4, 6, 8, 9, 12]))
    text, name = source(found, size), f"<streams {seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names = {"allo": allo, "df": df, "int32": int32, "Stream": Stream, "S": Layout("S0")}
    exec(compile(text, name, "exec"), names)
    a = np.random.default_rng(seed).integers(-5, 5, (len(found), size)).astype(np.int32)
    b = np.zeros(a.size, np.int32)
    df.build(names["top"], target="aie", device_type=("npu1", "npu2")[seed % 2])(a.ravel(), b)
    np.testing.assert_array_equal(b.reshape(a.shape), by_queues(found, a))
