"""Names that programs import, and habits of builders: results of operations, calls, no active context."""

import json
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest

import allo_air.air.dialects.air as air
from allo_air import compat
from allo_air.air._mlir_libs._air import run_transform as of_the_library
from allo_air.air.backend.cpu_backend import AirCpuBackend
from allo_air.air.backend.linalg_on_tensors import LinalgOnTensorsAirBackend, make_dynamo_backend
from allo_air.air.backend.xrt import XRTBackend, XRTCompileArtifact
from allo_air.air.backend.xrt_runner import XRTRunner, type_mapper
from allo_air.air.compiler.runner import main as air_runner
from allo_air.air.compiler.util import Runner
from allo_air.air.dialects import airrt
from allo_air.air.dialects.air import *
from allo_air.air.dialects.memref import AllocOp, load, store
from allo_air.air.dialects.scf import for_, yield_
from allo_air.air.passmanager import PassManager
from allo_air.errors import AlloAirError

HIERARCHIES = ("rank", "launch", "segment", "herd")
NAMES = [
    *(f"{n.title()}{e}" for n in HIERARCHIES for e in ("", "Op", "TerminatorOp")),
    *HIERARCHIES,
    *(f"{n}_terminator" for n in HIERARCHIES),
    *(
        "Channel",
        "ChannelGet",
        "ChannelGetOp",
        "ChannelOp",
        "ChannelPut",
        "ChannelPutOp",
        "channel",
        "channel_get",
        "channel_put",
    ),
    *("CustomOp", "custom", "DmaMemcpyNd", "DmaMemcpyNdOp", "dma_memcpy_nd", "ExecuteOp", "ExecuteTerminatorOp", "execute"),
    *("execute_terminator", "TranslateOp", "translate", "UniverseAllocOp", "universe_alloc", "WaitAllOp", "wait_all"),
    *("AsyncTokenType", "MemorySpace", "async_token", "external_func", "module_builder", "pyint_to_index", "pyints_to_indices"),
    *("AllocOp", "CallOp", "DeallocOp", "FuncOp", "T", "alloc", "arith", "call", "dealloc", "run_transform"),
    *("AffineMap", "ArrayAttr", "Context", "InsertionPoint", "IntegerAttr", "Location", "MemRefType", "Module", "StringAttr"),
    *("TypeAttr", "UnitAttr", "np"),
]
MODULES = [
    *(
        f"dialects.{n}"
        for n in (
            "affine",
            "arith",
            "bufferization",
            "func",
            "gpu",
            "linalg",
            "linalg.opdsl.lang",
            "math",
            "linalg.opdsl.ops.core_named_ops",
            "airrt",
            "transform.loop",
            "async_dialect",
            "_air_ops_gen",
        )
    ),
    *(f"dialects.{n}" for n in ("memref", "scf", "tensor", "transform", "transform.structured", "vector", "_ods_common")),
    *(
        "_mlir_libs._air",
        "_mlir_libs._mlir.ir",
        "backend.abc",
        "backend.cpu_backend",
        "backend.linalg_on_tensors",
        "backend.xrt",
        "backend.xrt_runner",
        "compiler.aircc.main",
    ),
    *("compiler.util", "execution_engine", "extras.types", "ir", "passmanager", "rewrite", "runtime.np_to_memref"),
]

