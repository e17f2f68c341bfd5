"""Shim channels that several streams share."""

from allo_air.device import DEVICES
from allo_air.passes.to_aie._shims import ShimStream, place_shims


def test_an_id_of_a_lane_keeps_others_off_its_channel():
    asked = [("a", 1, "l"), ("b", 2, None), ("c", 3, None), ("d", 3, "l")]
    requests = [ShimStream((name, ()), True, 0, None, None, lane, True, (number,)) for name, number, lane in asked]
    ports = place_shims(requests, DEVICES["npu1_1col"])
    assert ports["a", ()] == ports["d", ()]
    assert ports["c", ()] == ports["b", ()]
