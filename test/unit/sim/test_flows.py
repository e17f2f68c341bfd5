"""Routes from flows, packet flows and configured switches."""

from collections.abc import Callable

import pytest

from allo_air.errors import DiagnosticError
from allo_air.sim.cascades import cascades_of
from allo_air.sim.flows import routes_of, switches_between
from allo_air.sim.layout import Layout

LayOut = Callable[..., Layout]
TILES = "\n".join(f"%t{c}{r} = aie.tile({c}, {r})" for c in range(2) for r in range(4)) + "\n"


def test_flows_with_one_source_are_a_broadcast(laid_out: LayOut) -> None:
    [route] = routes_of(laid_out(TILES + "aie.flow(%t01, DMA : 0, %t02, DMA : 1)\naie.flow(%t01, DMA : 0, %t13, DMA : 0)"))
    assert route.source == (0, 1, "DMA", 0) and route.packet is None
    assert [(d.port, d.switches) for d in route.destinations] == [((0, 2, "DMA", 1), 2), ((1, 3, "DMA", 0), 4)]
    assert [(d.latency, d.fifo) for d in route.destinations] == [(7, 14), (15, 30)]


def test_shim_ports_of_its_dma(laid_out: LayOut) -> None:
    routes = routes_of(laid_out(TILES + "aie.flow(%t00, South : 7, %t02, DMA : 0)\naie.flow(%t02, DMA : 0, %t00, South : 2)"))
    assert routes[0].source == (0, 0, "DMA", 1)
    assert routes[1].destinations[0].port == (0, 0, "DMA", 0)


def test_packet_flows(laid_out: LayOut) -> None:
    flow = "aie.packet_flow({}) {{ aie.packet_source<%t02, DMA : 0> aie.packet_dest<{}> }} {}\n"
    routes = routes_of(
        laid_out(
            TILES
            + flow.format(3, "%t00, DMA : 1", "")
            + flow.format(4, "%t03, Core : 0", "")
            + flow.format(5, "%t00, DMA : 1", "{keep_pkt_header = true}")
        )
    )
    assert [(r.packet, r.destinations[0].keep_header) for r in routes] == [((3, 31), False), ((4, 31), True), ((5, 31), True)]


@pytest.mark.parametrize(
    ("flows", "message"),
    [
        ("aie.flow(%t01, DMA : 0, %t02, DMA : 0)\naie.flow(%t01, DMA : 1, %t02, DMA : 0)", "ends already"),
        ("aie.flow(%t01, DMA : 7, %t02, DMA : 0)", "source DMA channel 7 does not exist: tile (0, 1) has 6"),
        ("aie.flow(%t01, DMA : 0, %t02, DMA : 2)", "dest DMA channel 2 does not exist: tile (0, 2) has 2"),
        (
            "aie.flow(%t02, DMA : 0, %t01, DMA : 0)\n"
            "aie.packet_flow(1) { aie.packet_source<%t02, DMA : 0> aie.packet_dest<%t01, DMA : 1> }",
            "is a circuit from DMA 0 of tile (0, 2)",
        ),
    ],
)
def test_contradictions(laid_out: LayOut, flows: str, message: str) -> None:
    with pytest.raises(DiagnosticError) as error:
        routes_of(laid_out(TILES + flows))
    assert message in str(error.value) and error.value.diagnostics[0].line


def test_switch_counts(laid_out: LayOut) -> None:
    layout = laid_out(TILES)
    assert switches_between(layout, (0, 1), (1, 1)) == 4  # memtiles pass streams up and down only
    assert switches_between(layout, (0, 0), (1, 0)) == 2
    assert switches_between(layout, (0, 2), (0, 2)) == 1


ROUTED = """
%m = aie.shim_mux(%t00) { aie.connect<DMA : 1, North : 7> }
%s0 = aie.switchbox(%t00) { aie.connect<South : 7, East : 2> aie.connect<South : 7, North : 0> }
%s1 = aie.switchbox(%t10) { aie.connect<West : 2, North : 5> }
%s2 = aie.switchbox(%t11) { aie.connect<South : 5, DMA : 3> }
%s3 = aie.switchbox(%t01) { aie.connect<South : 0, DMA : 0> }
%s4 = aie.switchbox(%t02) {
  %a = aie.amsel<0> (0)
  %b = aie.amsel<0> (1)
  %x = aie.masterset(East : 1, %a)
  %y = aie.masterset(DMA : 0, %a, %b) {keep_pkt_header = true}
  aie.packet_rules(DMA : 0) { aie.rule(31, 6, %a) aie.rule(30, 8, %b) }
}
%s5 = aie.switchbox(%t12) { aie.connect<West : 1, DMA : 1> }
"""


def test_switches_are_followed(laid_out: LayOut) -> None:
    routes = {(r.source, r.packet): r for r in routes_of(laid_out(TILES + ROUTED))}
    shim = routes.pop(((0, 0, "DMA", 1), None))
    assert [(d.port, d.switches) for d in shim.destinations] == [((0, 1, "DMA", 0), 2), ((1, 1, "DMA", 3), 3)]
    core = (0, 2, "DMA", 0)
    assert set(routes) == {(core, (6, 31)), (core, (8, 31)), (core, (9, 31))}
    both = routes[core, (6, 31)].destinations
    assert [(d.port, d.keep_header) for d in both] == [((0, 2, "DMA", 0), True), ((1, 2, "DMA", 1), False)]
    assert [d.port for d in routes[core, (9, 31)].destinations] == [(0, 2, "DMA", 0)]


def test_cascades(laid_out: LayOut) -> None:
    cores = "\n".join(f"%c{c}{r} = aie.core(%t{c}{r}) {{ aie.end }}" for c in range(2) for r in (2, 3)) + "\n"
    assert cascades_of(laid_out(TILES + cores)) == [((0, 3), (0, 2)), ((1, 3), (1, 2))]
    flow = "aie.cascade_flow(%t02, %t12)\n"
    assert cascades_of(laid_out(TILES + cores + flow)) == [((0, 2), (1, 2))]
    directed = "aie.configure_cascade(%t03, North, East)\naie.configure_cascade(%t13, West, South)\n"
    assert cascades_of(laid_out(TILES + cores + directed)) == [((0, 3), (1, 3)), ((1, 3), (1, 2))]
