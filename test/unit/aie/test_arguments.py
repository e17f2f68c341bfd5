"""What IRON's parts do with the arguments that they are given: enumerations that are 0, unknown names, wrong values."""

import importlib
import json
import subprocess
import sys
from argparse import ArgumentParser

import numpy as np
import pytest

import allo_air.aie.iron as iron
from allo_air.aie.building.attributes import dense
from allo_air.aie.building.loops import no_loop_left
from allo_air.aie.dialects import aiex
from allo_air.aie.dialects.aie import AIEDevice, WireBundle, device, packetflow, tile
from allo_air.aie.dialects.aiex import runtime_sequence
from allo_air.aie.extras.context import mlir_mod_ctx
from allo_air.aie.extras.dialects import arith
from allo_air.aie.helpers.taplib import TensorAccessSequence
from allo_air.aie.iron import (
    Bd,
    Buffer,
    CascadeFlow,
    CompilableDesign,
    DmaChannel,
    Flow,
    Kernel,
    PacketDest,
    PacketFlow,
    Program,
    Runtime,
    TileDma,
    Worker,
)
from allo_air.aie.iron.controlflow import range_
from allo_air.aie.iron.device import NPU1, Tile
from allo_air.aie.utils import trace as trace_utils
from allo_air.aie.utils.hostruntime.argparse import add_compile_args
from allo_air.aie.utils.hostruntime.cli import run_design_cli
from allo_air.aie.utils.hostruntime.running import DefaultNPURuntime, NPUKernel
from allo_air.aie.utils.test import create_default_argparser
from allo_air.aie.utils.trace import TraceConfig, get_trace_summary
from allo_air.aie.utils.xrt import AIE_Buffer
from allo_air.errors import AlloAirError
from allo_air.mlir import ir

PART = np.ndarray[(64,), np.dtype[np.int32]]


def program(*parts, core=None):
    """A program of parts without queues."""
    return Program(NPU1(), Runtime(lambda a, *rest: None, [PART, *parts]), [Worker(core, [], tile=Tile(0, 2))])


def text(*parts):
    return str(program(*parts).resolve_program())


def test_ports_whose_kind_is_0():
    core, other = Tile(0, 2), Tile(0, 3)
    named = Flow(core, other, 0, 1, source_bundle=WireBundle.Core, dest_bundle=WireBundle.Core)
    assert "Core : 0" in text(named) and "DMA" not in text(named)
    assert "DMA" not in text(Flow((core, WireBundle.Core, 0), other, source_port=WireBundle.DMA, dest_port=WireBundle.Core))


def test_each_source_of_packets_has_its_port():
    core, other, shim = Tile(0, 2), Tile(0, 3), Tile(0, 0)
    flow = PacketFlow(5, [(core, WireBundle.Core, 0), (other, WireBundle.DMA, 1)], PacketDest(shim))
    sources = [line for line in text(flow).splitlines() if "packet_source" in line]
    assert len(sources) == 2 and "Core : 0" in sources[0] and "DMA : 1" in sources[1]
    both = text(PacketFlow(5, core, other, source_channel=1, dest_bundle=WireBundle.Core))
    assert "DMA : 1" in both and "Core : 0" in both


def wrong_next():
    tile_, one, two = Tile(0, 2), Buffer(PART, name="one"), Bd(Buffer(PART, name="two"))
    return text(TileDma(tile_, DmaChannel("S2MM", 0, [Bd(one, next=two)]), DmaChannel("MM2S", 0, [two])))


def traced(**options):
    made = program()
    made.enable_trace(8192, **options)
    return made.resolve_program()


WRONG = {
    "PacketFlow has no argument 'colour'": lambda: PacketFlow(1, Tile(0, 2), Tile(0, 3), colour=1),
    "CascadeFlow has no argument 'colour'": lambda: CascadeFlow(Tile(0, 3), Tile(0, 2), colour=1),
    "TraceConfig has no argument 'colour'": lambda: TraceConfig(1024, colour=1),
    "TraceConfig: enable_ctrl_pkts is not supported: ": lambda: TraceConfig(1024, enable_ctrl_pkts=True),
    "NPUKernel has no argument 'colour'": lambda: NPUKernel("x.xclbin", colour=1),
    "AIE_Buffer has no argument 'colour'": lambda: AIE_Buffer(None, 3, np.int32, (4,), colour=1),
    "Program.enable_trace has no argument 'core_event'": lambda: traced(core_event=[]),
    "Program.enable_trace: trace_offset is not supported: a trace gets a buffer of its own": lambda: traced(trace_offset=64),
    "a trace with ddr_id=0 is not supported: argument 0 is an array": lambda: traced(ddr_id=0),
    "Runtime.enable_trace: trace_offset is not supported: ": lambda: Runtime().enable_trace(8192, 64),
    "Runtime.enable_trace has no argument 'colour'": lambda: Runtime().enable_trace(0, colour=1),
    "configure_packet_tracing_aie2: trace_offset is not": lambda: march(trace_offset=4),
    "configure_packet_tracing_aie2 has no argument 'colour'": lambda: march(colour=4),
    "the direction is 'IN', expected 'S2MM' (into memory) or 'MM2S' (out of memory)": lambda: DmaChannel("IN", 0, [1]),
    "the direction is None, expected": lambda: DmaChannel(None, 0, [1]),
    "the direction is 7, expected": lambda: DmaChannel(7, 0, [1]),
    "DmaChannel S2MM 0: next of Bd 0 is a Bd that is not of this channel, expected one of the channel's own 1 Bds": wrong_next,
}


