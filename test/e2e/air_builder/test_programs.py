"""Programs in MLIR-AIR's Python layer: built, compiled by air-npu, run on the simulator, compared with numpy."""

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from allo_air.air.backend.sources import kernels_near_program
from allo_air.air.backend.xrt import XRTBackend
from allo_air.air.backend.xrt_runner import XRTRunner, make_air_parser, run_on_npu, type_mapper
from allo_air.air.compiler.util import run_transform
from allo_air.air.dialects import affine, arith, linalg
from allo_air.air.dialects.affine import apply as affine_apply
from allo_air.air.dialects.air import *
from allo_air.air.dialects.func import CallOp, FuncOp
from allo_air.air.dialects.memref import AllocOp, DeallocOp, load, store, subview
from allo_air.air.dialects.scf import for_, yield_
from allo_air.air.extras import types as types_by_name
from allo_air.air.ir import *
from allo_air.air.passmanager import PassManager
from allo_air.errors import AlloAirError, DiagnosticError

range_ = for_
RNG = np.random.default_rng(5)


def l1(shape, kind):
    return MemRefType.get(shape=shape, element_type=kind, memory_space=IntegerAttr.get(T.i32(), MemorySpace.L1))


def l2(shape, kind):
    return MemRefType.get(shape=shape, element_type=kind, memory_space=IntegerAttr.get(T.i32(), MemorySpace.L2))


def scaled_sum(a, b, scale=1):
    """a + scale * b of index values, as programs write it."""
    first, second = AffineSymbolExpr.get(0), AffineSymbolExpr.get(1)
    product = AffineExpr.get_mul(second, AffineConstantExpr.get(scale))
    return affine_apply(AffineMap.get(0, 2, [AffineExpr.get_add(first, product)]), [a, b])


def add_kernel(kind):
    return arith.addf if "f" in str(kind) else arith.addi


@module_builder
def elementwise(n, tile, cores, dtype):
    kind = type_mapper(dtype)
    whole, part = T.memref(n, kind), l1([tile], kind)

    @FuncOp.from_py_func(whole, whole, whole)
    def eltwise_add(a, b, c):
        @herd(name="herd_0", sizes=[1, cores], operands=[a, b, c])
        def herd_body(_tx, ty, _sx, _sy, l3_a, l3_b, l3_c):
            here_a, here_b, here_c = (AllocOp(part, [], []) for _ in range(3))
            for step in range_(0, n, tile * cores):
                offset = scaled_sum(step, ty, tile)
                dma_memcpy_nd(here_a, l3_a, src_offsets=[offset], src_sizes=[tile], src_strides=[1])
                dma_memcpy_nd(here_b, l3_b, src_offsets=[offset], src_sizes=[tile], src_strides=[1])
                for i in range_(tile):
                    store(add_kernel(kind)(load(here_a, [i]), load(here_b, [i])), here_c, [i])
                    yield_([])
                dma_memcpy_nd(l3_c, here_c, dst_offsets=[offset], dst_sizes=[tile], dst_strides=[1])
                yield_([])
            DeallocOp(here_a)
            DeallocOp(here_b)
            DeallocOp(here_c)


@pytest.mark.parametrize("device", ["npu1", "npu2"])
@pytest.mark.parametrize("dtype", [np.int32, np.int16, np.float32, ml_dtypes.bfloat16])
def test_elementwise_without_l2(dtype, device):
    a, b = (RNG.integers(-100, 100, 512).astype(dtype) for _ in range(2))
    assert XRTRunner(target_device=device).run_test(elementwise(512, 64, 2, dtype), [a, b], [a + b]) == 0


def test_options_of_the_driver():
    a, b = (RNG.integers(-100, 100, 512).astype(np.int32) for _ in range(2))
    options = {"omit_pingpong": True, "runtime_loop_tiling_sizes": [2, 2], "stack_size": 2048, "air_loop_fusion": True}
    assert XRTRunner(**options).run_test(elementwise(512, 64, 2, np.int32), [a, b], [a + b]) == 0
    assert "stack_size = 2048" in XRTBackend(**options).compile(elementwise(512, 64, 2, np.int32)).text("aie")


