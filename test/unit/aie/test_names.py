"""Names of IRON that are not supported yet say so."""

import pytest

from allo_air.aie import iron
from allo_air.errors import AlloAirError


def test_a_missing_name_says_so():
    with pytest.raises(NotImplementedError, match=r"^aie.iron.kernels.bn_colour does not exist; there are bn_avgpool, "):
        _ = iron.kernels.bn_colour
    with pytest.raises(AttributeError):
        _ = iron.NoSuchName


def test_the_folder_of_headers_and_types_by_name():
    from pathlib import Path

    from allo_air.aie.iron.dtype import str_to_dtype
    from allo_air.aie.utils.config import cxx_header_path

    assert (Path(cxx_header_path()) / "aie_api/aie.hpp").is_file()
    assert str_to_dtype("i16").__name__ == "int16"


@pytest.mark.parametrize(
    ("name", "member"),
    [
        ("dataflow.objectfifo", "ObjectFifo"), ("device.tile", "Tile"), ("globalbuffer", "GlobalBuffer"),
        ("runtime.taskgroup", "TaskGroup"), ("kernels.linalg", "mm"), ("algorithms.transform", "transform_parallel"),
        ("placers", "Placer"), ("resolvable", "Resolvable"), ("runtime.dmatask", "DMATask"), ("kernel", "BaseKernel"),
    ],
)  # fmt: skip
def test_modules_that_the_original_cuts_otherwise(name, member):
    import importlib

    assert hasattr(importlib.import_module(f"allo_air.aie.iron.{name}"), member)


def test_functions_with_the_names_of_modules_stay_functions():
    import sys

    import allo_air.compat

    allo_air.compat.install(["aie"])
    try:
        import aie.iron
        from aie.iron.algorithms.transform import transform
        from aie.iron.tensor import zeros

        assert zeros is iron.zeros and transform is aie.iron.algorithms.transform
        assert callable(transform) and callable(aie.iron.tensor)
    finally:
        allo_air.compat.uninstall()
        for name in [n for n in sys.modules if n.partition(".")[0] == "aie"]:
            del sys.modules[name]


PUBLIC = {
    "iron": """
        Buffer ExternalFunction Kernel Program Worker WorkerRuntimeBarrier Runtime TaskGroup RuntimeData Task sync_parameters
        ObjectFifo PadDims StreamDims Acquire Bd BdIteration CascadeFlow DmaChannel Flow Lock ScratchpadParameter PacketDest
        PacketFlow Release TileDma CompileTime In Out InOut CompilableDesign CallableDesign compileconfig jit compile_context
        get_compile_arg tensor ones zeros full randint rand arange zeros_like ceildiv set_tensor_class set_current_device
        get_current_device ensure_current_device str_to_dtype dtype_to_str kernels algorithms device controlflow dataflow
        runtime CPUOnlyTensor NpuTensor""",
    "iron.kernels": """
        passthrough scale add mul relu softmax gelu silu bf16_exp swiglu reduce_add reduce_min reduce_max compute_max mm mv
        cascade_mm rgba2hue threshold bitwise_or bitwise_and gray2rgba rgba2gray filter2d add_weighted conv2dk1 conv2dk3
        conv2dk1_skip conv2dk1_i8 conv2dk14 conv2dk1_skip_init relu_ref silu_ref gelu_ref bf16_exp_ref softmax_ref""",
    "iron.algorithms": """
        transform transform_binary transform_parallel transform_parallel_binary for_each reduce row_at_a_time
        row_at_a_time_tiled row_at_a_time_with_skip sliding_3row""",
    "iron.device": """
        NPU1 NPU1Col1 NPU1Col2 NPU1Col3 NPU2 NPU2Col1 NPU2Col2 NPU2Col3 NPU2Col4 NPU2Col5 NPU2Col6 NPU2Col7 Tile
        AnyComputeTile AnyMemTile AnyShimTile PlacementTile from_name""",
    "iron.hostruntime.config": "get_current_device set_current_device",
    "helpers.taplib": "TensorAccessPattern TensorAccessSequence TensorTiler2D",
    "helpers.taplib.tap": "TensorAccessPattern",
    "helpers.taplib.tas": "TensorAccessSequence",
    "helpers.taplib.tensortiler2d": "TensorTiler2D",
    "helpers.dialects.scf": "if_ else_",
    "helpers.dialects.func": "func call",
    "utils": "NpuTensor CPUOnlyTensor NPUKernel HostRuntime DefaultNPURuntime TraceConfig tensor get_current_device",
    "utils.jit": "jit",
    "utils.compile": "compile_mlir_module compile_external_kernel",
    "utils.compile.utils": "compile_cxx_core_function compile_mlir_module compile_external_kernel",
    "utils.compile.jit.context": "compile_context get_compile_arg",
    "compiler.aiecc.main": "main run",
    "utils.compile.jit.markers": "In Out InOut CompileTime",
    "utils.hostruntime": "DefaultNPURuntime HostRuntime bfloat16_safe_allclose set_tensor_class",
    "utils.hostruntime.tensor_class": "Tensor NpuTensor",
    "utils.hostruntime.argparse": "add_compile_args add_benchmark_args add_trace_arg add_runtime_args device_from_args",
    "utils.hostruntime.cli": "run_design_cli",
    "utils.verify": "nearly_equal count_mismatches assert_pass assert_close_with_benchmark",
    "utils.benchmark": "run_iters print_benchmark",
    "utils.ml": "DataShaper",
    "utils.trace.utils": "get_cycles get_cycles_summary get_vector_time",
    "utils.trace.events": "CoreEvent MemEvent MemTileEvent ShimTileEvent PortEvent MemTilePortEvent ShimTilePortEvent PLEvent",
    "utils.config": "cxx_header_path root_path peano_install_dir",
    "extras.dialects.arith": "constant index_cast",
    "extras.dialects.memref": "load store",
    "dialects._aie_enum_gen": "AIETileType WireBundle DMAChannelDir LockAction AIEDevice",
}
"""What the sheet of IRON's public names has, by module."""