def march(**options):
    with mlir_mod_ctx() as ctx:

        @device(AIEDevice.npu1)
        def design():
            worker = tile(0, 2)

            @runtime_sequence(PART)
            def sequence(a):
                trace_utils.configure_packet_tracing_aie2([worker], None, 8192, **options)

        return str(ctx.module)


@pytest.mark.parametrize("message", WRONG)
def test_what_is_refused(message):
    with pytest.raises(AlloAirError) as raised:
        WRONG[message]()
    assert message in str(raised.value)
    assert raised.value.diagnostics[0].file == __file__


def test_what_changes_nothing_is_taken():
    TraceConfig(1024, "t.txt", trace_after_last_tensor=True)
    NPUKernel("x.xclbin", device_index=0)
    Runtime().enable_trace(0, trace_offset=64)
    assert "aie.trace" in march(enable_token=0, brdcst_num=15, ddr_id=4, trace_offset=0)


def test_column_0_of_traces():
    assert "egress_shim_col = 0" in str(traced(egress_shim_col=0))


def test_a_summary_is_of_one_core():
    def begin(number, ts, pid):
        return {"name": f"INSTR_EVENT_{number}", "ph": "B", "pid": pid, "ts": ts}

    alone = [begin(0, 0, 0)]
    first = [begin(1, 5, 1), begin(0, 10, 1), begin(1, 14, 1), begin(0, 20, 1), begin(0, 30, 1), begin(1, 36, 1)]
    second = [begin(0, 11, 2), begin(1, 111, 2)]
    mixed = [*alone, *sorted(first + second, key=lambda e: e["ts"])]
    assert get_trace_summary(mixed) == {"first": 4, "min": 4, "avg": 5, "max": 6}
    assert get_trace_summary(alone) == {}


@pytest.mark.parametrize("element", ["f32", "f64", "bf16", "f16"])
def test_initial_values_keep_their_bits(element):
    from allo_air.dtypes import numpy_dtype

    values = np.array([1 / 3, np.inf, -np.inf, np.nan, -0.0, 0.0, 1e-3], numpy_dtype(element))
    with ir.Context(), ir.Location.unknown():
        for given in (values, values[1:2], values[3:4], values[4:6]):
            kind = ir.Type.parse(f"memref<{len(given)}x{element}>")
            made = dense(given, kind, "buffer")
            expected = ir.DenseElementsAttr.get(given, type=ir.Type.parse(f"tensor<{len(given)}x{element}>"))
            assert made == expected


def test_a_design_of_a_design_keeps_its_trace():
    config = TraceConfig(1024)
    design = iron.jit(trace_config=config)(lambda: None)
    assert CompilableDesign(design).trace_config is config
    other = TraceConfig(2048)
    assert CompilableDesign(design, trace_config=other).trace_config is other


def test_loops_of_a_build_that_failed_are_forgotten():
    def fails():
        for _ in range_(4):
            raise KeyError("mine")

    with pytest.raises(KeyError):
        program(core=fails).resolve_program()
    with no_loop_left():
        pass
    assert "scf.for" in str(program(core=lambda: [None for _ in range_(4)]).resolve_program())


