"""What configures and steers a running design: control packets and their answers, runtime parameters, the processor bus."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import allo_air
from allo_air.errors import DiagnosticError
from allo_air.sim.report_types import SimulationError
from allo_air.target.control_packets import READ, WRITE, header

DESIGNS = Path(__file__).parent / "control"
LOCKS = 0x1F000


def test_a_result_is_read_back_by_packets() -> None:
    a = np.arange(8, dtype=np.int32) * 7 - 20
    packets = [
        header(1024, 4, WRITE, 0), *a[:4], header(1040, 4, WRITE, 0), *a[4:], header(LOCKS, 1, WRITE, 0), 1,
        header(LOCKS + 16, 1, READ, 2), header(2048, 4, READ, 2), header(2064, 4, READ, 2),
    ]  # fmt: skip
    result, first = np.zeros(9, np.int32), np.zeros(1, np.int32)
    words = np.array(packets, np.int64).astype(np.uint32).view(np.int32)
    assert allo_air.simulate(DESIGNS / "read_back.mlir", words, result, first).ok
    np.testing.assert_array_equal(result, [0, *(a + 1)])
    assert first[0] == a[0] + 1


def test_the_token_of_packets_comes_after_what_they_write() -> None:
    words = np.array([header(4096, 4, WRITE, 0), 3, 1, 4, 1], np.int64).astype(np.uint32).view(np.int32)
    result = np.zeros(4, np.int32)
    assert allo_air.simulate(DESIGNS / "go.mlir", words, result).findings == []
    np.testing.assert_array_equal(result, [3, 1, 4, 1])


def test_packets_configure_a_memtile() -> None:
    a, c = np.arange(16, dtype=np.int32), np.zeros(16, np.int32)
    assert allo_air.simulate(DESIGNS / "reconfigure.mlir", a, c).ok
    np.testing.assert_array_equal(c, a.reshape(4, 4).T.reshape(-1))


def test_a_core_runs_again_after_its_reset() -> None:
    c = np.zeros(8, np.int32)
    assert allo_air.simulate(DESIGNS / "restart.mlir", c).ok
    np.testing.assert_array_equal(c, [10, 11, 12, 13, 200, 201, 202, 203])


def sequence(*packets: str, flows: str = "") -> str:
    lines = "\n".join(f"      aiex.control_packet {{{p}}}" for p in packets)
    return f"""
module {{
  aie.device(npu1_1col) {{
    %shim = aie.tile(0, 0)
    %tile = aie.tile(0, 2)
    {flows}
    aie.runtime_sequence @seq() {{
{lines}
    }}
  }}
}}"""


def write(address: int, *data: int, stream: int = 0) -> str:
    words = ", ".join(map(str, data))
    return f"address = {address} : ui32, data = array<i32: {words}>, opcode = 0 : i32, stream_id = {stream} : i32"


@pytest.mark.parametrize(
    ("offset", "register"),
    [
        (0x20000, "Program_Memory"),
        (0x3F008, "Stream_Switch_Master_Config"),
        (0x36060, "Accumulator_Control"),
        (0x70000, "0x70000"),
    ],
)
def test_what_cannot_be_reconfigured_names_its_register(offset: int, register: str) -> None:
    with pytest.raises(SimulationError, match=register):
        allo_air.simulate(sequence(write(2 << 20 | offset, 1)))


@pytest.mark.parametrize(
    ("packet", "says"),
    [
        (
            "address = 2099200 : ui32, length = 2 : i32, opcode = 1 : i32, stream_id = 9 : i32",
            "no packet flow with id 9 leads from TileControl",
        ),
        ("address = 2099200 : ui32, length = 2 : i32, opcode = 2 : i32, stream_id = 9 : i32", "opcode 2"),
        (write(9 << 25, 1), "goes to tile"),
        ("address = 2099200 : ui32, length = 2 : i32, opcode = 0 : i32, stream_id = 9 : i32", "no data"),
    ],
)
def test_packets_that_lead_nowhere(packet: str, says: str) -> None:
    with pytest.raises((SimulationError, DiagnosticError), match=says):
        allo_air.simulate(sequence(packet))


def test_a_circuit_on_the_channel_of_the_packets_is_named() -> None:
    flow = "aie.flow(%shim, DMA : 0, %tile, DMA : 0)"
    with pytest.raises(DiagnosticError, match="takes MM2S 0 of shim"):
        allo_air.simulate(sequence(write(2 << 20 | 1024, 1), flows=flow))


PARAMETERS = (DESIGNS / "parameters.mlir").read_text()


def test_runtime_parameters_of_a_core_and_a_memtile() -> None:
    c, d = np.zeros(4, np.int32), np.zeros(4, np.int32)
    assert allo_air.simulate(PARAMETERS, c, d).ok
    assert c.tolist() == [50, -3, 7, 9] and d.tolist() == [11, 12, 13, 14]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("@rtp, 3, 9", "@rtp, 4, 9", "writes word 4 of @rtp, which has 4"),
        ("@rtp, 0, 50", "@other, 0, 50", "@other, which is not an aie.buffer"),
        ("aie.use_lock(%ready, AcquireGreaterEqual, 1)", "", "(uninitialized-read|data-race).*buffer rtp"),
        ("aiex.set_lock(%ready, 1)", "", "deadlock.*lock ready of tile"),
        ("aiex.npu.rtp_write(@mrtp, 3, 14)", "", "uninitialized-read.*buffer mrtp"),
    ],
)
def test_mistakes_with_runtime_parameters(old: str, new: str, says: str) -> None:
    assert old in PARAMETERS
    with pytest.raises((SimulationError, DiagnosticError), match=says):
        allo_air.simulate(PARAMETERS.replace(old, new), np.zeros(4, np.int32), np.zeros(4, np.int32))


@pytest.mark.parametrize(("intrinsic", "says"), [("write.tm", "processor bus"), ("mcd.write.vec", "instruction of the core")])
def test_intrinsics_of_a_core_are_refused_by_name(intrinsic: str, says: str) -> None:
    core = f"""aie.core(%tile) {{
      %v = arith.constant 1 : i32
      llvm.call_intrinsic "llvm.aie2p.{intrinsic}"(%v, %v) : (i32, i32) -> ()
      aie.end
    }}"""
    with pytest.raises(DiagnosticError, match=says):
        allo_air.simulate(sequence(flows=core))
