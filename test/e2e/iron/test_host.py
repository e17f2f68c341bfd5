"""Programs that print a design, which a makefile compiles and a host runs, in the forms of several years."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import allo_air.aie.iron as iron
from allo_air.aie.iron import CompileTime, In, ObjectFifo, Out, Program, Runtime
from allo_air.aie.utils import DefaultNPURuntime, NPUKernel, TraceConfig
from allo_air.aie.utils.hostruntime.cli import run_design_cli
from allo_air.aie.utils.xrt import execute, setup_aie
from allo_air.errors import AlloAirError

HOST = Path(__file__).parent / "host"
MAKE = """set -e
$PEANO_INSTALL_DIR/bin/clang++ -O2 --target=aie2-none-unknown-elf -c $1/scaled.cc -o scaled.o
python3 $1/design.py -d npu -t 8192 > aie.mlir
aiecc.py --aie-generate-xclbin --aie-generate-npu-insts --no-compile-host --no-xchesscc --no-xbridge \\
  --xclbin-name=final.xclbin --npu-insts-name=insts.bin aie.mlir
python3 $1/test.py -x final.xclbin -i insts.bin -k MLIR_AIE -t 8192 --trace_file trace.txt
python3 -m aie.utils.trace.parse --input trace.txt --mlir aie.mlir --output trace.json
"""


def test_a_makefiles_commands(tmp_path):
    command = [sys.executable, "-m", "allo_air.tools.allo_env", "--quiet", "bash", "-c", MAKE, "make", str(HOST)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0 and done.stdout.endswith("PASS!\n"), done.stdout + done.stderr
    assert "Avg NPU time: " in done.stdout and "us. (predicted)" in done.stdout
    traced = json.loads((tmp_path / "trace.json").read_text())
    assert any(e["name"] == "LOCK_STALL" and e["ph"] == "B" for e in traced)


@iron.jit
def passed(x: In, y: Out, *, n: CompileTime[int]):
    whole, part = np.ndarray[(n,), np.dtype[np.int32]], np.ndarray[(n // 4,), np.dtype[np.int32]]
    source = ObjectFifo(part, name="in")
    sink = source.cons().forward(name="out")

    def sequence(x, y, source, sink):
        source.fill(x)
        sink.drain(y, wait=True)

    return Program(iron.get_current_device(), Runtime(sequence, [whole, whole, source.prod(), sink.cons()])).resolve_program()


def options(**given):
    paths = {f"{n}_path": None for n in ("xclbin", "insts", "elf", "full_elf", "pdi")}
    return SimpleNamespace(**{"dev": None, "emit_mlir": False, **paths, **given})


def test_files_of_a_design_and_hosts_that_run_them(tmp_path):
    files = {"xclbin_path": str(tmp_path / "a.xclbin"), "insts_path": str(tmp_path / "a.bin")}
    pdi = str(tmp_path / "a.pdi")
    run_design_cli(passed, options(**files, pdi_path=pdi), compile_kwargs={"n": 256})
    assert Path(pdi).stat().st_size > 100
    x = np.arange(256, dtype=np.int32)
    app = setup_aie(*files.values(), 256, np.int32, None, None, 256, np.int32)
    np.testing.assert_array_equal(execute(app, x), x)
    assert app.npu_time > 0
    flat, square = iron.tensor(x), iron.zeros(16, 16, dtype=np.int32)
    assert NPUKernel(*files.values())(flat, square).npu_time > 0
    np.testing.assert_array_equal(square.numpy().ravel(), x)
    assert DefaultNPURuntime.run_test(NPUKernel(*files.values()), [flat, square], {1: x + 1}) == 1
    assert "FAIL" not in repr(TraceConfig(1024))


def test_modules_are_written_and_run(tmp_path):
    from allo_air.aie.utils.compile import compile_mlir_module

    xclbin, insts = tmp_path / "a.xclbin", tmp_path / "a.bin"
    compile_mlir_module(str(passed.as_mlir(n=256)), insts_path=insts, xclbin_path=xclbin)
    x, y = iron.arange(256, dtype=np.int32), iron.zeros(256, dtype=np.int32)
    DefaultNPURuntime.load_and_run(NPUKernel(xclbin, insts), [x, y])
    np.testing.assert_array_equal(y.numpy(), x.numpy())


def test_kernels_become_object_files_under_the_environment(tmp_path):
    program = f"""
import numpy as np
import aie.iron as iron
from aie.iron import ExternalFunction, ObjectFifo, Program, Runtime, Worker
from aie.utils import NPUKernel
from aie.utils.compile import compile_external_kernel, compile_mlir_module
kind = np.ndarray[(4,), np.dtype[np.int32]]
source = 'extern "C" void f(int *a) {{ for (int i = 0; i < 4; i++) a[i] = 1; }}'
f = ExternalFunction("f", source_string=source, arg_types=[kind])
compile_external_kernel(f, {str(tmp_path)!r}, "aie2p")
out = ObjectFifo(kind, name="out")
def core(out, f):
    f(out.acquire(1))
    out.release(1)
rt = Runtime(lambda x, out: out.drain(x, wait=True), [kind, out.cons()])
module = Program(iron.device.NPU2Col1(), rt, [Worker(core, [out.prod(), f], while_true=False)]).resolve_program()
files = {str(tmp_path / "x.xclbin")!r}, {str(tmp_path / "x.bin")!r}
compile_mlir_module(module, files[1], None, files[0], work_dir={str(tmp_path)!r})
x = iron.zeros(4, dtype=np.int32)
NPUKernel(*files)(x)
assert x[0] == 1
"""
    command = [sys.executable, "-m", "allo_air.tools.allo_env", "--quiet", sys.executable, "-c", program]
    subprocess.run(command, check=True)
    assert (tmp_path / "f.o").is_file()


def test_tensors_of_another_shape_or_type_with_as_many_bytes():
    x, y = iron.arange(256, dtype=np.int32), iron.zeros(16, 32, dtype=np.int16)
    passed(x, y, n=256)
    np.testing.assert_array_equal(y.numpy().ravel().view(np.int32), x.numpy())


def test_what_a_program_gives_the_command_line_may_take_the_options(capsys):
    seen = []
    given = {"compile_kwargs": lambda o: {"n": 64}, "device": lambda o: iron.device.NPU2Col1(), "validate": seen.append}
    run_design_cli(passed, options(emit_mlir=True), **given)
    iron.set_current_device(None)
    assert "aie.device(npu2_1col)" in capsys.readouterr().out and len(seen) == 1
    run_design_cli(passed, options(), run_and_verify=lambda: seen.append("ran"))
    assert seen[-1] == "ran"


def test_mistakes(tmp_path):
    with pytest.raises(AlloAirError, match="--xclbin-path goes with --insts-path, the instructions; give both"):
        run_design_cli(passed, options(xclbin_path="x"), compile_kwargs={"n": 64})
    with pytest.raises(AlloAirError, match=r"NPUKernel: there is no file 'none\.xclbin'"):
        NPUKernel("none.xclbin")(iron.zeros(4))
