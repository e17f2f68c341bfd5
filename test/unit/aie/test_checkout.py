"""Kernels from a checkout that the user names: which file and macros, what is refused, what stays this project's."""

import subprocess
import sys

import numpy as np
import pytest

import allo_air.aie.iron as iron
from allo_air.aie.iron import kernels
from allo_air.aie.iron.device import NPU1, NPU2
from allo_air.errors import AlloAirError

COPY = """
#include <stdint.h>
#define CAT(a, b, c) a##b##c
#define TYPE(bits) CAT(int, bits, _t)
extern "C" void passThroughLine(TYPE(BIT_WIDTH) *in, TYPE(BIT_WIDTH) *out, int32_t n) {
  for (int i = 0; i < n; i++)
    out[i] = in[i] + 1;
}
"""
PRODUCT = """
#include <stdint.h>
#ifdef i16_i32_ONLY
extern "C" void matmul_i16_i32(int16_t *a, int16_t *b, int32_t *c) { c[0] = DIM_M * 10000 + DIM_K * 100 + DIM_N; }
#endif
"""


@pytest.fixture
def folder(tmp_path):
    for generation, name, text in (("generic", "passThrough.cc", COPY), ("aie2p", "mm.cc", PRODUCT), ("aie2", "other.cc", "")):
        (tmp_path / "aie_kernels" / generation).mkdir(parents=True, exist_ok=True)
        (tmp_path / "aie_kernels" / generation / name).write_text(text)
    kernels.use_sources(tmp_path)
    yield tmp_path
    kernels.use_sources(None)


@pytest.mark.parametrize("dtype", [np.int16, np.int32])
def test_a_file_for_both_generations(folder, dtype):
    made = kernels.passthrough(8, dtype)
    x, y = np.arange(8, dtype=dtype), np.zeros(8, dtype)
    made.simulated().function(made.name, "AIE2")(x, y, 8)
    np.testing.assert_array_equal(y, x + 1)


def test_a_generation_that_has_the_file(folder):
    iron.set_current_device(NPU2())
    made = kernels.mm(16, 32, 8, np.int16, np.int32)
    c = np.zeros(128, np.int32)
    made.simulated().function(made.name, "AIE2p")(np.zeros(512, np.int16), np.zeros(256, np.int16), c)
    assert c[0] == 163208 and made.mac_dims == (4, 4, 8)
    iron.set_current_device(NPU1())
    assert kernels.mm(16, 32, 8, np.int16, np.int32).source_file.endswith("sources/matmul.cc")
    assert kernels.conv2dk1(8, 8, 8).source_file.endswith("sources/conv.cc")


def test_folders_that_are_none(tmp_path):
    with pytest.raises(AlloAirError, match="has no aie_kernels/aie2; give the folder of a checkout of mlir-aie"):
        kernels.use_sources(tmp_path)
    command = [sys.executable, "-m", "allo_air.tools.allo_env", "--aie-kernels", str(tmp_path), "true"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode and "has no aie_kernels/aie2" in done.stderr


def test_the_option_names_it_for_a_command(folder):
    program = "from aie.iron import kernels; print(kernels.passthrough(8).source_file)"
    command = [sys.executable, "-m", "allo_air.tools.allo_env", "--quiet", "--aie-kernels", str(folder), sys.executable]
    done = subprocess.run([*command, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(folder / "aie_kernels/generic/passThrough.cc")
