"""AIR by hand, a small program for each construct, through air-npu: the simulator against numpy and the interpreter."""

from pathlib import Path

import numpy as np
import pytest

import allo_air
from allo_air.program.source import source_of
from allo_air.program.stage import run_stage
from helpers import in_turns

PROGRAMS = Path(__file__).parents[1] / "data/air_programs"

WRITTEN = {
    "alloc_outside_launch": lambda a: a,
    "bd_too_long": None,
    "cascade": lambda a: a,
    "constants": lambda a: a * np.arange(1, 9, dtype=np.int32),
    "l1_in_segment": lambda a: a,
    "l1_in_segment_cores": lambda a: a.reshape(4, 4, 64).sum(1, dtype=np.int32),
    "l1_in_segment_one_herd": lambda a: a,
    "l1_in_segment_loop": lambda a: a.reshape(4, 64).sum(0, dtype=np.int32),
    "l1_shared": lambda a: a,
    "l2_in_herd": lambda a: a,
    "label_siblings": None,
    "locks": None,
    "loops_at_two_paces": None,
    "loops_in_turn": None,
    "matmul_k_outer": None,
    "odd_tiles": None,
    "packets_dest": None,
    "packets_in_turns": None,
    "packets_share_shims": None,
    "pad": lambda a: np.pad(a, (0, 4)),
    "peeled_channels": lambda a: a[128:],
    "reinterpret_cast_ranked": lambda a: a,
    "reshape_to_call": None,
    "scalar_channel_indices": None,
    "segment_unroll": lambda a: a,
    "segments": lambda a: a,
    "two_launches": lambda a: a,
    "vector": lambda a: 2 * a,
}
"""What a program writes to its second argument, by its first; None where it writes elsewhere."""


@pytest.mark.parametrize(("name", "device"), in_turns(WRITTEN))
def test_a_program(name: str, device: str) -> None:
    path = PROGRAMS / f"{name}.mlir"
    interpreted = run_stage(source_of(path))
    program = allo_air.compile(path, device=device, cache=False)
    assert program.pipeline == "air-npu"
    arrays = [a.copy() for a in interpreted.before]
    program(*arrays)
    for simulated, wanted in zip(arrays, interpreted.arrays, strict=True):
        np.testing.assert_array_equal(simulated, wanted)
    if (written := WRITTEN[name]) is not None:
        np.testing.assert_array_equal(arrays[1], written(interpreted.before[0]))


@pytest.mark.parametrize("name", ["label_siblings", "matmul_k_outer", "peeled_channels"])
def test_channels_share_others_where_they_can(name: str) -> None:
    path = PROGRAMS / f"{name}.mlir"
    interpreted = run_stage(source_of(path))
    arrays = [a.copy() for a in interpreted.before]
    allo_air.compile(path, cache=False, channel_multiplexing=("L1", "L2", "L3"))(*arrays)
    for simulated, wanted in zip(arrays, interpreted.arrays, strict=True):
        np.testing.assert_array_equal(simulated, wanted)


def test_a_returned_buffer() -> None:
    a = np.arange(64, dtype=np.int32)
    np.testing.assert_array_equal(allo_air.compile(PROGRAMS / "returned.mlir", cache=False)(a), a)


def test_arguments_without_a_rank() -> None:
    a, b = np.arange(128, dtype=np.float32), np.zeros(128, np.float32)
    program = allo_air.compile(PROGRAMS / "reinterpret_cast.mlir", cache=False)
    assert [x.shape for x in program.arguments] == [(128,), (128,)]
    program(a, b)
    np.testing.assert_array_equal(b, a)


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_packets_of_two_cores_converge(device: str) -> None:
    """Which core's come first is open, so both send the same."""
    program = allo_air.compile(PROGRAMS / "packets_converge.mlir", device=device, cache=False)
    a, b = np.arange(64, dtype=np.int32), np.zeros(128, np.int32)
    program(a, b)
    np.testing.assert_array_equal(b, np.concatenate([a, a]))
    assert program.text().count("aie.packet_source") == 2
