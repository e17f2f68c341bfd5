"""Boxes in L2 whose cores wait for each other."""

from allo_air.device import DEVICES
from allo_air.frontend.arrangement import arrange
from allo_air.frontend.boxes import boxes_of
from allo_air.frontend.flow import flows, levels
from allo_air.frontend.instances import Instance, Part
from allo_air.frontend.rounds import rounds_of
from allo_air.frontend.transfers import ChannelLimits, plan_channels
from allo_air.frontend.virtual import Edge, VirtualGraph


class Kernel:
    """As much of a kernel as plans look at."""

    def __init__(self, name):
        self.name = name


class Taking(Instance):
    """An instance that reads one part of tensor 0."""

    @property
    def parts(self):
        return (Part(0, (self.pid[0] * 4,), (4,)),)


def chains(length, cores=2, kind=Taking):
    """Cores that read `length` parts one after another, each of which puts to the next core after its last part."""
    instances = [kind(Kernel("k"), (n,), (True,), (False,), {}, {}, "") for n in range(length * cores)]
    edges = [Edge(f"s{c}", c * length - 1, c * length, 1, 1, 2) for c in range(1, cores)]
    graph = VirtualGraph(instances, edges)
    graph.apply([("chain", [f"k_{c * length + n}" for n in range(length)]) for c in range(cores)] if length > 1 else [])
    return graph


def planned(graph):
    rounds = rounds_of(graph)
    plan = plan_channels(graph.instances, rounds, ChannelLimits(), [(1, 1)] * len(rounds.cores))
    return rounds, plan, boxes_of(plan)


def test_a_box_is_two_parts_ahead():
    assert flows(chains(2), *planned(chains(2)))
    graph = chains(4)
    assert not flows(graph, *planned(graph))


def test_cores_that_wait_for_more_parts_have_a_box_of_their_own():
    graph = chains(4)
    found = arrange(graph, DEVICES["npu1"])
    assert levels(graph, found.rounds) == [0, 1]
    assert [len(box.channels) for _, box in found.boxes.grouped] == [1, 1]
    assert flows(graph, found.rounds, found.plan, found.boxes)


class TakingTheSame(Taking):
    """An instance that reads the whole of tensor 0."""

    @property
    def parts(self):
        return (Part(0, (0,), (4,)),)


def test_cores_that_wait_for_more_parts_have_a_channel_of_their_own():
    few, many = chains(2, kind=TakingTheSame), chains(3, kind=TakingTheSame)
    assert flows(few, *planned(few))
    assert not flows(many, *planned(many))
    found = arrange(many, DEVICES["npu1"])
    assert [len(c.users) for c in found.plan.channels] == [1, 1]
    assert flows(many, found.rounds, found.plan, found.boxes)
