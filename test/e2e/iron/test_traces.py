"""Traces that programs set up, by IRON and by the raw builders: the units' packets, decoded, and read as events."""

import json

import numpy as np
import pytest

import allo_air.aie.iron as iron
from allo_air.aie.dialects.aie import AIEDevice, ObjectFifoPort, core, device, event, object_fifo, tile
from allo_air.aie.dialects.aiex import dma_wait, npu_dma_memcpy_nd, runtime_sequence
from allo_air.aie.extras.context import mlir_mod_ctx
from allo_air.aie.iron import CompileTime, In, ObjectFifo, Out, Program, Runtime, Worker
from allo_air.aie.iron.compiling import compiled
from allo_air.aie.iron.controlflow import range_
from allo_air.aie.iron.device import NPU1, NPU2
from allo_air.aie.utils import trace as trace_utils
from allo_air.aie.utils.trace import CoreEvent, MemEvent, PortEvent, TraceConfig, get_trace_summary, parse_trace
from allo_air.aie.utils.trace.parse import main
from allo_air.errors import AlloAirError

N, TILE = 256, 64


@pytest.fixture(params=[NPU1, NPU2], ids=["npu1", "npu2"], autouse=True)
def device_of_test(request):
    iron.set_current_device(request.param())
    yield
    iron.set_current_device(None)


def array(n, dtype=np.int32):
    return np.ndarray[(n,), np.dtype[dtype]]


@iron.jit
def lifted(x: In, y: Out, *, trace_size: CompileTime[int] = 0, old: CompileTime[bool] = False, **events):
    source, sink = ObjectFifo(array(TILE), name="in"), ObjectFifo(array(TILE), name="out")

    def body(source, sink):
        a, b = source.acquire(1), sink.acquire(1)
        event(0)
        for i in range_(TILE):
            b[i] = a[i] + 1
        event(1)
        source.release(1)
        sink.release(1)

    worker = Worker(body, [source.cons(), sink.prod()], trace=1)
    if old:
        rt = Runtime()
        with rt.sequence(array(N), array(N)) as (a, b):
            rt.enable_trace(trace_size, **events)
            rt.start(worker)
            rt.fill(source.prod(), a)
            rt.drain(sink.cons(), b, wait=True)
        return Program(iron.get_current_device(), rt).resolve_program()

    def sequence(a, b, source, sink):
        source.fill(a)
        sink.drain(b, wait=True)

    program = Program(iron.get_current_device(), Runtime(sequence, [array(N)] * 2 + [source.prod(), sink.cons()]), [worker])
    program.enable_trace(trace_size, **events)
    return program.resolve_program()


def events_of(parsed, name):
    return [e["ts"] for e in parsed if e["name"] == name and e["ph"] == "B"]


@pytest.mark.parametrize("old", [False, True])
def test_cores_and_memories_of_workers_are_traced(old):
    x, y = iron.arange(N, dtype=np.int32), iron.zeros(N, dtype=np.int32)
    chosen = {"trace_size": 8192, "old": old, "coremem_events": [MemEvent.DMA_S2MM_0_START_TASK, "DMA_MM2S_0_START_TASK"]}
    _, result = lifted(x, y, **chosen)
    np.testing.assert_array_equal(y.numpy(), x.numpy() + 1)
    parsed = parse_trace(result.trace, str(lifted.as_mlir(**chosen)))
    titles = {e["args"]["name"] for e in parsed if e["name"] == "process_name"}
    assert titles == {"core_trace for tile2,0", "mem_trace for tile2,0"}
    assert len(events_of(parsed, "INSTR_EVENT_0")) == len(events_of(parsed, "INSTR_EVENT_1")) == N // TILE
    assert events_of(parsed, "PORT_RUNNING_0")
    summary = get_trace_summary(parsed)
    assert TILE < summary["min"] <= summary["avg"] <= summary["max"] < 20 * TILE


def test_without_a_size_nothing_is_traced():
    assert "aie.trace" not in str(lifted.as_mlir())
    x, y = iron.arange(N, dtype=np.int32), iron.zeros(N, dtype=np.int32)
    assert lifted(x, y)[1].trace is None


def test_the_file_and_the_command_that_reads_it(tmp_path, capsys):
    config = TraceConfig(trace_size=4096, trace_file=str(tmp_path / "trace.txt"))
    design = iron.jit(trace_config=config)(lifted.generator)
    x, y = iron.arange(N, dtype=np.int32), iron.zeros(N, dtype=np.int32)
    design(x, y, trace_size=4096)
    (tmp_path / "aie.mlir").write_text(str(design.as_mlir(trace_size=4096)))
    main(["--input", config.trace_file, "--mlir", str(tmp_path / "aie.mlir")])
    parsed = json.loads(capsys.readouterr().out)
    assert parsed == parse_trace(config.read_trace(), (tmp_path / "aie.mlir").read_text())
    assert events_of(parsed, "LOCK_STALL")
    with pytest.raises(AlloAirError, match=r"parse\.py: "):
        main(["--input", str(tmp_path / "none.txt"), "--mlir", "x"])


