"""What calls of kernels in C++ take, from what they issue: loops, hints, unrolling, spills."""

import ml_dtypes
import numpy as np
import pytest

from allo_air.aie_api.kernel import CppKernel
from allo_air.core_model.machine import machine_of
from allo_air.errors import AlloAirError
from allo_air.sim.cores.code_size import KernelSize
from allo_air.sim.cores.cpp_events import ALU, BEGINS, ENDS, HINT, LOAD, MAC, MAKES, MOVE, READS, STORE, TURNS, Event
from allo_air.sim.cores.cpp_time import cycles
from allo_air.sim.cores.script_calls import aligned_zeros

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


def test_a_product_waits_for_a_conversion_that_begins_after_it():
    events = [(MAKES, 1, 3), (LOAD, 1), (MAKES, 1, 1), (READS, 1, 3), (MAKES, 1, 2), (READS, 1, 3), (MOVE, 1), (MAKES, 1, 1),
              (READS, 1, 2), (MAC, 1)]  # fmt: skip
    assert cycles([Event(*e) for e in events], NPU2) == LOADED + MOVED + 1


def test_what_is_behind_an_unrolled_loop_waits_for_its_last_values():
    turns = [Event(*e) for n in range(4) for e in ((TURNS, 1), (MAKES, 1, n + 1), (MAC, 1))]
    store = [Event(MAKES, 1, 5), Event(READS, 1, 4), Event(STORE, 1)]
    assert cycles([Event(BEGINS, 1), *turns, Event(ENDS, 1), *store], NPU2) == 3 + PRODUCT + 1


def test_scalar_turns_take_their_jump():
    assert cycles(loop(100, [Event(TURNS, 1)]), NPU2) == 100 * 12


