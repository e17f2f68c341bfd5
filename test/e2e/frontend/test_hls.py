"""C++ for high-level synthesis: its text holds what the schedule asked for, and C simulation gives what the CPU gives."""

import re

import numpy as np
import pytest

import allo_air as allo
from allo_air.errors import AlloAirError
from allo_air.ir.types import (
    Fixed,
    Int,
    UFixed,
    UInt,
    bfloat16,
    float16,
    float32,
    index,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
)


def both(s, seed=0):
    """Runs a schedule on the CPU and as C simulation on the same random arguments; returns the C++."""
    from allo_air.frontend.schedule.verify import draw, have_same_results

    cpu, hls = s.build(), s.build(target="vitis_hls")
    agreed = have_same_results(cpu, hls, draw(cpu.parameters, seed), s.top, "on the CPU", "in C simulation")
    assert agreed, agreed
    return str(hls)


def gemm(A: int16[16, 24], B: int16[24, 8]) -> int32[16, 8]:
    C: int32[16, 8] = 0
    for i, j in allo.grid(16, 8, name="tile"):
        for k in allo.reduction(24):
            C[i, j] += A[i, k] * B[k, j]
    return C


def test_pragmas_are_those_of_the_schedule():
    s = allo.customize(gemm)
    s.split("i", 4)
    s.reorder("k", "j")
    s.buffer_at(s.C, axis="i.inner")
    s.pipeline("j", initiation_interval=2, rewind=True)
    s.unroll("i.inner", factor=2)
    s.partition(s.A, dim=2)
    s.partition(s.B, partition_type=allo.Partition.Cyclic, dim=1, factor=4)
    code = both(s)
    lines = [line.strip() for line in code.splitlines()]
    assert lines[lines.index(next(x for x in lines if x.startswith("l_j: "))) + 1] == "#pragma HLS pipeline II=2 rewind"
    assert lines[lines.index(next(x for x in lines if x.startswith("l_i_inner: "))) + 1] == "#pragma HLS unroll factor=2"
    assert "#pragma HLS array_partition variable=v0 complete dim=2" in lines
    assert "#pragma HLS array_partition variable=v1 cyclic dim=1 factor=4" in lines
    assert "int32_t C_i_inner_buffer[8];" in lines
    assert re.search(r"void gemm\(\s*int16_t v0\[16\]\[24\],\s*int16_t v1\[24\]\[8\],\s*int32_t v2\[16\]\[8\]\s*\)", code)


def widths(A: Int(5)[8], B: UInt(12)[8], C: Int(100)[8], D: Int(200)[8]) -> (Int(40)[8], Int(100)[8], UInt(200)[8], int8[8]):
    E: Int(40)[8] = 0
    F: Int(100)[8] = 0
    G: UInt(200)[8] = 0
    H: int8[8] = 0
    for i in range(8):
        E[i] = A[i] * B[i] - 3
        F[i] = C[i] * 12345678901234567890123 + (A[i] << 2)
        G[i] = D[i] * D[i] + (B[i] >> 1)
        H[i] = (A[i] - 7) // 3 + (A[i] - 9) % 4 + (B[i] ^ 21)
    return E, F, G, H


def signs(A: int8[16], B: uint8[16], C: uint32[16], n: int32) -> (int32[16], uint16[16], int64[16], int32):
    D: int32[16] = 0
    E: uint16[16] = 0
    F: int64[16] = 0
    most: int32 = 0
    for i in range(16):
        D[i] = (A[i] if A[i] > B[i] else B[i]) - n
        E[i] = B[i] / (A[i] * A[i] + 1) + (C[i] >> 3)
        F[i] = (C[i] - A[i]) * n
        if (D[i] < 0 and B[i] != 3) or A[i] == n:
            most = max(most, D[i] * D[i])
        elif i % 3 == 1:
            most += 1
    return D, E, F, most


def places(A: Fixed(12, 4)[8], B: UFixed(10, 3)[8], x: float32) -> (Fixed(20, 6)[8], float32[8]):
    C: Fixed(20, 6)[8] = 0
    D: float32[8] = 0
    for i in range(8):
        C[i] = A[i] * B[i] + A[i]
        D[i] = C[i] * x
    return C, D


