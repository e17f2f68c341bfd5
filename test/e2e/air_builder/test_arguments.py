"""Wrong keywords, options and bodies are refused with the right name, at the program's line."""

import numpy as np
import pytest

from allo_air.air.backend.xrt import XRTBackend
from allo_air.air.backend.xrt_runner import XRTRunner
from allo_air.air.dialects import arith
from allo_air.air.dialects.air import *
from allo_air.air.dialects.memref import load, store
from allo_air.air.ir import *
from allo_air.errors import AlloAirError, OptionError


def _refused(call):
    with pytest.raises(TypeError) as caught:
        call()
    error = caught.value
    assert isinstance(error, AlloAirError)
    assert error.diagnostics[0].file == __file__, "the finding must stand at the program's line"
    return str(error)


@pytest.mark.parametrize("kind", [XRTBackend, XRTRunner])
def test_unknown_options_are_type_errors(kind):
    text = _refused(lambda: kind(omit_pingpongs="L1"))
    assert f"{kind.__name__}() got an unexpected keyword argument 'omit_pingpongs'; did you mean 'omit_pingpong'" in text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"emit_txn_cpp": True}, "aie-npu-to-cpp"),
        ({"xclbin_input": "a.xclbin"}, "write a file for each kernel"),
        ({"output_format": "bin"}, "expected one of xclbin"),
        ({"use_lock_race_condition_fix": True, "use_lock_race_condition_fix_v2": True}, "exclude each other"),
    ],
)
def test_options_without_a_meaning_here_are_refused(options, words):
    for kind in (XRTBackend, XRTRunner):
        with pytest.raises(OptionError, match=words):
            kind(**options)
    kind(emit_txn_cpp=False, xclbin_input="", trace_size=0)


def test_elf_is_refused_for_npu1():
    with pytest.raises(OptionError, match="does not load"):
        XRTBackend(target_device="npu1", output_format="elf").compile("module {}")


def test_a_trace_that_is_not_written_is_noted(capsys):
    XRTBackend(trace_size=8192)
    assert "allo-run --trace" in capsys.readouterr().err


def _in_a_herd(action, **settings):
    @module_builder
    def build():
        whole = T.memref(64, T.i32())

        @FuncOp.from_py_func(whole)
        def f(a):
            @herd(name="h", sizes=[1, 1], operands=[a], **settings)
            def body(_x, _y, _sx, _sy, a):
                action(a)

    return build()


def test_keywords_of_transfers_name_the_right_ones():
    assert "'src_offset'; did you mean 'src_offsets'" in _refused(
        lambda: _in_a_herd(lambda a: dma_memcpy_nd(a, a, src_offset=[0]))
    )
    assert "'dst_sizes'" in _refused(lambda: _in_a_herd(lambda a: dma_memcpy_nd(a, a, size=[0])))
    assert "'size'; did you mean 'sizes'" in _refused(lambda: _in_a_herd(lambda a: ChannelPut("c", a, size=[0])))
    assert "'src_offsets'; did you mean 'offsets'" in _refused(
        lambda: _in_a_herd(lambda a: ChannelPut("c", a, src_offsets=[0]))
    )
    assert "'chan'; did you mean 'chan_name'" in _refused(lambda: _in_a_herd(lambda a: ChannelPutOp(chan="c", src=a)))


def test_keywords_of_regions_name_the_right_ones():
    assert "Herd() got an unexpected keyword argument 'links_with'" in _refused(
        lambda: _in_a_herd(lambda _: None, links_with="k.o")
    )


def test_bodies_take_what_the_region_passes():
    @module_builder
    def build():
        @FuncOp.from_py_func(T.memref(64, T.i32()))
        def f(a):
            @herd(name="h", sizes=[1, 1], operands=[a])
            def body(x, y):
                pass

    text = _refused(build)
    assert "body(x, y)" in text and "5 values" in text and "2 ids, 2 sizes, 1 operands" in text


def test_source_and_destination_have_their_names():
    @module_builder
    def build():
        Channel("c", size=[1, 1])

        @FuncOp.from_py_func(T.memref(64, T.i32()), T.memref(64, T.i32()))
        def f(a, b):
            ChannelPut("c", src=a)
            ChannelGet("c", dst=b)

    assert "air.channel.put" in str(build())


def test_run_test_names_its_arguments():
    runner = XRTRunner()
    text = _refused(lambda: runner.run_test("module {}", inputs=[], expected_output=[np.zeros(4)]))
    assert "did you mean 'expected_outputs'" in text


def test_classes_of_regions_leave_the_terminator_to_the_program():
    @module_builder
    def build(ended):
        @FuncOp.from_py_func(T.memref(64, T.i32()))
        def f(a):
            outer = Launch("l", sizes=[3, 4], operands=[a])
            with InsertionPoint(outer.body.blocks[0]):
                inner = Herd("h", sizes=[2, 2], attributes={"x_loc": 1})
                with InsertionPoint(inner.body.blocks[0]):
                    WaitAllOp(None, [WaitAllOp(AsyncTokenType.get(), [])])
                    if ended:
                        HerdTerminatorOp()
                if ended:
                    LaunchTerminatorOp()

    assert str(build(True)) == str(build(False)) and "air.launch @l" in str(build(True))


def test_types_of_tokens_are_instances_of_their_class():
    @module_builder
    def build():
        assert isinstance(AsyncTokenType.get(), AsyncTokenType) and not isinstance(T.i32(), AsyncTokenType)

    build()


def test_loads_and_stores_take_numbers():
    def body(a):
        buffer = AllocOp(MemRefType.get([2, 4], T.i32(), memory_space=IntegerAttr.get(T.i32(), MemorySpace.L1)), [], [])
        store(load(buffer, [1, 2]), buffer, [0, np.int64(3)])
        dma_memcpy_nd(a, buffer)

    text = str(_in_a_herd(body))
    assert "%c1" in text and "%c3" in text and "memref.load" in text


def test_a_run_needs_all_arrays():
    @module_builder
    def build():
        @FuncOp.from_py_func(T.memref(8, T.i32()), T.memref(8, T.i32()))
        def copied(a, b):
            @herd(name="h", sizes=[1, 1], operands=[a, b])
            def body(x, y, sx, sy, a, b):
                buffer = AllocOp(MemRefType.get([8], T.i32(), memory_space=IntegerAttr.get(T.i32(), MemorySpace.L1)), [], [])
                dma_memcpy_nd(buffer, a)
                dma_memcpy_nd(b, buffer)

    with pytest.raises(AlloAirError, match="the call passes 1 array, inputs and outputs; the program has 8xi32, 8xi32"):
        XRTRunner().run_test(build(), inputs=[], expected_outputs=[np.zeros(8, np.int32)])


def test_a_function_is_no_module():
    with pytest.raises(AlloAirError, match="got the function test_a_function_is_no_module; call it"):
        XRTBackend().compile(test_a_function_is_no_module)


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        (lambda: VectorType.get([4], T.i32()), 1, r"type vector<4xi32> is not a number, got 1; vector.broadcast"),
        (lambda: ComplexType.get(T.f32()), 1.0, r"type complex<f32> is not a number, got 1.0; give an attribute"),
        (lambda: T.i32(), 1.5, r"type i32 is an integer, got 1.5"),
    ],
)
def test_constants_are_numbers_of_their_type(kind, value, said):
    with Context(), Location.unknown(), InsertionPoint(Module.create().body):
        assert "1.000000e+00 : f32" in str(arith.ConstantOp(T.f32(), 1))
        with pytest.raises(AlloAirError, match=said):
            arith.ConstantOp(kind(), value)