@module_builder
def channels(height, width, rows, cols, dtype):
    """Tiles of an image go in and out by a bundle of channels."""
    kind = type_mapper(dtype)
    image, tile = T.memref(height, width, kind), [height // rows, width // cols]
    Channel("ChanIn", size=[rows, cols])
    Channel("ChanOut", size=[rows, cols])

    @FuncOp.from_py_func(image, image)
    def copy(arg0, arg1):
        @launch(operands=[arg0, arg1])
        def launch_body(a, b):
            for h in range(rows):
                for w in range(cols):
                    offsets, strides = [tile[0] * h, tile[1] * w], [width, 1]
                    ChannelPut("ChanIn", a, indices=[h, w], offsets=offsets, sizes=tile, strides=strides)
                    ChannelGet("ChanOut", b, indices=[h, w], offsets=offsets, sizes=tile, strides=strides)

            @segment(name="seg")
            def segment_body():
                @herd(name="xaddherd", sizes=[rows, cols])
                def herd_body(th, tw, _sx, _sy):
                    image_in = AllocOp(l1(tile, kind), [], [])
                    image_out = AllocOp(l1(tile, kind), [], [])
                    ChannelGet("ChanIn", image_in, indices=[th, tw])
                    for i in range_(tile[0]):
                        for j in range_(tile[1]):
                            number = arith.IndexCastOp(T.i32(), scaled_sum(tw, th, cols))
                            store(arith.addi(load(image_in, [i, j]), number), image_out, [i, j])
                            yield_([])
                        yield_([])
                    ChannelPut("ChanOut", image_out, indices=[th, tw])
                    DeallocOp(image_in)
                    DeallocOp(image_out)


def test_bundles_of_channels():
    a = RNG.integers(-100, 100, (16, 24)).astype(np.int32)
    numbers = np.kron(np.arange(4).reshape(2, 2), np.ones((8, 12))).astype(np.int32)
    assert XRTRunner().run_test(channels(16, 24, 2, 2, np.int32), [a], [a + numbers]) == 0


@module_builder
def broadcast(length, cores):
    """One put for all cores, each of which adds its number."""
    kind = types_by_name.i32()
    Channel("ChanIn", size=[1, 1], broadcast_shape=[1, cores])
    Channel("ChanOut", size=[1, cores])

    @FuncOp.from_py_func(T.memref(length, kind), T.memref(cores, length, kind))
    def copy(arg0, arg1):
        @launch(operands=[arg0, arg1])
        def launch_body(a, b):
            ChannelPut("ChanIn", a)
            for i in range(cores):
                ChannelGet("ChanOut", b, indices=[0, i], offsets=[i, 0], sizes=[1, length], strides=[length, 1])

            @segment(name="seg")
            def segment_body():
                @herd(name="broadcastherd", sizes=[1, cores])
                def herd_body(tx, ty, _sx, _sy):
                    here, out = (AllocOp(l1([length], kind), [], []) for _ in range(2))
                    ChannelGet("ChanIn", here, indices=[tx, ty])
                    for i in range_(length):
                        store(arith.addi(load(here, [i]), arith.index_cast(kind, ty)), out, [i])
                        yield_([])
                    ChannelPut("ChanOut", out, indices=[0, ty])
                    DeallocOp(here)
                    DeallocOp(out)


def test_broadcast():
    a = RNG.integers(-100, 100, 32).astype(np.int32)
    assert XRTRunner().run_test(broadcast(32, 3), [a], [a + np.arange(3, dtype=np.int32)[:, None]]) == 0


@module_builder
def through_l2(rows, cols, tile):
    """A grid of launches, whose tiles go over L2 to one core."""
    kind = T.i32()
    whole = T.memref(rows, cols, kind)

    @FuncOp.from_py_func(whole, whole)
    def negate(arg0, arg1):
        @launch(operands=[arg0, arg1], sizes=[rows // tile, cols // tile])
        def launch_body(x, y, _sx, _sy, a, b):
            @segment(name="seg", operands=[x, y, a, b])
            def segment_body(sx, sy, sa, sb):
                zero = arith.ConstantOp(T.index(), 0)
                across, down = scaled_sum(zero, sx, tile), scaled_sum(zero, sy, tile)
                held, back = (AllocOp(l2([tile, tile], kind), [], []) for _ in range(2))
                places = {"offsets": [across, down], "sizes": [tile, tile], "strides": [cols, 1]}
                dma_memcpy_nd(held, sa, **{f"src_{k}": v for k, v in places.items()})

                @herd(name="negateherd", sizes=[1, 1], operands=[held, back])
                def herd_body(_tx, _ty, _hx, _hy, from_l2, to_l2):
                    here, out = (AllocOp(l1([tile, tile], kind), [], []) for _ in range(2))
                    dma_memcpy_nd(here, from_l2)
                    for i in range_(tile):
                        for j in range_(tile):
                            store(arith.subi(arith.ConstantOp(kind, 0), load(here, [i, j])), out, [i, j])
                            yield_([])
                        yield_([])
                    dma_memcpy_nd(to_l2, out)
                    DeallocOp(here)
                    DeallocOp(out)

                dma_memcpy_nd(sb, back, **{f"dst_{k}": v for k, v in places.items()})
                DeallocOp(held)
                DeallocOp(back)


def test_a_grid_of_launches_over_l2():
    a = RNG.integers(-100, 100, (32, 16)).astype(np.int32)
    assert XRTRunner().run_test(through_l2(32, 16, 8), [a], [-a]) == 0


@module_builder
def two_herds(length):
    """One herd squares, the next adds one; a channel between them."""
    kind = T.i32()
    for name in ("In", "Middle", "Out"):
        Channel(name)

    def step(name, source, target, compute):
        @herd(name=name, sizes=[1, 1])
        def herd_body(_tx, _ty, _sx, _sy):
            here, out = (AllocOp(l1([length], kind), [], []) for _ in range(2))
            ChannelGet(source, here)
            for i in range_(length):
                store(compute(load(here, [i])), out, [i])
                yield_([])
            ChannelPut(target, out)
            DeallocOp(here)
            DeallocOp(out)

    @FuncOp.from_py_func(T.memref(length, kind), T.memref(length, kind))
    def pipeline(arg0, arg1):
        @launch(operands=[arg0, arg1])
        def launch_body(a, b):
            ChannelPut("In", a)
            ChannelGet("Out", b)

            @segment(name="seg")
            def segment_body():
                step("squares", "In", "Middle", lambda v: arith.muli(v, v))
                step("ones", "Middle", "Out", lambda v: arith.addi(v, arith.ConstantOp(kind, 1)))


def test_two_herds():
    a = RNG.integers(-100, 100, 64).astype(np.int32)
    assert XRTRunner().run_test(two_herds(64), [a], [a * a + 1]) == 0


@module_builder
def external(length):
    kind = T.i32()
    tripled = external_func("tripled", inputs=[l1([length], kind), l1([length], kind)], link_with="tripled.o")

    @FuncOp.from_py_func(T.memref(length, kind), T.memref(length, kind))
    def run(a, b):
        @herd(name="h", sizes=[1, 1], operands=[a, b], link_with="tripled.o")
        def herd_body(_tx, _ty, _sx, _sy, l3_a, l3_b):
            here, out = (AllocOp(l1([length], kind), [], []) for _ in range(2))
            dma_memcpy_nd(here, l3_a)
            CallOp(tripled, [here, out])
            dma_memcpy_nd(l3_b, out)
            DeallocOp(here)
            DeallocOp(out)


def test_an_external_function(tmp_path: Path, monkeypatch):
    file = tmp_path / "tripled.cc"
    file.write_text(
        '#include <aie_api/aie.hpp>\nextern "C" void tripled(int32_t *a, int32_t *b) {\n'
        "  for (int i = 0; i < 64; i += 16) aie::store_v(b + i, aie::mul(aie::load_v<16>(a + i), 3).to_vector<int32_t>());\n}\n"
    )
    a = RNG.integers(-100, 100, 64).astype(np.int32)
    assert XRTRunner(kernels={"tripled": file}).run_test(external(64), [a], [3 * a]) == 0
    monkeypatch.chdir(tmp_path)
    assert kernels_near_program(str(external(64))) == {"tripled": str(file)}


def test_a_wrong_result_is_told(capsys):
    a = np.zeros(512, np.int32)
    assert XRTRunner().run_test(elementwise(512, 64, 2, np.int32), [a, a], [a + 1]) == -1
    assert "output 0: 512 of 512 elements differ, the first at [0]: 0, expected 1" in capsys.readouterr().out


def test_outputs_known_at_some_places():
    a = RNG.normal(size=512).astype(np.float32)
    places = (np.array([0, 500]),)
    sampled = {"shape": (512,), "indices": places, "values": (a + a)[places]}
    module = elementwise(512, 64, 2, np.float32)
    assert XRTRunner().run_test(module, [a, a], stochastic_expected_outputs=[sampled]) == 0
    with pytest.raises(AlloAirError, match="nothing to compare with"):
        XRTRunner().run_test(module, [a, a])


def test_affine_accesses_and_loops_in_herds():
    @module_builder
    def build(length):
        kind = T.i32()
        minimum = AffineMap.get(1, 0, [AffineDimExpr.get(0), AffineConstantExpr.get(5)])

        @FuncOp.from_py_func(T.memref(2, length, kind), T.memref(2, length, kind))
        def run(a, b):
            @herd(name="h", sizes=[2, 1], operands=[a, b])
            def body(tx, _ty, _sx, _sy, source, target):
                here = AllocOp(l1([1, length], kind), [], [])
                dma_memcpy_nd(here, source, src_offsets=[tx, 0], src_sizes=[1, length], src_strides=[length, 1])
                end = arith.addi(tx, arith.ConstantOp.create_index(length - 2))
                loop = affine.AffineForOp(1, minimum, upper_bound_operands=[end])
                with InsertionPoint(loop.body):
                    before = AffineExpr.get_add(AffineDimExpr.get(0), AffineConstantExpr.get(-1))
                    at = AffineMap.get(1, 0, [AffineConstantExpr.get(0), before])
                    value = affine.AffineLoadOp(kind, here, [loop.induction_variable], at).result
                    affine.AffineStoreOp(arith.addi(value, value), here, [loop.induction_variable], at)
                    affine.yield_([])
                dma_memcpy_nd(target, here, dst_offsets=[tx, 0], dst_sizes=[1, length], dst_strides=[length, 1])
                DeallocOp(here)

    a = RNG.integers(-100, 100, (2, 6)).astype(np.int32)
    wanted = a.copy()
    wanted[0, :3] *= 2
    wanted[1, :4] *= 2
    assert XRTRunner().run_test(build(6), [a.view(np.uint32).reshape(-1)], [wanted.view(np.uint32)]) == 0


def test_runtime_parameters():
    @module_builder
    def build(rows, length):
        kind = T.i32()

        @FuncOp.from_py_func(T.memref(rows, length, kind), T.memref(rows, length, kind))
        def run(a, b):
            @launch(operands=[a, b], sizes=[rows // 2, 2])
            def launch_body(x, y, _nx, _ny, source, target):
                @segment(name="seg", operands=[x, y, source, target])
                def segment_body(x, y, source, target):
                    row = scaled_sum(y, x, 2)

                    @herd(name="h", sizes=[1, 2], operands=[x, row, source, target])
                    def body(_tx, ty, _sx, _sy, half, row, source, target):
                        here = AllocOp(l1([length // 2], kind), [], [])
                        at = scaled_sum(arith.ConstantOp.create_index(0), ty, length // 2)
                        place = {"src_offsets": [row, at], "src_sizes": [1, length // 2], "src_strides": [length, 1]}
                        dma_memcpy_nd(here, source, **place)
                        more = arith.index_cast(kind, arith.addi(half, ty))
                        for i in range_(length // 2):
                            store(arith.muli(load(here, [i]), more), here, [i])
                            yield_([])
                        dma_memcpy_nd(target, here, **{k.replace("src", "dst"): v for k, v in place.items()})
                        DeallocOp(here)

    a = RNG.integers(-100, 100, (4, 8)).astype(np.int32)
    factors = np.arange(4)[:, None] // 2 + np.arange(8)[None] // 4
    assert XRTRunner().run_test(build(4, 8), [a], [(a * factors).astype(np.int32)]) == 0


def test_padding_by_a_channel():
    @module_builder
    def build():
        for name in ("In", "Padded"):
            Channel(name)

        @FuncOp.from_py_func(T.memref(6, 10, T.i32()))
        def run(arg0):
            @launch(operands=[arg0])
            def launch_body(a):
                ChannelPut("In", a)

                @segment(name="seg")
                def segment_body():
                    held = AllocOp(l2([6, 10], T.i32()), [], [])
                    ChannelGet("In", held)
                    lists = {"offsets": [0, 0], "sizes": [6, 10], "strides": [10, 1]}
                    ChannelPut("Padded", held, **lists, pad_before=[1, 2], pad_after=[1, 4])
                    DeallocOp(held)

    assert "pad_after = array<i32: 1, 4>, pad_before = array<i32: 1, 2>" in str(build())


def test_integers_among_the_arguments(capsys):
    @module_builder
    def build():
        kind = T.i32()

        @FuncOp.from_py_func(T.memref(8, kind), kind, T.memref(8, kind))
        def run(a, more, b):
            @herd(name="h", sizes=[1, 1], operands=[a, more, b])
            def body(_tx, _ty, _sx, _sy, source, more, target):
                here = AllocOp(l1([8], kind), [], [])
                dma_memcpy_nd(here, source)
                for i in range_(8):
                    store(arith.addi(load(here, [i]), more), here, [i])
                    yield_([])
                dma_memcpy_nd(target, here)
                DeallocOp(here)

    a = np.arange(8, dtype=np.int32)
    parser = make_air_parser("adds a number")
    given = {"expected_outputs": [a - 3], "omit_pingpong": True, "instance_name": "adds"}
    assert run_on_npu(parser.parse_args([]), build(), [a, np.int32(-3)], **given) == 0
    assert run_on_npu(parser.parse_args(["-p"]), build(), [a, np.int32(-3)], **given) == 0
    assert "air.herd @h" in capsys.readouterr().out


def test_passes_and_scripts():
    script = """
    transform.with_pdl_patterns {
    ^bb0(%arg0: !pdl.operation):
      transform.sequence %arg0 : !pdl.operation failures(propagate) {
      ^bb1(%arg1: !pdl.operation):
        %add = transform.structured.match ops{["linalg.add"]} in %arg1 : (!pdl.operation) -> !pdl.operation
        %tile, %loops = transform.air.linalg_tile %add [16]
        %made = transform.air.linalg_promote %tile {"memory_space"="L1"} : (!pdl.operation) -> !pdl.operation
      }
    }
    """
    with Context() as context, Location.unknown():
        module = Module.create()
        with InsertionPoint(module.body):
            kind = MemRefType.get([64], T.i32())

            @FuncOp.from_py_func(kind, kind, kind)
            def run(a, b, c):
                linalg.add(a, b, outs=[c])

        run_transform(Module.parse(script, context=context), module)
        passes = "scf-forall-to-parallel,air-par-to-herd{depth=-1},air-copy-to-dma,func.func(canonicalize),cse"
        manager = PassManager.parse(f"builtin.module({passes})")
        assert "air-par-to-herd," in str(manager).replace("{depth=-1}", "")
        manager.run(module.operation)
        a, b = (RNG.integers(-100, 100, 64).astype(np.int32) for _ in range(2))
        assert str(module).count("air.dma_memcpy_nd") == 3
        assert XRTRunner().run_test(module, [a, b], [a + b]) == 0


def test_a_module_prints_reads_and_runs_as_text():
    module = elementwise(512, 64, 2, np.int32)
    text = str(module)
    assert "air.herd @herd_0  tile" in text or "air.herd @herd_0 tile" in text
    with Context(), Location.unknown():
        assert str(Module.parse(text)) == text
    backend = XRTBackend()
    run = backend.load(backend.compile(text))
    a = np.arange(512, dtype=np.int32)
    _, _, c = run(a, a, np.zeros(512, np.int32))
    np.testing.assert_array_equal(c, 2 * a)
    backend.unload()


def test_what_does_not_verify_is_told_at_the_programs_line():
    @module_builder
    def build():
        @FuncOp.from_py_func()
        def f():
            for _ in range_(4):
                arith.ConstantOp(T.i32(), 1)

    with pytest.raises(DiagnosticError, match="block with no terminator") as raised:
        build()
    assert raised.value.diagnostics[0].file == __file__


def test_devices_that_are_none():
    with pytest.raises(AlloAirError, match="target_device is 'npu9', expected one of npu1"):
        XRTBackend(target_device="npu9").compile("")


def test_views():
    """Subviews in cores are upstream's."""

    @module_builder
    def build():
        kind = T.i32()

        @FuncOp.from_py_func(T.memref(8, kind), T.memref(4, kind))
        def half(a, b):
            @herd(name="h", sizes=[1, 1], operands=[a, b])
            def herd_body(_tx, _ty, _sx, _sy, l3_a, l3_b):
                here = AllocOp(l1([8], kind), [], [])
                out = AllocOp(l1([4], kind), [], [])
                dma_memcpy_nd(here, l3_a)
                upper = subview(here.result, [4], [4], [1])
                for i in range_(4):
                    store(load(upper, [i]), out, [i])
                    yield_([])
                dma_memcpy_nd(l3_b, out)
                DeallocOp(here)
                DeallocOp(out)

    a = np.arange(8, dtype=np.int32)
    assert XRTRunner().run_test(build(), [a], [a[4:]]) == 0


def test_transposes_with_numbers_of_numpy():
    """Sizes that numpy computed are numbers like any; the DMA transposes."""

    @module_builder
    def build(m, n):
        kind = T.i32()

        @FuncOp.from_py_func(T.memref(m, n, kind), T.memref(n, m, kind))
        def transpose(a, b):
            @herd(name="h", sizes=[1, np.int64(1)], operands=[a, b])
            def herd_body(_tx, _ty, _sx, _sy, l3_a, l3_b):
                here = AllocOp(l1([m * n], kind), [], [])
                dma_memcpy_nd(
                    here, l3_a, src_offsets=[0, 0, np.int32(0)], src_sizes=[np.prod([1]), n, m], src_strides=[1, 1, n]
                )
                dma_memcpy_nd(l3_b, here)
                DeallocOp(here)

    a = np.arange(128, dtype=np.int32).reshape(16, 8)
    assert XRTRunner().run_test(build(16, 8), [a], [a.T]) == 0


def test_operands_that_are_none():
    @module_builder
    def build():
        @FuncOp.from_py_func(T.memref(4, T.i32()))
        def copy(a):
            dma_memcpy_nd(a, a, src_offsets=[0], src_sizes=[4], src_strides=[1.0])

    with pytest.raises(
        AlloAirError, match=r"an operand is 1\.0, expected a value, an operation with one result, or an integer"
    ):
        build()


@module_builder
def cascaded(length, cores):
    """Each core adds its number to what the one above passes down the cascade."""
    kind = T.i32()
    Channel("In")
    Channel("Out")
    Channel("Down", size=[1, cores - 1], channel_type="cascade")

    @FuncOp.from_py_func(T.memref(length, kind), T.memref(length, kind))
    def run(arg0, arg1):
        @launch(operands=[arg0, arg1])
        def launch_body(a, b):
            ChannelPut("In", a)
            ChannelGet("Out", b)

            @segment(name="seg")
            def segment_body():
                @herd(name="h", sizes=[1, cores])
                def herd_body(tx, ty, _sx, _sy):
                    here, out = (AllocOp(l1([length], kind), [], []) for _ in range(2))
                    below = arith.subi(ty, arith.ConstantOp(T.index(), 1))

                    def branch(n):
                        """affine.if on whether this is core `n`."""
                        here = AffineExpr.get_add(AffineSymbolExpr.get(0), AffineConstantExpr.get(-n))
                        return affine.AffineIfOp(IntegerSet.get(0, 1, [here], [True]), cond_operands=[ty], has_else=True)

                    def added():
                        for i in range_(length):
                            store(arith.addi(load(here, [i]), arith.index_cast(kind, ty)), out, [i])
                            yield_([])

                    top = branch(cores - 1)
                    with InsertionPoint(top.then_block):
                        ChannelGet("In", here)
                        added()
                        ChannelPut("Down", out, indices=[tx, below])
                        affine.AffineYieldOp([])
                    with InsertionPoint(top.else_block):
                        ChannelGet("Down", here, indices=[tx, ty])
                        added()
                        last = branch(0)
                        with InsertionPoint(last.then_block):
                            ChannelPut("Out", out)
                            affine.AffineYieldOp([])
                        with InsertionPoint(last.else_block):
                            ChannelPut("Down", out, indices=[tx, below])
                            affine.AffineYieldOp([])
                        affine.AffineYieldOp([])
                    DeallocOp(here)
                    DeallocOp(out)


def test_a_cascade():
    a = RNG.integers(-100, 100, 64).astype(np.int32)
    assert XRTRunner().run_test(cascaded(64, 4), [a], [a + 6]) == 0


def test_a_channel_that_is_not_declared():
    @module_builder
    def build():
        kind = T.i32()

        @FuncOp.from_py_func(T.memref(8, kind))
        def copy(arg0):
            @launch(operands=[arg0])
            def launch_body(a):
                ChannelPut("Absent", a)

                @segment(name="seg")
                def segment_body():
                    @herd(name="h", sizes=[1, 1])
                    def herd_body(_tx, _ty, _sx, _sy):
                        here = AllocOp(l1([8], kind), [], [])
                        ChannelGet("Absent", here)
                        DeallocOp(here)

    with pytest.raises(AlloAirError, match="uses '@Absent', and the module declares no such channel"):
        XRTBackend().compile(build())


def test_a_herd_with_more_cores_than_any_device():
    @module_builder
    def build():
        @FuncOp.from_py_func(T.memref(8, T.i32()))
        def copy(arg0):
            @herd(name="h", sizes=[1000, 1000])
            def herd_body(_tx, _ty, _sx, _sy):
                DeallocOp(AllocOp(l1([8], T.i32()), [], []))

    with pytest.raises(AlloAirError, match="has 1000x1000 cores; the largest device has"):
        XRTBackend().compile(build())


@module_builder
def _shifted():
    wide, narrow = type_mapper(np.int32), type_mapper(np.int8)
    space = IntegerAttr.get(T.i32(), MemorySpace.L1)

    @FuncOp.from_py_func(MemRefType.get([100], wide), MemRefType.get([100], narrow))
    def shifted(a, b):
        @herd(name="h", sizes=[1, 1], operands=[a, b])
        def body(_tx, _ty, _sx, _sy, a, b):
            here = AllocOp(MemRefType.get([100], wide, memory_space=space), [], [])
            out = AllocOp(MemRefType.get([100], narrow, memory_space=space), [], [])
            dma_memcpy_nd(here, a)
            for i in range_(100):
                store(arith.trunci(narrow, arith.shrsi(load(here, [i]), arith.ConstantOp(wide, 4))), out, [i])
                yield_([])
            dma_memcpy_nd(b, out)
            DeallocOp(here)
            DeallocOp(out)


def test_right_shifts_round_as_on_the_hardware():
    a = np.random.default_rng(0).integers(-3000, 3000, 100).astype(np.int32)
    rounded = np.clip((a + 8) >> 4, -128, 127).astype(np.int8)
    assert XRTRunner().run_test(_shifted(), [a], [rounded]) == 0
    assert XRTRunner(shift_rounding="floor").run_test(_shifted(), [a], [(a >> 4).astype(np.int8)]) == 0
