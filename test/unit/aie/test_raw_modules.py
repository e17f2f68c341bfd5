"""Modules that programs build by classes and blocks, outside and inside of devices, and dialects by their names."""

import importlib

import pytest

from allo_air.aie import ir
from allo_air.aie.dialects import aie, aiex
from allo_air.aie.extras import types as T
from allo_air.aie.extras.context import mlir_mod_ctx
from allo_air.aie.extras.dialects.ext import arith, func, scf
from allo_air.aie.extras.util import find_ops
from allo_air.aie.passmanager import PassManager
from allo_air.errors import AlloAirError


def built(body, device=aie.AIEDevice.npu2):
    with mlir_mod_ctx() as ctx:
        if device is None:
            body()
        else:
            aie.device(device)(body)
    return str(ctx.module)


def test_operations_by_their_classes():
    def body():
        tile = aie.TileOp(0, 2)
        aie.LockOp(tile, 3)
        aie.BufferOp(T.memref(4, T.i32()), tile)
        flow = aie.FlowOp(tile, aie.WireBundle.DMA, 1, aie.TileOp(0, 0), aie.WireBundle.DMA, 0)
        assert isinstance(flow, aie.FlowOp)
        core = aie.CoreOp(tile)
        with ir.InsertionPoint(ir.Block.create_at_start(core.body)):
            aie.EndOp()

    text = built(body)
    for line in (
        "aie.lock(%tile_0_2, 3)",
        "aie.buffer(%tile_0_2) : memref<4xi32>",
        "DMA : 1, %shim_noc_tile_0_0, DMA : 0",
        "aie.core(%tile_0_2) {",
    ):
        assert line in text


def test_blocks_that_a_program_makes_and_ends():
    """The forms of the dialect's own tests: a device, a core and what is acquired, without decorators."""
    with mlir_mod_ctx() as ctx:
        made = aie.Device(aie.AIEDevice.xcvc1902)
        with ir.InsertionPoint(ir.Block.create_at_start(made.body_region)):
            source, sink = aie.tile(6, 6), aie.tile(7, 7)
            aie.object_fifo("of", source, sink, 2, T.memref(12, T.i32()))
            core = aie.Core(sink)
            with ir.InsertionPoint(ir.Block.create_at_start(core.body)):
                part = T.memref(12, T.i32())
                taken = aie.ObjectFifoAcquireOp(aie.ObjectFifoSubviewType.get(part), aie.ObjectFifoPort.Consume, "of", 2)
                aie.ObjectFifoSubviewAccessOp(part, taken, 1)
                aie.ObjectFifoReleaseOp(aie.ObjectFifoPort.Consume, "of", 1)
                aie.EndOp()
            aie.EndOp()
    text = str(ctx.module)
    for line in ("acquire @of(Consume, 2)", "subview.access %0[1]", "release @of(Consume, 1)"):
        assert line in text
    assert text.count("aie.end") == 1  # a device's is not written


def test_target_models():
    model = aie.get_target_model(aie.AIEDevice.npu1)
    assert (model.columns(), model.rows(), model.get_num_mem_tile_rows(), model.get_local_memory_size()) == (4, 6, 1, 65536)
    kinds = [model.is_core_tile(0, 2), model.is_mem_tile(0, 1), model.is_shim_noc_tile(0, 0), model.is_core_tile(0, 9)]
    assert kinds == [True, True, True, False]
    assert aie.get_target_model("npu2").columns() == 8
    for wrong, message in {
        "foo": "no device 'foo'; there are .*npu1",
        99: "99 is not a device; allowed: .*4 .npu1.",
        None: "got None",
    }.items():
        with pytest.raises(AlloAirError, match=message):
            aie.get_target_model(wrong)


def test_switches():
    def body():
        worker, shim = aie.tile(0, 2), aie.tile(0, 0)

        @aie.switchbox(worker)
        def _():
            aie.connect(aie.WireBundle.DMA, 0, aie.WireBundle.North, 1)
            chosen = aie.amsel(0, 1)
            aie.masterset(aie.WireBundle.South, 0, [chosen])

            @aie.packetrules(aie.WireBundle.North, 0)
            def _():
                aie.packetrule(0x1F, 1, chosen)

        @aie.shim_mux(shim)
        def _():
            aie.connect(aie.WireBundle.DMA, 0, aie.WireBundle.North, 3)

    text = built(body, "npu1")
    for line in ("aie.connect<DMA : 0, North : 1>", "aie.masterset(South : 0, %", "aie.rule(31, 1, %", "aie.shim_mux(%shim"):
        assert line in text


