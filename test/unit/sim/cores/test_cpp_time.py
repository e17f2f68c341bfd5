"""What calls of kernels in C++ take, from what they issue: loops, hints, unrolling, spills."""

import ml_dtypes
import numpy as np
import pytest

from allo_air.aie_api.kernel import CppKernel
from allo_air.sim.cores.cpp_time import ALU, BEGINS, ENDS, HINT, LOAD, MAC, MOVE, STORE, TURNS, Event, cycles
from allo_air.sim.cores.machine import machine_of
from allo_air.sim.cores.script_calls import _zeros

NPU2 = machine_of("AIE2p")
TURN = [Event(TURNS, 1), Event(LOAD, 2), Event(MAC, 1), Event(MOVE, 1), Event(STORE, 1)]


def loop(turns, body=TURN, before=()):
    return [*before, Event(BEGINS, 1), *body * turns, Event(ENDS, 1)]


def test_turns_follow_each_other():
    each = (cycles(loop(200), NPU2) - cycles(loop(100), NPU2)) / 100
    assert each == 1 + NPU2.vector_load - 1 + NPU2.mac + 1 + NPU2.shuffle  # loads, product, conversion, store


def test_a_hint_lets_turns_overlap():
    hinted = loop(200, before=[Event(HINT, 1)])
    assert cycles(hinted, NPU2) < cycles(loop(200), NPU2) / 2
    behind = loop(200, [TURN[0], Event(HINT, 1), *TURN[1:]])
    assert cycles(behind, NPU2) == cycles(hinted, NPU2)


def test_short_loops_are_unrolled():
    assert cycles(loop(8), NPU2) < 8 * cycles(loop(1), NPU2) / 3


def test_the_busiest_unit_bounds_a_loop():
    body = [Event(TURNS, 1), Event(LOAD, 64), Event(ALU, 1)]
    assert cycles(loop(100, body), NPU2) >= 100 * 64 / 2


def test_accumulators_beyond_the_registers_are_loaded_and_stored():
    def sums(count):
        return loop(50, [Event(TURNS, 1), *(Event(MAC, 1, 64 * n + 64, 2048) for n in range(count))])

    assert cycles(sums(4), NPU2) < 50 * 8
    assert cycles(sums(8), NPU2) >= 50 * 8 * 4  # four stores each


def test_scalar_turns_take_their_jump():
    assert cycles(loop(100, [Event(TURNS, 1)]), NPU2) == 100 * 12


SOURCE = """
#include <aie_api/aie.hpp>
#include "../aie_kernel_utils.h"
#define SQUARE aie::store_v(b + i, aie::mul(aie::load_v<16>(a + i), aie::load_v<16>(a + i)).to_vector<bfloat16>());
extern "C" {
void plain(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) {
  for (int i = 0; i < n; i += 16) SQUARE
}
void hinted(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) {
  AIE_PREPARE_FOR_PIPELINING AIE_LOOP_MIN_ITERATION_COUNT(16)
  for (int i = 0; i < n; i += 16) SQUARE
}
void pointers(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) {
  const aie::vector<bfloat16, 16> *from = (const aie::vector<bfloat16, 16> *)a;
  aie::vector<bfloat16, 16> *to = (aie::vector<bfloat16, 16> *)b;
  for (int i = 0; i < n; i += 16) {
    const aie::vector<bfloat16, 16> x = *from, y = *from++;
    *to++ = aie::mul(x, y).to_vector<bfloat16>();
  }
}
void iterators(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) {
  auto from = aie::begin_vector<16>(a), to = aie::begin_vector<16>(b);
  for (int i = 0; i < n; i += 16) {
    const aie::vector<bfloat16, 16> x = *from, y = *from++;
    *to++ = aie::mul(x, y).to_vector<bfloat16>();
  }
}
int longest(int n) {
  int most = 0;
  for (int i = 0; i < n; ++i)
    if (i % 2) most = i; else continue;
  return most;
}
}
"""


@pytest.fixture
def kernel(tmp_path):
    file = tmp_path / "loops.cc"
    file.write_text(SOURCE)

    def call(name, count=1024, arch="AIE2p"):
        machine = machine_of(arch)
        function = CppKernel(file).function(name, arch, lambda events: cycles((Event(*e) for e in events), machine))
        a, b = (_zeros((count,), np.dtype(ml_dtypes.bfloat16)) for _ in range(2))
        return [function(a, b, count) for _ in range(2)]

    return call


def test_kernels_say_what_their_loops_do(kernel):
    first, again = kernel("plain")
    assert first == again and 64 * 15 < first < 64 * 24  # as mlir-air's additions from MLIR, 18.6 cycles for 16
    assert kernel("hinted")[0] < first / 2
    assert kernel("plain", 2048)[0] == pytest.approx(2 * first, rel=0.01)


def test_control_flow_in_loops_is_as_it_was(tmp_path):
    file = tmp_path / "loops.cc"
    file.write_text(SOURCE)
    assert CppKernel(file).function("longest", "AIE2")(9) == 7


def test_zeros_are_aligned_as_buffers_are():
    for count in (1, 3, 100, 4096):
        assert _zeros((count,), np.dtype(np.int8)).ctypes.data % 64 == 0


@pytest.mark.parametrize("how", ["pointers", "iterators"])
def test_pointers_to_vectors_and_iterators_load_and_store_as_calls_do(kernel, how):
    assert kernel(how) == kernel("plain")