SOURCE = """
#include <cassert>
#include <cstdlib>
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
void told(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) {
  AIE_PREPARE_FOR_PIPELINING
  for (int i = 0; i < n; i += 16) SQUARE
}
void known_turns(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) {
  constexpr int count = sizeof(v16int32);
  const int end = count;
  for (int i = 0; i < end; i += 16) SQUARE
}
static inline void square_all(bfloat16 *__restrict a, bfloat16 *__restrict b, int count) {
  for (int i = 0; i < count; i += 16) SQUARE
}
void known_by_calls(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) { square_all(a, b, 64); }
static inline void square_some(bfloat16 *__restrict a, bfloat16 *__restrict b, int count) {
  const int end = count >> 4;
  for (int i = 0; i < end; i += 16) SQUARE
}
void open_turns(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) { square_some(a, b, n); }
void chain(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) {
  AIE_LOOP_MIN_ITERATION_COUNT(16)
  for (int i = 0; i < n; i += 16) {
    aie::vector<bfloat16, 16> x = aie::load_v<16>(a + i);
    x = aie::mul(x, x).to_vector<bfloat16>(), x = aie::mul(x, x).to_vector<bfloat16>();
    x = aie::mul(x, x).to_vector<bfloat16>(), x = aie::mul(x, x).to_vector<bfloat16>();
    x = aie::mul(x, x).to_vector<bfloat16>(), x = aie::mul(x, x).to_vector<bfloat16>();
    aie::store_v(b + i, x);
  }
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
void sums(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) {
  for (int i = 0; i < n; i += 32) aie::store_v(b + i, aie::add(aie::load_v<32>(a + i), aie::load_v<32>(b + i)));
}
void sums_in_memory(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) {
  const aie::vector<bfloat16, 32> *p = (const aie::vector<bfloat16, 32> *)a;
  aie::vector<bfloat16, 32> *q = (aie::vector<bfloat16, 32> *)b;
  for (int i = 0; i < n; i += 32, ++p, ++q) *q = aie::add(*p, *q);
}
void sums_of_iterators(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) {
  auto p = aie::begin_vector<32>(a), q = aie::begin_vector<32>(b), to = aie::begin_vector<32>(b);
  for (int i = 0; i < n; i += 32) *to++ = aie::add(*p++, *q++);
}
void magnitudes(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) {
  for (int i = 0; i < n; i += 32) {
    const auto bits = __builtin_bit_cast(aie::vector<int16, 32>, aie::load_v<32>(a + i));
    const v32int16 masked = aie::bit_and(bits, aie::broadcast<int16, 32>(0x7fff));
    aie::store_v(b + i, __builtin_bit_cast(v32bfloat16, masked));
  }
}
void squares(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) {
  aie::accum<accfloat, 16> sum = aie::zeros<accfloat, 16>();
  for (int i = 0; i < n; i += 16) {
    const auto x = aie::load_v<16>(a + i);
    sum = aie::mac(sum, x, x);
  }
  aie::store_v(b, sum.to_vector<bfloat16>());
}
void row_times_vector(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) {
  aie::accum<accfloat, 32> sum = aie::zeros<accfloat, 32>();
  for (int i = 0; i < n; i += 32) sum = aie::mac(sum, aie::load_v<32>(a + i), aie::load_v<32>(b + i));
  aie::store_v(b, sum.to_vector<bfloat16>());
}
#define SUM(x, y) aie::add(x, y)
#define AT(p, n) aie::load_v<32>(p + i + n)
void two_sums(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) {
  for (int i = 0; i < n; i += 64) {
    aie::store_v(b + i, SUM(AT(a, 0), AT(b, 0)));
    aie::store_v(b + i + 32, SUM(AT(a, 32), AT(b, 32)));
  }
}
void sum_of_sums(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) {
  for (int i = 0; i < n; i += 64) {
    const auto first = SUM(AT(a, 0), AT(b, 0));
    aie::store_v(b + i, first);
    aie::store_v(b + i + 32, SUM(AT(a, 32), first));
  }
}
void running_sum(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) {
  aie::vector<bfloat16, 32> sum = aie::zeros<bfloat16, 32>();
  AIE_LOOP_MIN_ITERATION_COUNT(16)
  for (int i = 0; i < n; i += 32) sum = SUM(sum, AT(a, 0));
  aie::store_v(b, sum);
}
void running_integers(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) {
  const int16 *p = (const int16 *)a;
  aie::vector<int16, 32> sum = aie::zeros<int16, 32>();
  AIE_LOOP_MIN_ITERATION_COUNT(16)
  for (int i = 0; i < n; i += 32) sum = SUM(sum, AT(p, 0));
  aie::store_v((int16 *)b, sum);
}
void alternate(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) {
  aie::vector<bfloat16, 32> first = aie::zeros<bfloat16, 32>(), second = first;
  AIE_LOOP_MIN_ITERATION_COUNT(16)
  for (int i = 0; i < n; i += 32) {
    const auto before = first;
    first = SUM(second, AT(a, 0));
    second = SUM(before, AT(b, 0));
  }
  aie::store_v(b, SUM(first, second));
}
void tiles(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) {
  aie::mmul<8, 8, 8, bfloat16, bfloat16, accauto> sum;
  for (int i = 0; i < n; i += 64) sum.mac(aie::load_v<64>(a + i), aie::load_v<64>(b + i));
  aie::store_v(b, sum.to_vector<bfloat16>());
}
void elements(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) {
  for (int i = 0; i < n; i++) b[i] = a[i] * b[i];
}
void modes(bfloat16 *__restrict a, bfloat16 *__restrict b, int n) {
  int16 *state = (int16 *)b;
  if (state[0] == 0) for (int i = 32; i < n; i += 32) aie::store_v(b + i, aie::zeros<bfloat16, 32>());
  else for (int i = 32; i < n; i += 32) aie::store_v(b + i, SUM(AT(a, 0), AT(b, 0)));
  state[0] = 1 - state[0];
}
void divides(bfloat16 *a, bfloat16 *b, int n) { ((volatile short *)a)[0] = 1000 / (n >> 20); }
void traps(bfloat16 *a, bfloat16 *b, int n) { __builtin_trap(); }
void throws(bfloat16 *a, bfloat16 *b, int n) { throw 3; }
void exits(bfloat16 *a, bfloat16 *b, int n) { exit(0); }
void asserts(bfloat16 *a, bfloat16 *b, int n) { assert(n == 0); }
void never_ends(bfloat16 *a, bfloat16 *b, int n) { for (;;) asm volatile(""); }
void far_behind(bfloat16 *a, bfloat16 *b, int n) { for (int i = 0; i < 20 * n; ++i) ((volatile short *)b)[i] = 1; }
void deep(bfloat16 *a, bfloat16 *b, int n) { volatile int x[64]; x[0] = n; if (n) deep(a, b, n + 1); x[1] = 1; }
void smashes(bfloat16 *a, bfloat16 *b, int n) {
  volatile char x[16];
  for (int i = 0; i < n / 16; ++i) ((volatile char *)x)[i] = 1;
}
void nowhere(bfloat16 *a, bfloat16 *b, int n) { ((volatile short *)a)[size_t(n) << 40] = 1; }
int longest(int n) {
  int most = 0;
  for (int i = 0; i < n; ++i)
    if (i % 2) most = i; else continue;
  return most;
}
}
"""


@pytest.fixture(scope="module")
def loops(tmp_path_factory):
    """One file for all tests: it compiles once for each device."""
    file = tmp_path_factory.mktemp("loops") / "loops.cc"
    file.write_text(SOURCE)
    return file


@pytest.fixture
def kernel(loops):
    def call(name, count=1024, arch="AIE2p"):
        machine = machine_of(arch)
        function = CppKernel(loops, seconds=0.4).function(
            name, arch, lambda events: cycles((Event(*e) for e in events), machine)
        )
        a, b = (aligned_zeros((count,), np.dtype(ml_dtypes.bfloat16)) for _ in range(2))
        return [function(a, b, count) for _ in range(2)]

    return call


def test_kernels_say_what_their_loops_do(kernel):
    first, again = kernel("plain")
    assert first == again and 64 * 15 < first < 64 * 24  # as mlir-air's additions from MLIR, 18.6 cycles for 16
    assert kernel("hinted")[0] < first / 2
    assert kernel("plain", 2048)[0] == pytest.approx(2 * first, rel=0.01)