def floats(A: float32[8], B: float16[8], C: bfloat16[8]) -> (float32[8], float16[8], bfloat16[8], int32[8]):
    D: float32[8] = 0
    E: float16[8] = 0
    F: bfloat16[8] = 0
    G: int32[8] = 0
    for i in range(8):
        D[i] = allo.exp(A[i]) + allo.sqrt(allo.abs(A[i])) - max(A[i], 0.25)
        E[i] = B[i] * B[i] - 1.5
        F[i] = C[i] * 3 + 1
        G[i] = A[i].bitcast()
    return D, E, F, G


def loops(A: int32[12], n: index) -> int32[12]:
    B: int32[12] = 0
    for i in range(12):
        for j in range(i, min(i + 3, 12)):
            B[i] += A[j]
        for j in range(n, 12, 2):
            if (i + j) % 3 == 0:
                continue
            B[i] -= j
            if B[i] < -40:
                break
    k: int32 = 0
    while k < 12:
        B[k] = B[k] * 2
        k += 5
    return B


def row(x: int32[6], factor: int32) -> int32:
    total: int32 = 0
    for i in range(6):
        x[i] = x[i] * factor
        total += x[i]
    return total


def doubled(x: int32[4, 6]) -> int32[4, 6]:
    y: int32[4, 6] = 0
    for i, j in allo.grid(4, 6):
        y[i, j] = 2 * x[i, j]
    return y


def hierarchy(A: int32[4, 6], w: int32[6, 4]) -> (int32[4, 6], int32[4], int32[2, 12]):
    table: int32[2, 3] = [[1, -2, 3], [4, 5, -2147483648]]
    B = doubled(A)
    C: int32[4] = 0
    for i in range(4):
        C[i] = row(A[i], i) + table[i % 2, i % 3]
        C[i] += row(w[:, i], 2)
    return B, C, allo.view(A, (2, 12))


@pytest.mark.parametrize("kernel", [widths, signs, places, floats, loops, hierarchy], ids=lambda k: k.__name__)
def test_c_simulation_gives_what_the_cpu_gives(kernel):
    both(allo.customize(kernel))


def test_fixed_point_numbers_are_of_the_interface():
    code = str(allo.customize(places).build(target="vhls"))
    assert "ap_fixed<12, 8> v0[8]" in code
    assert "ap_ufixed<10, 7> v1[8]" in code
    assert "ap_fixed<20, 14> v3[8]" in code


def test_arrays_of_any_length():
    def double(A: float32[...], n: int32):
        for i in range(n):
            A[i] = A[i] * 2

    run = allo.customize(double).build(target="vivado_hls", mode=None)
    a = np.arange(5, dtype=np.float32)
    run(a, 4)
    assert a.tolist() == [0, 2, 4, 6, 4]


