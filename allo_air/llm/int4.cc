// A token's row times rows of 4-bit weights: exact sums of a group's numbers, then its scale.
#include <stdint.h>
#include <aie_api/aie.hpp>
#include "digits.h"

// Macros: ROWS of weights of a call, COLUMNS, GROUP of columns that share a scale and a zero point.
static constexpr unsigned kTiles = GROUP / 8, kGroups = COLUMNS / GROUP;
static constexpr unsigned kBlock = 8 * GROUP / 2 + 32;  // 8 rows of a group: numbers, 8 zero points twice, 8 scales

// The numbers of 8 rows and 8 columns, less than 16, less their zero points.
static inline aie::vector<int8, 64> tile(const uint4 *w, const aie::vector<int8, 64> &zeros) {
  return aie::sub(aie::unpack(aie::load_v<64>(w)).cast_to<int8>(), zeros);
}

static inline aie::vector<bfloat16, 16> rounded(const aie::vector<float, 16> &x) {
  return aie::accum<accfloat, 16>(x).to_vector<bfloat16>();
}

static inline void scaled(aie::accum<accfloat, 16> &total, const aie::vector<int32, 16> &sums, const aie::vector<bfloat16, 16> &scales) {
  const auto x = wide(sums);
  const auto high = rounded(x);
  const auto rest = aie::sub(x, aie::accum<accfloat, 16>(high).to_vector<float>());
  total = aie::mac(total, high, scales);
  total = aie::mac(total, rounded(rest), scales);
}

extern "C" void multiply_int4(const int8 *__restrict weights, const int8 *__restrict planes, float *__restrict sums) {
  aie::set_rounding(aie::rounding_mode::conv_even);
  for (unsigned row = 0; row < ROWS; row += 8) {
    aie::accum<accfloat, 16> first = aie::zeros<accfloat, 16>(), second = aie::zeros<accfloat, 16>();
    const int8 *__restrict x = planes;
    for (unsigned g = 0; g < kGroups; ++g) {
      const auto zeros16 = aie::load_v<16>(weights + kBlock - 32);
      const auto zeros32 = aie::concat(zeros16, zeros16);
      const auto zeros = aie::concat(zeros32, zeros32);
      const auto scales8 = aie::load_v<8>((const bfloat16 *)(weights + kBlock - 16));
      const auto scales = aie::concat(scales8, scales8);
      const uint4 *w = (const uint4 *)weights;
      Product even, odd;
      for (unsigned t = 0; t < kTiles; t += kTogether) {
        const auto a = aie::load_v<Product::size_A>(x);
        x += Product::size_A;
        even.mac(a, tile((const uint4 *)(weights + 32 * t), zeros));
        if constexpr (kTogether == 2) odd.mac(a, tile((const uint4 *)(weights + 32 * (t + 1)), zeros));
      }
      const auto total = joined(even.to_vector<int32>(), odd.to_vector<int32>());
      scaled(first, total.extract<16>(0), scales);
      scaled(second, total.extract<16>(1), scales);
      weights += kBlock;
    }
    aie::store_v(sums + row, together(first.to_vector<float>(), second.to_vector<float>()));
  }
}