def test_instructions():
    def body():
        @aiex.runtime_sequence(T.memref(8, T.i32()), sym_name="seq")
        def _(a):
            aiex.npu_writebd(bd_id=1, column=0, row=0, buffer_length=8)
            aiex.npu_address_patch(addr=0x1D004, arg_idx=0, arg_plus=4)
            aiex.npu_push_queue(0, 0, aie.DMAChannelDir.MM2S, 0, issue_token=True, bd_id=1)
            aiex.npu_maskwrite32(address=0x1000, value=1, mask=0xFFFFFFFF, column=0, row=0)
            aiex.npu_sync(column=0, row=0, direction="MM2S", channel=0)

    text = built(body)
    for line in ("@seq(%arg0", "bd_id = 1 : i32, buffer_length = 8 : i32", "addr = 118788 : ui32", "MM2S : 0) bd_id %"):
        assert line in text


def test_functions_at_the_modules_level():
    def body():
        @func.func(emit=True)
        def total(a: T.memref(10, T.i32()), n: T.index()):
            for _, sum_, result in scf.range_(0, n, iter_args=[arith.constant(0)]):  # noqa: B007 - used after the loop
                scf.yield_([sum_ + a[0]])
            return result

        assert total.emit() is total.op

    text = built(body, None)
    assert "func.func private @total(%arg0: memref<10xi32>, %arg1: index) -> i32" in text
    assert "iter_args(" in text and "return %" in text


def test_modules_are_read_searched_and_run_through_passes():
    with mlir_mod_ctx("module { aie.device(npu1) { %t = aie.tile(0, 2) } }") as ctx:
        found = find_ops(ctx.module.operation, lambda op: isinstance(op, aie.TileOp))
        assert len(found) == 1 and find_ops(ctx.module.operation, lambda op: False, single=True) is None
        PassManager.parse("builtin.module(canonicalize)").run(ctx.module.operation)
    assert ir.Module.parse(str(ctx.module)).operation.verify()


@pytest.mark.parametrize("name", ["builtin", "pdl", "transform", "vector", "linalg", "math", "cf", "llvm", "index"])
def test_dialects_of_the_bindings(name):
    assert importlib.import_module(f"allo_air.aie.dialects.{name}") is not None


def test_a_name_is_no_tile():
    with pytest.raises(AlloAirError, match="an operand is"):
        built(lambda: aie.LockOp("tile", 3))


def test_types_of_results_that_operations_know():
    def body():
        tile = aie.TileOp(col=0, row=2, result=T.index())
        memory = aie.MemOp(T.index(), tile)
        with ir.InsertionPoint(ir.Block.create_at_start(memory.body)):
            aie.EndOp()

    assert "aie.mem(%tile_0_2)" in built(body)


@pytest.mark.parametrize("sizes", [(4, 8), ((4, 8),)])
def test_buffers_of_sizes_and_a_type(sizes):
    from allo_air.aie.extras.dialects import memref

    def body():
        buffer = memref.alloc(*sizes, T.i32())
        buffer[0, 1] = arith.constant(3)
        memref.alloca(*sizes, element_type=T.f32())

    text = built(body, None)
    assert "memref.alloc() : memref<4x8xi32>" in text and "memref.store" in text
    assert "memref.alloca() : memref<4x8xf32>" in text


def test_enumerations_print_as_words():
    assert [str(v) for v in (aie.TraceMode.EventPC, aie.TracePacketType.MemTile, aie.AIEArch.AIE2p)] == [
        "EventPC", "MemTile", "AIE2p",
    ]  # fmt: skip
    assert aie.EdgeTrigger.BOTH == 3 and aie.ComboLogic.OR_NOT == 3 and aie.LockBlocking.Blocking == 1
