// A token's row times rows of weights of bf16, or of eight bits.
#include <stdint.h>
#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"
#include "digits.h"

// Macros: ROWS of weights of a call, COLUMNS.
// Sums of up to 27 bits as floats.
static inline aie::vector<float, 16> rounded(const aie::vector<int32, 16> &sums) {
  const auto low = wide(aie::bit_and(sums, aie::broadcast<int32, 16>(4095))), high = wide(aie::downshift(sums, 12));
  return aie::add(raised(high, aie::broadcast<int32, 16>(12 << 23)), low);
}

extern "C" {
// Of 16 rows the weights of each column lie together.
void multiply_bf16(const int8 *__restrict weights, const int8 *__restrict row, float *__restrict sums) {
  const bfloat16 *__restrict w = (const bfloat16 *)weights, *__restrict x = (const bfloat16 *)row;
  for (unsigned r = 0; r < ROWS; r += 16) {
    aie::accum<accfloat, 16> sum = aie::zeros<accfloat, 16>();
    for (unsigned k = 0; k < COLUMNS; k += 16, w += 256) {
      const auto some = aie::load_v<16>(x + k);
      for (unsigned i = 0; i < 16; ++i) sum = aie::mac(sum, aie::load_v<16>(w + 16 * i), aie::broadcast<bfloat16, 16>(some[i]));
    }
    aie::store_v(sums + r, sum.to_vector<float>());
  }
}

// Of 8 rows the weights lie in tiles of 8 columns; planes are digits of the row.
void multiply_int8(const int8 *__restrict weights, const int8 *__restrict planes, float *__restrict sums) {
  for (unsigned row = 0; row < ROWS; row += 8) {
    const int8 *__restrict x = planes;
    Product even, odd;
    for (unsigned t = 0; t < COLUMNS / 8; t += kTogether, weights += 64 * kTogether) {
      const auto a = aie::load_v<Product::size_A>(x);
      x += Product::size_A;
      even.mac(a, aie::load_v<64>(weights));
      if constexpr (kTogether == 2) odd.mac(a, aie::load_v<64>(weights + 64));
    }
    const auto total = joined(even.to_vector<int32>(), odd.to_vector<int32>());
    aie::store_v(sums + row, together(rounded(total.extract<16>(0)), rounded(total.extract<16>(1))));
  }
}
}