@pytest.mark.parametrize("module", PUBLIC)
def test_public_names(module):
    import importlib

    found = importlib.import_module(f"allo_air.aie.{module}")
    assert [n for n in PUBLIC[module].split() if not hasattr(found, n)] == []


def test_orders_of_images_and_weights():
    import numpy as np

    from allo_air.aie.utils.ml import DataShaper

    image, shaper = np.arange(16 * 3 * 4).reshape(16, 3, 4), DataShaper()
    eights = shaper.reorder_mat(image, "YCXC8", "CYX")
    np.testing.assert_array_equal(eights, image.reshape(2, 8, 3, 4).transpose(2, 0, 3, 1))
    np.testing.assert_array_equal(shaper.reorder_mat(eights, "CDYX", "YCXD").reshape(16, 3, 4), image)
    assert shaper.reorder_mat(np.zeros((16, 8, 3, 3)), "OIYXI8O8", "OIYX").shape == (2, 1, 3, 3, 8, 8)
    np.testing.assert_array_equal(shaper.reorder_mat(eights, "CYX", "YCXC8"), image)
    assert shaper.reorder_mat(eights, "CYXC4", "YCXC8").shape == (4, 3, 4, 4)
    with pytest.raises(AlloAirError, match="has C4, and the array has 8 elements there"):
        shaper.reorder_mat(eights, "CYX", "YCXC4")
    for order, message in {
        "YCXC0": "has C0",
        "YCXY": "has Y twice",
        "YCXC5": "not a multiple of 5",
        "YC8X": "has no C for the rest",
        "YCXZ": "has Z",
    }.items():
        with pytest.raises(AlloAirError, match=message):
            shaper.reorder_mat(image, order, "CYX")


def test_cycles_of_traces_in_files(tmp_path):
    import json

    from allo_air.aie.utils.trace.utils import get_cycles, get_cycles_summary, get_vector_time

    begins = [("INSTR_EVENT_0", 10), ("INSTR_VECTOR", 12), ("INSTR_EVENT_1", 40), ("INSTR_EVENT_0", 50), ("INSTR_EVENT_1", 75)]
    events = [{"name": "process_name", "ph": "M", "pid": 0, "args": {"name": "core_trace for tile2,0"}}]
    events += [{"name": n, "ph": "B", "pid": 0, "ts": t} for n, t in begins]
    events.append({"name": "INSTR_VECTOR", "ph": "E", "pid": 0, "ts": 20})
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(events))
    assert get_cycles_summary(str(path)) == [["core_trace for tile2,0", 30, 25]]
    assert (get_cycles(path), get_vector_time(events)) == (30, 8)


def test_tensors_into_others():
    import numpy as np

    out = iron.zeros(8, dtype=np.float32)
    assert iron.full(8, 1.5, out=out) is out and out.numpy().tolist() == [1.5] * 8
    for shape, dtype in (((4,), np.float32), ((8,), np.int32)):
        with pytest.raises(
            AlloAirError, match=r"out= is float32 of \(8,\), and the tensor is .*; give the shape and the dtype"
        ):
            iron.ones(*shape, dtype=dtype, out=out)