@pytest.mark.parametrize("march", [False, True])
def test_raw_designs(march):
    dev = AIEDevice.npu1 if iron.get_current_device().dialect_name == "npu1" else AIEDevice.npu2
    port = PortEvent(CoreEvent.PORT_RUNNING_0, 2, True)
    with mlir_mod_ctx() as ctx:

        @device(dev)
        def design():
            shim, worker = tile(0, 0), tile(0, 2)
            of_in = object_fifo("in", shim, worker, 2, array(TILE))
            of_out = object_fifo("out", worker, shim, 2, array(TILE))
            if march:
                trace_utils.configure_packet_tracing_flow([worker], shim)
            else:
                trace_utils.configure_trace([worker, shim], coretile_events=[CoreEvent.INSTR_EVENT_0, port])

            @core(worker)
            def body():
                for _ in range_(1000):
                    a, b = of_in.acquire(ObjectFifoPort.Consume, 1), of_out.acquire(ObjectFifoPort.Produce, 1)
                    event(0)
                    for i in range_(TILE):
                        b[i] = a[i]
                    of_in.release(ObjectFifoPort.Consume, 1)
                    of_out.release(ObjectFifoPort.Produce, 1)

            @runtime_sequence(array(N), array(N))
            def sequence(a, b):
                if march:
                    trace_utils.configure_packet_tracing_aie2(tiles_to_trace=[worker], shim=shim, trace_size=8192)
                else:
                    trace_utils.start_trace(8192)
                npu_dma_memcpy_nd(metadata=of_in, bd_id=1, mem=a, sizes=[1, 1, 1, N])
                npu_dma_memcpy_nd(metadata=of_out, bd_id=0, mem=b, sizes=[1, 1, 1, N])
                dma_wait(of_out)
                trace_utils.gen_trace_done_aie2(shim)

    text = str(ctx.module)
    assert march or "port = DMA channel = 1 direction = S2MM" in text.replace("=", " = ").replace("  ", " ")
    x, y, words = np.arange(N, dtype=np.int32), np.zeros(N, np.int32), np.zeros(8192, np.int8)
    compiled(ctx.module).program(x, y, words)
    np.testing.assert_array_equal(x, y)
    assert len(events_of(parse_trace(words, text), "INSTR_EVENT_0")) == N // TILE


@iron.jit
def by_kernel(x: In, y: Out, *, trace_size: CompileTime[int]):
    part, whole = (np.ndarray[(n,), np.dtype[np.int32]] for n in (256, 1024))
    fin, fout = ObjectFifo(part, name="in"), ObjectFifo(part, name="out")

    def core(fin, fout, copy):
        copy(fin.acquire(1), fout.acquire(1), 256)
        fin.release(1)
        fout.release(1)

    def sequence(x, y, source, sink):
        source.fill(x)
        sink.drain(y, wait=True)

    worker = Worker(core, [fin.cons(), fout.prod(), iron.kernels.passthrough(256, np.int32)], trace=1)
    rt = Runtime(sequence, [whole, whole, fin.prod(), fout.cons()])
    program = Program(iron.get_current_device(), rt, workers=[worker])
    program.enable_trace(trace_size)
    return program.resolve_program()


def test_events_of_kernels_in_cpp():
    """event0() and event1() of a kernel mark its calls, of which a summary tells the cycles."""
    x = iron.arange(1024, dtype=np.int32)
    y = iron.zeros_like(x)
    _, result = by_kernel(x, y, trace_size=8192)
    text = str(by_kernel.as_mlir(trace_size=8192))
    summary = get_trace_summary(parse_trace(result.trace, text))
    assert summary["min"] == summary["max"] and 16 <= summary["avg"] < 200  # 16 loads and stores of 64 bytes at least
    assert "aie.event" not in text


def test_events_are_those_of_the_function(tmp_path):
    """Comments and other functions of the file raise none; helpers do; one event alone stays alone."""
    from allo_air.air.compiler.events import _raised

    path = tmp_path / "k.cc"
    path.write_text(
        "template <int N> static void helper(int *x) { for (int i = 0; i < N; i++) { x[i] = i; } event0(); }\n"
        "#define NAME third\n"
        'extern "C" {\n'
        "void first(int *x) { x[0] = 1; /* event0(); */ } // event1();\n"
        "void second(int *x) { helper<4>(x); if (x[0]) { x[1] = 2; } }\n"
        "void NAME(int *x) { event0(); x[0] = 1; event1(); }\n"
        "}\n"
    )
    found = {name: _raised(name, str(path)) for name in ("first", "second", "third")}
    assert found == {"first": set(), "second": {"event0"}, "third": {"event0", "event1"}}
