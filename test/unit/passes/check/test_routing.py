"""The router: every route leads from source to destinations over wires that exist, and crowded edges are told."""

import random

import pytest

from allo_air.device import DEVICES
from allo_air.passes.check._routing import route
from allo_air.passes.check._streams import Net, Port, capacities


def net(source: tuple[int, int], *dests: tuple[int, int], packet: bool = False) -> Net:
    return Net(Port(source, "DMA", 0), [Port(d, "DMA", 0) for d in dests], [], packet)


@pytest.mark.parametrize("name", ["npu1", "npu2", "npu1_1col"])
def test_routes_are_connected_and_within_the_wires(name: str) -> None:
    device = DEVICES[name]
    room = capacities(device)
    rng = random.Random(7)
    places = [(c, r) for c in range(device.columns) for r in range(device.rows)]
    for _ in range(30):
        nets = [net(rng.choice(places), *rng.sample(places, rng.randint(1, 3))) for _ in range(rng.randint(1, 8))]
        found = route(nets, room)
        for one, edges in zip(nets, found.edges, strict=True):
            reached = {one.source.place}
            for _ in edges:
                reached |= {b for a, b in edges if a in reached}
            assert {d.place for d in one.dests} <= reached
            assert all(edge in room for edge in edges)
        used = {edge: sum(edge in edges for edges in found.edges) for edge in room}
        assert {e: n for e, n in used.items() if n > room[e]} == found.crowded


def test_memtiles_have_no_wires_to_the_side() -> None:
    room = capacities(DEVICES["npu1"])
    assert room[(0, 1), (0, 2)] == 6
    assert room[(0, 2), (0, 1)] == 4
    assert ((0, 1), (1, 1)) not in room
    [edges] = route([net((0, 1), (1, 1))], room).edges
    assert len(edges) == 3


def test_streams_spread_over_other_wires_when_the_straight_ones_are_full() -> None:
    room = capacities(DEVICES["npu1"])
    found = route([net((0, 3), (1, 3)) for _ in range(6)], room)
    assert not found.crowded
    assert any(len(edges) > 1 for edges in found.edges)


def test_packets_share_a_wire_and_circuits_do_not() -> None:
    room = {((0, 0), (0, 1)): 1}
    assert not route([net((0, 0), (0, 1), packet=True) for _ in range(3)], room).crowded
    assert route([net((0, 0), (0, 1)) for _ in range(2)], room).crowded == {((0, 0), (0, 1)): 2}