def test_a_project_and_its_tools(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    run = allo.customize(gemm).build(target="vitis_hls", mode="hw_emu", project=tmp_path / "gemm.prj")
    texts = {p.name: p.read_text() for p in (tmp_path / "gemm.prj").iterdir()}
    assert {"kernel.cpp", "kernel.h", "host.cpp", "Makefile", "run.tcl", "description.json"} <= set(texts)
    assert texts["kernel.cpp"] == str(run)
    assert "set_top gemm" in texts["run.tcl"]
    assert "sizes = {768, 384, 512}" in texts["host.cpp"]
    assert "#pragma HLS interface m_axi port=v2 offset=slave bundle=gmem2" in str(run)
    with pytest.raises(AlloAirError, match=r"mode 'hw_emu' of target 'vitis_hls' needs v\+\+ on the PATH"):
        run()


def test_other_tools():
    s = allo.customize(gemm)
    s.pipeline("j")
    catapult = str(s.build(target="catapult"))
    assert re.search(r"#pragma hls_pipeline_init_interval 1\n\s*l_j: for", catapult)
    assert "XlsInt<32, true> v2[16][8]" in str(s.build(target="xls"))
    with pytest.raises(AlloAirError, match="target 'xls' has integers only, found floats of 32 bits"):
        allo.customize(floats).build(target="xls")
    with pytest.raises(AlloAirError, match="target 'vitis_hls' has no mode 'simulate'; its modes are csim, csyn"):
        s.build(target="vitis_hls", mode="simulate")


def test_functions_in_cpp(tmp_path):
    (tmp_path / "blend.h").write_text(
        '#pragma once\n#include "ap_int.h"\nvoid blend(int32_t A[2][8], float B[8], ap_int<12> C[8], float k);\n'
    )
    (tmp_path / "blend.cpp").write_text(
        '#include "blend.h"\nvoid blend(int32_t A[2][8], float B[8], ap_int<12> C[8], float k) {\n'
        "  for (int i = 0; i < 8; i++) {\n    B[i] = A[0][i] + k * A[1][i];\n    C[i] = C[i] + A[0][i];\n  }\n}\n"
    )
    blend = allo.IPModule(top="blend", impl=tmp_path / "blend.cpp")

    def blended(A: int32[2, 8], C: Int(12)[8], k: float32) -> float32[8]:
        B: float32[8] = 0.0
        blend(A, B, C, k)
        return B

    code = both(allo.customize(blended))
    assert "void blend(int32_t v0[2][8], float v1[8], ap_int<12> v2[8], float v3);" in code
    a, b, c = np.arange(16, dtype=np.int32).reshape(2, 8), np.zeros(8, np.float32), np.zeros(8, np.int16)
    blend(a, b, c, np.float32(0.5))
    np.testing.assert_array_equal(b, a[0] + 0.5 * a[1])
    np.testing.assert_array_equal(c, a[0])
    with pytest.raises(AlloAirError, match=r"IP 'f': there is no file 'f\.cpp' here or in"):
        allo.IPModule(top="f", impl="f.cpp")


def test_modules_of_pytorch(tmp_path):
    torch = pytest.importorskip("torch")
    layers = torch.nn.Conv2d(1, 3, 3), torch.nn.MaxPool2d(2), torch.nn.Flatten(), torch.nn.Linear(27, 4), torch.nn.GELU()
    module, x = torch.nn.Sequential(*layers, torch.nn.Softmax(-1)).eval(), torch.randn(2, 1, 8, 8)
    run = allo.frontend.from_pytorch(module, example_inputs=[x], target="vitis_hls", project=tmp_path)
    np.testing.assert_allclose(run(x.numpy()), module(x).detach().numpy(), atol=1e-4)
    assert "float v0[2][1][8][8]" in str(run) and (tmp_path / "kernel.cpp").read_text() == str(run)


def test_steps_that_only_the_run_knows():
    def steps(A: int32[10], s: int32, low: int32, high: int32) -> int32[10]:
        B: int32[10] = 0
        for i in range(low, high, s):
            B[i] += A[i] + 1
        return B

    runs = [allo.customize(steps).build(), allo.customize(steps).build(target="vitis_hls")]
    a = np.arange(10, dtype=np.int32)
    for low, high, s in [(1, 9, 3), (8, -1, -3), (8, 2, -2), (2, 8, -2), (8, 2, 2), (0, 9, 0)]:
        wanted = np.zeros(10, np.int32)
        for i in range(low, high, s) if s else ():
            wanted[i] += a[i] + 1
        for run in runs:
            np.testing.assert_array_equal(run(a, s, low, high), wanted)


def test_functions_in_cpp_of_one_name(tmp_path):
    for name, by in ("one", 1), ("two", 2):
        (tmp_path / f"{name}.cpp").write_text(f"#include <cstdint>\nvoid f(int32_t A[4]) {{ A[0] += {by}; }}\n")
    one, again, two = (allo.IPModule(top="f", impl=tmp_path / f"{n}.cpp") for n in ("one", "one", "two"))

    def same(A: int32[4]):
        one(A)
        again(A)

    def other(A: int32[4]):
        one(A)
        two(A)

    a = np.zeros(4, np.int32)
    allo.customize(same).build()(a)
    assert a[0] == 2
    with pytest.raises(AlloAirError, match=r"C\+\+ functions of '.*two\.cpp' and of '.*one\.cpp' are both called 'f'"):
        allo.customize(other)


def test_fixed_point_is_refused_by_tools_without():
    with pytest.raises(AlloAirError, match="target 'xls' has integers only, found fixed-point numbers of 12 bits"):
        allo.customize(places).build(target="xls")


def scaled(A: int32[8], k: int16, C: Int(100)[8]) -> (int32[8], int32):
    B: int32[8] = 0
    total: int32 = 0
    for i in range(8):
        B[i] = A[i] * k + C[i]
        total += B[i]
    return B, total


def test_the_host_hands_numbers_over_by_value(tmp_path):
    code = str(allo.customize(scaled).build(target="vitis_hls", mode="hw", project=tmp_path))
    host = (tmp_path / "host.cpp").read_text()
    assert "numbers = {0, 2, 3, 4}" in host and "sizes = {32, 128, 32, 4}" in host
    assert "uint16_t value1{};" in host and "run.set_arg(1, value1);" in host
    assert "m_axi port=v4 " in code and "m_axi port=v1 " not in code

    def double(A: float32[...], n: int32):
        for i in range(n):
            A[i] = A[i] * 2

    with pytest.raises(AlloAirError, match="mode 'hw' writes a host program for 'double_', which needs the size of each array"):
        allo.customize(double).build(target="vitis_hls", mode="hw", project=tmp_path / "double")


def test_the_header_declares_what_the_kernel_defines(tmp_path):
    for target in "vitis_hls", "vivado_hls", "catapult", "xls":
        for kernel in scaled, gemm:
            allo.customize(kernel).build(target=target, project=tmp_path)
            header, text = ((tmp_path / n).read_text() for n in ("kernel.h", "kernel.cpp"))
            declared = re.search(rf"void {kernel.__name__}\((.*?)\)", header, re.S)
            defined = re.search(rf"void {kernel.__name__}\((.*?)\)", text, re.S)
            assert declared and defined and declared[1].split() == defined[1].split()
            assert ('extern "C"' in header) == ('extern "C"' in text)
            assert "#include <stdio.h>" in text and "#include <math.h>" in text


def test_modes_of_tools(tmp_path, monkeypatch):
    s = allo.customize(gemm)
    rng = np.random.default_rng(0)
    a, b = rng.integers(-9, 9, (16, 24)).astype(np.int16), rng.integers(-9, 9, (24, 8)).astype(np.int16)
    for target, mode in ("tapa", "csim"), ("catapult", "csim"), ("xls", "sw_emu"), ("ihls", None):
        run = s.build(target=target, mode=mode, project=tmp_path / target)
        np.testing.assert_array_equal(run(a, b), allo.customize(gemm).build()(a, b))
    assert "solution file add ./kernel.cpp" in (tmp_path / "catapult" / "run.tcl").read_text()
    monkeypatch.setenv("PATH", "")
    tools = ("vitis_hls", "vitis_hls"), ("vivado_hls", "vivado_hls"), ("pynq", "vitis_hls"), ("catapult", "catapult")
    for target, tool in tools:
        run = s.build(target=target, mode="csyn", project=tmp_path)
        with pytest.raises(AlloAirError, match=f"mode 'csyn' of target '{target}' needs {tool} on the PATH"):
            run()
        with pytest.raises(AlloAirError, match="takes no arguments, found 1"):
            run(np.zeros((16, 24), np.int16))
    for target, mode in ("pynq", "impl"), ("tapa", "fast_hw_emu"), ("tapa", "hw"):
        with pytest.raises(AlloAirError, match=f"mode '{mode}' of target '{target}' needs"):
            s.build(target=target, mode=mode, project=tmp_path)()
    for target, mode in ("catapult", "hw"), ("xls", "csyn"), ("ihls", "csim"), ("vivado_hls", "hw"):
        with pytest.raises(AlloAirError, match=f"target '{target}' has no mode '{mode}'"):
            s.build(target=target, mode=mode, project=tmp_path)
    with pytest.raises(AlloAirError, match="unknown device 'u999'"):
        s.build(target="vitis_hls", mode="csyn", project=tmp_path, configs={"device": "u999"})


def test_a_device_sets_part_and_platform(tmp_path):
    s = allo.customize(gemm)

    def texts(target, mode, **configs):
        s.build(target=target, mode=mode, project=tmp_path, configs=configs)
        return (tmp_path / "run.tcl").read_text(), (tmp_path / "Makefile").read_text() if target == "vitis_hls" else ""

    script, makefile = texts("vitis_hls", "hw", device="u250")
    assert "xcu250" in script and "PLATFORM ?= xilinx_u250" in makefile and "u280" not in script + makefile
    with pytest.raises(AlloAirError, match=r"mode 'hw' builds for a platform, and that of 'zedboard' is not known"):
        texts("vitis_hls", "hw", device="zedboard")
    script, makefile = texts("vitis_hls", "hw", device="zedboard", platform="mine.xpfm")
    assert "xc7z020" in script and "PLATFORM ?= mine.xpfm" in makefile
    script, makefile = texts("vitis_hls", "csyn", device="zedboard")
    assert "xc7z020" in script and "PLATFORM ?= $(error give PLATFORM" in makefile and "u280" not in makefile
    assert "xc7z020" in texts("vivado_hls", "csyn", device="zedboard")[0]
    for target, name in ("catapult", "device"), ("catapult", "part"), ("tapa", "device"), ("vivado_hls", "platform"):
        with pytest.raises(AlloAirError, match=f"target '{target}' writes no file that names a {name}"):
            texts(target, "csim", **{name: "u250"})
    for target, setting in ("ihls", "device"), ("xls", "part"), ("tapa", "platform"):  # also where no files are written
        with pytest.raises(AlloAirError, match=f"target '{target}' writes no file that names a {setting}"):
            s.build(target=target, configs={setting: "u250"})
    with pytest.raises(AlloAirError, match="unknown device 'u999'"):
        s.build(target="vitis_hls", configs={"device": "u999"})


def test_partitions_are_of_dimensions_that_are_there():
    s = allo.customize(gemm)
    with pytest.raises(AlloAirError, match="partition of tensor 'A' in dimension 5, which has 2 dimensions"):
        s.partition(s.A, dim=5)
    s.partition(s.A, dim=(1, 2))


def test_the_headers_compute_as_those_of_amd(tmp_path):
    import subprocess
    from pathlib import Path

    import allo_air.target.hls as hls

    (tmp_path / "t.cpp").write_text("""
#include "ap_fixed.h"
#include "hls_stream.h"
#include <pthread.h>
int main() {
  ap_uint<8> a = 3, b = 5;
  if (double(a - b) != -2 || int(a - b) != -2 || !((a - b) < 0) || decltype(a - b)::width != 9) return 1;
  if (int(ap_uint<8>(a - b)) != 254 || int(a + b) != 8) return 2;
  ap_fixed<16, 8> x = 1.5;
  x += ap_fixed<8, 4>(0.25); x *= 2; x -= 0.5; x /= 2;
  if (double(x) != 1.5) return 3;
  x <<= 2; x >>= 1;
  if (double(x) != 3) return 4;
  pthread_attr_t before, after;
  size_t sizes[2];
  pthread_getattr_default_np(&before); pthread_attr_getstacksize(&before, sizes);
  hls::stream<int> s; int got = 0;
  allo_hls::at_once({[&] { got = s.read(); }, [&] { s.write(7); }});
  pthread_getattr_default_np(&after); pthread_attr_getstacksize(&after, sizes + 1);
  return got != 7 ? 5 : sizes[0] != sizes[1] ? 6 : 0;
}
""")
    include = Path(hls.__file__).with_name("include")
    subprocess.run(["c++", "-std=c++17", f"-I{include}", "t.cpp", "-o", "t", "-pthread"], cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "t"], check=False).returncode == 0
