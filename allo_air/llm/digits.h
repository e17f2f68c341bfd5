// Products of a row's digits of eight bits with tiles of eight columns and eight rows of weights.
#pragma once
#include <stdint.h>
#include <aie_api/aie.hpp>

#if __AIE_ARCH__ == 20
using Product = aie::mmul<4, 8, 8, int8, int8, acc32>;
static constexpr unsigned kTogether = 1;
#else
using Product = aie::mmul<8, 8, 8, int8, int8, acc32>;
static constexpr unsigned kTogether = 2;  // the planes of two tiles fill an operand
#endif

// The sums of all tiles, a row for each plane.
static inline aie::vector<int32, 32> joined(const aie::vector<int32, 64> &even, const aie::vector<int32, 64> &odd) {
  return aie::add(even.extract<32>(0), odd.extract<32>(1));
}
static inline aie::vector<int32, 32> joined(const aie::vector<int32, 32> &sums, const aie::vector<int32, 32> &) { return sums; }

static inline aie::vector<float, 16> wide(const aie::vector<int32, 16> &sums) {
  // Sums are below 2^22: as the mantissa of 1.5 x 2^23 they are floats.
  const auto bits = aie::add(sums, aie::broadcast<int32, 16>(0x4b400000));
  return aie::sub(bits.cast_to<float>(), aie::broadcast<float, 16>(12582912.0f));
}

// Floats times powers of two, whose exponents are those of a float's bits.
static inline aie::vector<float, 16> raised(const aie::vector<float, 16> &x, const aie::vector<int32, 16> &powers) {
  const auto more = aie::add(x.cast_to<int32>(), powers).cast_to<float>();
  return aie::select(more, x, aie::eq(x, aie::zeros<float, 16>()));
}

// What eight rows' sums of planes stand for: planes 0 and 1, then 2 and one of zeros; a plane counts 256 times the next one.
static inline aie::vector<float, 8> together(const aie::vector<float, 16> &first, const aie::vector<float, 16> &second) {
  const auto powers = aie::concat(aie::broadcast<int32, 8>(16 << 23), aie::broadcast<int32, 8>(8 << 23));
  const auto sums = aie::add(raised(first, powers), second);
  return aie::add(sums.extract<8>(0), sums.extract<8>(1));
}