@pytest.mark.parametrize(("name", "overlaps"), [("known_turns", True), ("known_by_calls", True), ("open_turns", False)])
def test_short_loops_are_unrolled_whose_turns_the_compiler_knows(kernel, name, overlaps):
    """Four turns of sixteen elements, of 16 cycles by themselves."""
    assert (kernel(name)[0] < 3 * 16) == overlaps


def test_calls_that_issue_other_operations_have_a_price_of_their_own(loops):
    seen, size = [], KernelSize(NPU2)

    def price(events):
        seen.append(cycles([Event(*e) for e in events], NPU2))
        size.add(Event(*e) for e in events)
        return seen[-1]

    function = CppKernel(loops).function("modes", "AIE2p", price)
    a, b = (aligned_zeros((1024,), np.dtype(ml_dtypes.bfloat16)) for _ in range(2))
    first = function(a, b, 1024)
    alone, second = size.bytes, function(a, b, 1024)
    assert [function(a, b, 1024) for _ in range(4)] == [first, second] * 2 and seen == [first, second] and second > 2 * first
    assert size.bytes > 2 * alone


def test_control_flow_in_loops_is_as_it_was(loops):
    assert CppKernel(loops).function("longest", "AIE2p")(9) == 7


def test_a_kernel_that_leaves_memory_is_an_error(kernel):
    with pytest.raises(AlloAirError, match=r"loops\.cc\): accesses memory outside of its arguments"):
        kernel("nowhere")
    for name, why in {
        "divides": "divides an integer by zero",
        "traps": "reaches a trap",
        "throws": "throws an exception",
        "exits": "calls exit",
        "asserts": r"assertion 'n == 0' fails \(.*loops\.cc:\d+\)",
        "never_ends": "does not end within 0.4 s",
        "far_behind": r"accesses memory \d+ bytes after the 2048 of argument 1",
        "deep": "accesses memory outside",
        "smashes": "writes outside of an array on its stack",
    }.items():
        with pytest.raises(AlloAirError, match=rf"loops\.cc\): {why}"):
            kernel(name)


def test_zeros_are_aligned_as_buffers_are():
    for count in (1, 3, 100, 4096):
        assert aligned_zeros((count,), np.dtype(np.int8)).ctypes.data % 64 == 0


@pytest.mark.parametrize("how", ["pointers", "iterators"])
def test_pointers_to_vectors_and_iterators_load_and_store_as_calls_do(kernel, how):
    assert kernel(how) == kernel("plain")


@pytest.mark.parametrize("how", ["sums_in_memory", "sums_of_iterators"])
def test_vectors_that_an_operation_takes_from_memory_are_loaded(kernel, how):
    assert kernel(how) == kernel("sums")


LOADED, PRODUCT, MOVED = 7, 6, 2
"""Cycles of docs/sources.md#timing until what is loaded, multiplied or converted can be used."""
HAND_COUNTS = {
    "sums": (32, LOADED + 1 + MOVED + PRODUCT + MOVED + 1),  # the second of two conversions, a sum, a conversion, a store
    "squares": (16, LOADED + 1),  # products into one accumulator follow each other
    "row_times_vector": (32, LOADED + 1),
    "tiles": (64, LOADED + 1 + 16),  # four loads are two cycles; 512 products, 32 at once
    "elements": (1, 12),  # xdna-emu: 12,297 cycles of 1,024
    # The second two loads are a cycle later and its first conversion one more, after two of the other sum.
    "two_sums": (64, LOADED + 1 + MOVED + PRODUCT + MOVED + 1 + 2),
    "sum_of_sums": (64, 2 * (1 + MOVED + PRODUCT + MOVED) + LOADED + 1),  # one after another
    "running_sum": (32, MOVED + PRODUCT + MOVED),  # turns overlap as far as the sum of the turn before is there
    "alternate": (32, MOVED + PRODUCT + MOVED),  # of two sums that change places each takes the other of the turn before
    "chain": (16, LOADED + 6 * (PRODUCT + MOVED) + 1),  # three stages would take 19 cycles, more than LLVM looks at
    "told": (16, LOADED + PRODUCT + MOVED + 1),  # nothing to Peano
    "running_integers": (32, 3),  # a turn of 8 cycles in three stages: the chain is a single cycle
}


@pytest.mark.parametrize("name", HAND_COUNTS)
def test_turns_take_what_their_instructions_take_by_hand(kernel, name):
    elements, by_hand = HAND_COUNTS[name]
    more = kernel(name, 8192)[0] - kernel(name, 4096)[0]
    assert more == 4096 // elements * by_hand


def test_bits_of_vectors_are_cast(loops):
    a, b = (aligned_zeros((64,), np.dtype(ml_dtypes.bfloat16)) for _ in range(2))
    a[:] = -1.5
    CppKernel(loops).function("magnitudes", "AIE2p")(a, b, 64)
    assert (b == 1.5).all()