def test_the_command_says_which_file_is_missing(tmp_path):
    arguments = ["--input", str(tmp_path / "none.txt"), "--mlir", "x"]
    ran = subprocess.run(
        [sys.executable, "-m", "allo_air.aie.utils.trace.parse", *arguments], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1 and "Traceback" not in ran.stderr
    assert f"error: parse.py: cannot read '{arguments[1]}': No such file" in ran.stderr


def in_sequence(call):
    """The call in a sequence of a device."""
    with mlir_mod_ctx():

        @device(AIEDevice.npu2)
        def design():
            @runtime_sequence(PART)
            def sequence(a):
                call(a)


UNKNOWN = {
    "zeros": lambda: iron.zeros(4, colour=1),
    "tensor": lambda: iron.tensor([1], colour=1),
    "arange": lambda: iron.arange(4, colour=1),
    "randint": lambda: iron.randint(0, 4, (4,), colour=1),
    "add_compile_args": lambda: add_compile_args(ArgumentParser(), colour=1),
    "run_design_cli": lambda: run_design_cli(None, None, colour=1),
    "HostRuntime.run_test": lambda: DefaultNPURuntime.run_test(None, [], colour=1),
    "CompilableDesign": lambda: CompilableDesign(lambda: None, colour=1),
    "TensorAccessSequence.visualize": lambda: TensorAccessSequence((4,), 1, 0, [4], [1]).visualize(colour=1),
    "tile": lambda: in_sequence(lambda a: tile(0, 2, colour=1)),
    "npu_write32": lambda: in_sequence(lambda a: aiex.npu_write32(address=0, value=1, colour=1)),
    "npu_sync": lambda: in_sequence(lambda a: aiex.npu_sync(colour=1)),
    "arith.addi": lambda: in_sequence(lambda a: arith.addi(1, 2, colour=1)),
    "parse_trace": lambda: trace_utils.parse_trace([], "", colour=1),
}


@pytest.mark.parametrize("who", UNKNOWN)
def test_unknown_keywords_are_refused_at_the_programs_line(who):
    with pytest.raises(TypeError) as raised:
        UNKNOWN[who]()
    assert str(raised.value) == f"{who} has no argument 'colour'"
    assert raised.value.diagnostics[0].file == __file__


def test_a_program_may_redefine_flags_of_hosts():
    parser = create_default_argparser()
    parser.add_argument("-i1s", "--in1_size", required=True, help="its own")
    assert parser.parse_args(["-x", "a", "-i1s", "64"]).in1_size == "64"


def test_the_command_for_the_cycles_of_a_trace(tmp_path, capsys):
    events = [
        {"name": f"INSTR_EVENT_{n}", "ph": "B", "ts": t, "pid": 0, "tid": n} for n, t in ((0, 5), (1, 30), (0, 40), (1, 75))
    ]
    named = {"name": "process_name", "ph": "M", "pid": 0, "args": {"name": "core_trace for tile2,0"}}
    (tmp_path / "trace.json").write_text(json.dumps([named, *events]))
    command = importlib.import_module("allo_air.aie.utils.trace.get_trace_summary")
    command.main(["--input", str(tmp_path / "trace.json")])
    assert capsys.readouterr().out == (
        "Total number of full invocations found is 2\nFirst/Min/Avg/Max cycles is 25/ 25/ 30/ 35\n"
    )
    with pytest.raises(AlloAirError, match=r"get_trace_summary.py: cannot read 'none.json': No such file"):
        command.main(["--input", "none.json"])


def test_packets_to_a_port_that_is_given_in_parts():
    ends = [
        lambda core: ((core, WireBundle.DMA, 1, True), {}),
        lambda core: ((), {"dest": core, "dest_port": WireBundle.DMA, "dest_channel": 1, "keep_pkt_header": True}),
        lambda core: (({"dest": core, "port": WireBundle.DMA, "channel": 1}, True), {}),
    ]
    texts = set()
    for end in ends:
        with mlir_mod_ctx() as context:

            @device(AIEDevice.npu2)
            def design(end=end):
                core = tile(0, 2)
                places, named = end(core)
                packetflow(3, tile(0, 1), WireBundle.DMA, 0, *places, **named)

            texts.add(str(context.module))
    assert len(texts) == 1 and "keep_pkt_header = true" in texts.pop()
    with pytest.raises(TypeError, match=r"packetflow: give the destination as dests, or as dest"):
        in_sequence(lambda a: packetflow(3, tile(0, 1)))


@pytest.mark.parametrize(("shape", "steps"), [((64,), ["expand"]), ((8, 8), ["collapse", "expand"]), ((4, 16), [])])
def test_buffers_take_the_shape_of_a_kernels_argument(shape, steps):
    kernel = Kernel("f", "f.o", [np.ndarray[(4, 16), np.dtype[np.int32]]])
    buffer = Buffer(np.ndarray[shape, np.dtype[np.int32]], name="held")
    worker = Worker(lambda buffer, kernel: kernel(buffer), [buffer, kernel])
    found = str(Program(NPU1(), Runtime(lambda a: None, [PART]), [worker]).resolve_program())
    assert [s for s in ("collapse", "expand") if f"memref.{s}_shape" in found] == steps