TILING = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1, %2 = transform.structured.tile_using_for %0 tile_sizes [16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
"""


ANNOTATING = """
module attributes {transform.with_named_sequence} {
  transform.sequence failures(propagate) {
  ^bb0(%root: !transform.any_op):
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %f "seen" : !transform.any_op
  }
}
"""


def test_the_module_of_the_dialect_has_the_names_of_the_peers():
    assert not [n for n in NAMES if n not in air.__all__ or not hasattr(air, n)]


@pytest.mark.parametrize("name", MODULES)
def test_modules_are_found_under_the_peers_names(name):
    compat.install(["air"])
    try:
        assert import_module(f"air.{name}") is import_module(f"allo_air.air.{name}")
    finally:
        compat.uninstall()


@module_builder
def product():
    kind = MemRefType.get([64, 64], T.f32())

    @FuncOp.from_py_func(kind, kind, kind)
    def f(a, b, c):
        from allo_air.air.dialects import linalg

        linalg.matmul(a, b, outs=[c])


@pytest.mark.parametrize("run", [run_transform, of_the_library])
def test_scripts_run_without_an_active_context(run):
    module = product()
    run(Module.parse(TILING, context=module.context), module)
    assert "scf.for" in str(module)
    PassManager.parse("builtin.module(canonicalize,cse)", context=module.context).run(module.operation)


@module_builder
def generated(n):
    """Built by the generated classes and functions, results first."""
    kind = type_mapper(np.int32)
    whole = MemRefType.get([n], kind)
    part = MemRefType.get([n], kind, memory_space=IntegerAttr.get(T.i32(), MemorySpace.L1))
    channel("In", [1], channel_type="npu_dma_stream")
    ChannelOp(StringAttr.get("Out"), size=[1])
    helper = external_func("helper", inputs=[part, T.i32()])

    @FuncOp.from_py_func(whole, whole)
    def f(a, b):
        @launch(operands=[a, b], attributes={"id": 7})
        def launch_body(x, y):
            zero, size, one = (arith.ConstantOp.create_index(i) for i in (0, n, 1))
            channel_put(None, [], "In", [zero], x, [zero], [size], [one])
            ChannelGetOp(None, [], "Out", [zero], y, [], [], [])

            @segment(name="s")
            def segment_body():
                @herd(name="h", sizes=[1, 1])
                def herd_body(_tx, _ty, _sx, _sy):
                    here = AllocOp(part, [], [])
                    assert here.type == part and not list(here.uses)
                    ChannelGet("In", here, indices=[0])
                    for i in for_(n):
                        store(arith.addi(load(here, [i]), arith.ConstantOp(T.i32(), 5)), here, [i])
                        yield_([])
                    CallOp(helper, inputs=[here, arith.ConstantOp(T.i32(), 3)], attributes={"tag": UnitAttr.get()})
                    ChannelPut("Out", here, indices=[0])

                assert isinstance(herd_body, HerdOp) and not isinstance(herd_body, LaunchOp)


def test_generated_builders_make_programs():
    module = generated(32)
    assert "tag" in str(module) and "id = 7" in str(module)
    numbers = np.arange(32, dtype=np.int32)

    def helper(here, number):
        here[:] *= number

    assert XRTRunner(kernels={"helper": helper}).run_test(module, [numbers], [(numbers + 5) * 3]) == 0


def test_a_pass_manager_prints_and_times(capsys):
    module = product()
    with module.context:
        manager = PassManager.parse("builtin.module(func.func(convert-linalg-to-affine-loops),canonicalize)")
    manager.enable_ir_printing(print_before_all=True)
    manager.enable_timing()
    manager.run(module.operation)
    said = capsys.readouterr().err
    assert "IR Dump Before convert-linalg-to-affine-loops" in said and "linalg.matmul" in said
    assert "affine.for" in said.partition("IR Dump After convert-linalg-to-affine-loops")[2]
    assert said.rstrip().endswith("ms  canonicalize")


DOUBLED = """
func.func @doubled(%a: memref<64xi32>, %b: memref<64xi32>) {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx = %c2, %sy = %c1) args(%p = %a, %q = %b) : memref<64xi32>, memref<64xi32> {
    %o = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%x]
    %m = memref.alloc() : memref<32xi32, 2>
    air.dma_memcpy_nd (%m[] [] [], %p[%o] [32] [1]) : (memref<32xi32, 2>, memref<64xi32>)
    linalg.add ins(%m, %m : memref<32xi32, 2>, memref<32xi32, 2>) outs(%m : memref<32xi32, 2>)
    air.dma_memcpy_nd (%q[%o] [32] [1], %m[] [] []) : (memref<64xi32>, memref<32xi32, 2>)
    memref.dealloc %m : memref<32xi32, 2>
  }
  return
}
"""

PRODUCT = """
func.func @forward(%a: tensor<32x32xi32>, %b: tensor<32x32xi32>) -> tensor<32x32xi32> {
  %e = tensor.empty() : tensor<32x32xi32>
  %z = arith.constant 0 : i32
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<32x32xi32>) -> tensor<32x32xi32>
  %r = linalg.matmul ins(%a, %b : tensor<32x32xi32>, tensor<32x32xi32>) outs(%f : tensor<32x32xi32>) -> tensor<32x32xi32>
  return %r : tensor<32x32xi32>
}
"""


def test_a_module_runs_on_the_host():
    backend = AirCpuBackend()
    loaded = backend.load(backend.compile(DOUBLED))
    a, b = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    assert loaded.doubled(a, b) is None and (b == 2 * a).all()
    with pytest.raises(AlloAirError, match="the module defines no function @double; it defines @doubled; did you mean"):
        loaded.double(a, b)


def test_what_would_be_lost_on_the_host_is_refused():
    loaded = AirCpuBackend().load(AirCpuBackend().compile(DOUBLED))
    a, b = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    with pytest.raises(AlloAirError, match="@doubled takes 2 arguments, found 1"):
        loaded.doubled(a)
    b.flags.writeable = False
    for place in b, [np.int32(0)] * 64:
        with pytest.raises(TypeError, match="@doubled writes to argument 1, which is read-only"):
            loaded.doubled(a, place)
    b.flags.writeable = True
    loaded.doubled(list(a), b)
    assert (b == 2 * a).all()


@pytest.mark.parametrize(
    "call",
    [
        lambda: AirCpuBackend().compile(DOUBLED, verbos=True),
        lambda: LinalgOnTensorsAirBackend(target="npu1"),
        lambda: LinalgOnTensorsAirBackend().compile(PRODUCT, pipelin=None),
        lambda: make_dynamo_backend(pipelin=None),
    ],
)
def test_backends_refuse_unknown_arguments(call):
    with pytest.raises(TypeError, match=r"\(\) has no argument '(verbos|target|pipelin)'"):
        call()


@pytest.mark.parametrize("backend", [AirCpuBackend(), LinalgOnTensorsAirBackend()])
def test_tensors_come_back(backend):
    a, b = (np.random.default_rng(n).integers(-9, 9, (32, 32)).astype(np.int32) for n in range(2))
    assert (backend.load(backend.compile(PRODUCT)).forward(a, b) == a @ b).all()


def test_a_runner_predicts_and_traces(tmp_path, capsys):
    runner = Runner({"cores": [], "clock": 10_000_000}, tmp_path / "trace.json", "core", verbose=True)
    module = Module.parse(DOUBLED)
    assert any(event["ph"] == "B" for event in json.loads(runner.run(module, "doubled")))
    assert (tmp_path / "trace.json").exists() and f"Latency (us): {runner.last_latency_us:.1f}" in capsys.readouterr().out
    with pytest.raises(AlloAirError, match="the module defines @doubled, expected @other alone"):
        runner.run(module, "other")


def test_air_runner_counts_with_the_clock_of_the_machine_model(tmp_path, capsys):
    latencies = []
    (tmp_path / "doubled.mlir").write_text(DOUBLED)
    for hertz in (1e9, 1e6):
        (tmp_path / "arch.json").write_text(json.dumps({"clock": hertz}))
        options = ["-f", "doubled", "-m", str(tmp_path / "arch.json"), "-o", str(tmp_path / "trace.json"), "-v"]
        assert air_runner([str(tmp_path / "doubled.mlir"), *options]) == 0
        latencies.append(float(capsys.readouterr().err.partition("(us):")[2]))
    assert latencies[1] > 2 * latencies[0]
    assert any(event["ph"] == "B" for event in json.loads((tmp_path / "trace.json").read_text()))
    (tmp_path / "arch.json").write_text('{"clock": "fast"}')
    assert air_runner([str(tmp_path / "doubled.mlir"), *options]) == 1
    assert "clock is 'fast', expected a positive number of Hz" in capsys.readouterr().err


def test_airrt_is_built_by_the_peers_names():
    @module_builder
    def loads():
        @FuncOp.from_py_func()
        def f():
            airrt.SegmentLoadOp(T.i64(), None, "seg")
            airrt.wait_all(None, [])

    text = str(loads())
    assert '= airrt.segment_load "seg" : i64' in text and "airrt.wait_all" in text


def test_scripts_run_where_transform_extras_are_imported(tmp_path):
    (tmp_path / "program.py").write_text(
        "import allo_air.air.dialects.transform.extras\n"
        "from allo_air.air.dialects.air import *\n"
        f"SCRIPT = {ANNOTATING!r}\n"
        "with Context():\n"
        "    module = Module.parse('func.func @f() { return }')\n"
        "    run_transform(Module.parse(SCRIPT), module)\n"
        "    print(module)\n"
    )
    made = subprocess.run([sys.executable, str(tmp_path / "program.py")], capture_output=True, text=True)
    assert "attributes {seen}" in made.stdout, made.stderr


def test_a_program_is_loaded_by_the_names_of_its_files(tmp_path):
    names = XRTBackend().compile(DOUBLED, output_binary_name=str(tmp_path / "kept"), insts=str(tmp_path / "kept.bin"))
    kept = XRTCompileArtifact(names.output_binary, names.kernel, names.insts)
    a = np.arange(64, dtype=np.int32)
    assert (XRTBackend().load(kept)(a, np.zeros_like(a))[1] == 2 * a).all()
    with pytest.raises(AlloAirError, match=r"cannot read 'none\.xclbin'"):
        XRTBackend().load(XRTCompileArtifact("none.xclbin", "MLIR_AIE", "none.bin"))(a, a)


def test_a_channel_without_a_size():
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            air.ChannelOp("alone")
        assert 'size = [], sym_name = "alone"' in str(module)
