"""The search over orders: transition systems by hand, with and without what makes them hang."""

import pytest

from allo_air.sim import _engine

SENDS, TAKES = True, False


def gather(shared):
    """Two senders fill a block that a third sends on: under one lock pair, or one each."""
    system = _engine.Orders()
    free = [system.lock(2 if shared else 1) for _ in range(1 if shared else 2)]
    full = [system.lock(0) for _ in free]
    for n in range(2):
        link = system.link(24)
        source = system.channel(SENDS, link)
        system.begin(source, system.task(system.bd(-1, 0, False, 32, -1, -1, 0, -1, 0, 0, True, True), 4, False))
        taken = system.bd(free[n % len(free)], 1, False, 32, -1, full[n % len(free)], 1, -1, 0, 0, True, True)
        system.chain(taken, taken)
        system.begin(system.channel(TAKES, link), system.task(taken, 1, False))
    steps = [(7, -1, 0, -1)]
    steps += [(0, f, 2 if shared else 1, -1) for f in full]
    steps += [(2, f, 2 if shared else 1, -1) for f in free]
    steps += [(8, 0, 0, -1)]
    steps[0] = (7, 4, len(steps), -1)
    done = system.lock(0)
    system.core([*steps, (2, done, 1, -1)])
    out = system.link(24)
    system.begin(
        system.channel(SENDS, out), system.task(system.bd(done, 1, False, 8, -1, -1, 0, -1, 0, 0, True, True), 1, False)
    )
    last = system.channel(TAKES, out)
    system.begin(last, system.task(system.bd(-1, 0, False, 8, -1, -1, 0, -1, 0, 0, True, True), 1, True))
    system.order(1, last, 0)
    system.prepare()
    return system


@pytest.mark.parametrize("shared", [False, True])
def test_every_order_is_looked_at(shared):
    result = gather(shared).every(10000, 1000000, 5.0, False)
    assert result["complete"]
    assert result["states"] > 0 if shared else result["orders"] == 1


def crossed(same):
    """Two cores that take two locks, in the same order or not."""
    system = _engine.Orders()
    a, b, done = system.lock(1), system.lock(1), system.lock(0)
    for first, second in ((a, b), (a, b) if same else (b, a)):
        system.core([(0, first, 1, -1), (0, second, 1, -1), (2, second, 1, -1), (2, first, 1, -1), (2, done, 1, -1)])
    link = system.link(8)
    system.begin(
        system.channel(SENDS, link), system.task(system.bd(done, 2, False, 8, -1, -1, 0, -1, 0, 0, True, True), 1, False)
    )
    last = system.channel(TAKES, link)
    system.begin(last, system.task(system.bd(-1, 0, False, 8, -1, -1, 0, -1, 0, 0, True, True), 1, True))
    system.order(1, last, 0)
    system.prepare()
    return system


@pytest.mark.parametrize("same", [False, True])
def test_locks_in_two_orders_hang_in_some(same):
    result = crossed(same).every(10000, 1000000, 5.0, False)
    assert result["complete"]
    assert (result["hanging"] == 0) == same
    assert result["hanging"] < result["orders"]


@pytest.mark.parametrize("same", [False, True])
def test_some_orders_find_what_every_order_does(same):
    result = crossed(same).some(100, 1000000, 5.0, 0, False)
    assert (result["hanging"] == 0) == same
