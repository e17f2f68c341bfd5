"""aie-create-pathfinder-flows and aie-find-flows: on designs that mlir-aie routed, and on arrays full of random flows."""

import random
from typing import Any

import pytest

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.core.walking import walk_named
from allo_air.errors import AlloAirError
from allo_air.mlir import ir
from allo_air.passes.resources._found_flows import FoundFlow, found_flows
from allo_air.passes.resources.aie_create_pathfinder_flows import AieCreatePathfinderFlows
from allo_air.target.sequences import devices
from helpers import TEST

DESIGNS = sorted((TEST / "data/known-answers/cdo").iterdir())


def routed(text: str) -> tuple[Any, Any]:
    """The module and its device after the router."""
    module = asm.read(text, "input.mlir")
    [device] = devices(module)
    AieCreatePathfinderFlows().run(device)
    return module, device


def arbiters(device: Any) -> int:
    return sum(
        len({o.attributes["arbiterID"].value for o in walk_named(box, "aie.amsel")})
        for box in walk_named(device, "aie.switchbox")
    )


def flow_text(flow: FoundFlow, names: dict[Any, str]) -> str:
    def port(end: Any) -> str:
        place, (bundle, channel) = end
        return f"{names[place]}, {bundle} : {channel}"

    if flow.packet is None:
        return "\n".join(f"aie.flow({port(flow.source)}, {port(dest)})" for dest in flow.dests)
    dests = " ".join(f"aie.packet_dest<{port(dest)}>" for dest in flow.dests)
    keep = " {keep_pkt_header = true}" if flow.keep else ""
    return f"aie.packet_flow({flow.packet}) {{ aie.packet_source<{port(flow.source)}> {dests} }}{keep}"


def unrouted(device: str, flows: list[FoundFlow]) -> str:
    places = sorted({end[0] for flow in flows for end in (flow.source, *flow.dests)})
    names = {place: f"%t_{place[0]}_{place[1]}" for place in places}
    tiles = "\n".join(f"{name} = aie.tile({c}, {r})" for (c, r), name in names.items())
    return f"aie.device({device}) {{\n{tiles}\n" + "\n".join(flow_text(flow, names) for flow in flows) + "\n}"


@pytest.mark.parametrize("folder", DESIGNS, ids=lambda p: p.name)
def test_as_few_arbiters_as_mlir_aie(folder: Any) -> None:
    with reused_context():
        module = asm.read((folder / "routed.mlir").read_text(), "routed.mlir")
        [device] = devices(module)
        flows, most = found_flows(device), arbiters(device)
        name = asm.write(module).partition("aie.device(")[2].partition(")")[0]
        _module, ours = routed(unrouted(name, flows))
        assert found_flows(ours) == flows
        assert arbiters(ours) <= most


def test_known_streams_do_not_depend_on_order() -> None:
    with reused_context():
        module = asm.read((DESIGNS[3] / "routed.mlir").read_text(), "routed.mlir")
        [device] = devices(module)
        flows = found_flows(device)
        texts = set()
        for seed in range(3):
            mixed = random.Random(seed).sample(flows, len(flows))
            texts.add(asm.write(routed(unrouted("npu1", mixed))[0]))
        assert len(texts) == 1


@pytest.mark.parametrize("seed", range(6))
def test_random_flows_arrive(seed: int) -> None:
    """Circuits and packets between random ports of an array: what arrives is what was asked for."""
    draw = random.Random(seed)
    flows: list[FoundFlow] = []
    cores = [(c, r) for c in range(4) for r in range(2, 6)]
    memtiles = [(c, 1) for c in range(4)]
    ends = {(t, ("DMA", n)) for t in cores for n in range(2)} | {(t, ("DMA", n)) for t in memtiles for n in range(6)}
    sources, dests = sorted(ends), sorted(ends)
    draw.shuffle(sources), draw.shuffle(dests)
    for number in range(24):
        packet = number % 8 if number % 2 else None
        flows.append(FoundFlow(sources.pop(), tuple(sorted(dests.pop() for _ in range(draw.choice((1, 1, 2))))), packet, False))
    with reused_context():
        try:
            _, device = routed(unrouted("npu1", flows))
        except AlloAirError as error:
            pytest.skip(str(error))
        assert sorted(found_flows(device), key=str) == sorted(flows, key=str)


def test_fan_in_joins_on_the_way() -> None:
    text = """aie.device(npu2) {
  %a = aie.tile(0, 2)
  %b = aie.tile(0, 5)
  %c = aie.tile(2, 4)
  %m = aie.tile(0, 1)
  %n = aie.tile(1, 1)
  aie.packet_flow(5) {
    aie.packet_source<%b, DMA : 0> aie.packet_source<%a, DMA : 1> aie.packet_source<%c, DMA : 1>
    aie.packet_dest<%m, DMA : 5> aie.packet_dest<%n, DMA : 2>
  }
}"""
    with reused_context():
        module, device = routed(text)
        found = found_flows(device)
        assert [flow.source for flow in found] == [((0, 2), ("DMA", 1)), ((0, 5), ("DMA", 0)), ((2, 4), ("DMA", 1))]
        assert {flow.dests for flow in found} == {(((0, 1), ("DMA", 5)), ((1, 1), ("DMA", 2)))}
        assert isinstance(module, ir.Operation)
