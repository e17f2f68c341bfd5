// Functions of bf16 rows: by tables as on AIE2, and by the instructions of AIE2p.
#include <aie_api/aie.hpp>
#include <lut_based_ops.h>
#include "aie_kernel_utils.h"

using namespace aie;

void by_tables(bfloat16 *restrict in, bfloat16 *restrict out, const int32_t size) {
  auto it_in = aie::cbegin_restrict_vector<16>(in);
  auto it_out = aie::begin_restrict_vector<16>(out);
  aie::accum<accfloat, 16> sum;
  sum.from_vector(aie::zeros<float, 16>(), 0);
  const int steps = size >> 4;
  for (int i = 0; i < steps; i++) {
    aie::vector<bfloat16, 16> x = *it_in++;
    aie::vector<bfloat16, 16> e = to_v16bfloat16(getExpBf16(x));
    sum = aie::add(sum, e);
    *it_out++ = e;
  }
  aie::vector<float, 16> lanes = sum.to_vector<float>();
  float total = aie::reduce_add(lanes);
  bfloat16 scale = (bfloat16)aie::inv(total);
  auto again = aie::cbegin_restrict_vector<16>(out);
  it_out = aie::begin_restrict_vector<16>(out);
  for (int i = 0; i < steps; i++)
    chess_prepare_for_pipelining chess_loop_range(4, ) {
      aie::accum<accfloat, 16> y = aie::mul(*again++, scale);
      *it_out++ = y.to_vector<bfloat16>();
    }
}

void by_exp2(bfloat16 *in, bfloat16 *out, const int32_t size) {
  constexpr int lanes = 32;
  const float log2e = 1.4453125f;
  const int steps = size / lanes;
  aie::vector<bfloat16, lanes> largest = aie::broadcast<bfloat16, lanes>(std::numeric_limits<bfloat16>::lowest());
  for (int i = 0; i < steps; i++) AIE_PREPARE_FOR_PIPELINING
    largest = aie::max(largest, aie::load_v<lanes>(in + i * lanes));
  const float top = (float)aie::reduce_max(largest) * log2e;
  aie::accum<accfloat, lanes> sum = aie::zeros<accfloat, lanes>();
  const aie::vector<bfloat16, lanes> factor = aie::broadcast<bfloat16, lanes>(bfloat16(log2e));
  aie::accum<accfloat, lanes> tops(aie::broadcast<float, lanes>(top));
  for (int i = 0; i < steps; i++) {
    auto scaled = aie::mul(aie::load_v<lanes>(in + i * lanes), factor);
    auto below = aie::sub(scaled, tops);
    aie::vector<bfloat16, lanes> e = aie::exp2<bfloat16>(below.template to_vector<float>());
    sum = aie::add(sum, e);
    aie::store_v(out + i * lanes, e);
  }
  const bfloat16 scale = aie::inv(aie::reduce_add(sum.template to_vector<float>()));
  for (int i = 0; i < steps; i++) {
    aie::vector<bfloat16, lanes> y = aie::mul(aie::load_v<lanes>(out + i * lanes), scale);
    aie::store_v(out + i * lanes, y);
  }
}

extern "C" {
void softmax_bf16(bfloat16 *restrict in, bfloat16 *restrict out, const int32_t size) {
#if __AIE_ARCH__ >= 21
  by_exp2(in, out, size);
#else
  by_tables(in, out, size);
#endif
}

void relu_bf16(bfloat16 *restrict a, bfloat16 *restrict c, const int size) {
  v32bfloat16 *restrict from = (v32bfloat16 *)a;
  v32bfloat16 *restrict to = (v32bfloat16 *)c;
  v32bfloat16 zeroes = broadcast_zero_to_v32bfloat16();
  for (int i = 0; i < size; i += 32) {
    v32bfloat16 x = *from++;
    *to++ = max(x, zeroes);
  }
}

void silu_bf16(bfloat16 *restrict in, bfloat16 *restrict out, const int size) {
  aie::vector<bfloat16, 16> half = aie::broadcast<bfloat16, 16>(0.5f), one = aie::broadcast<bfloat16, 16>(1.0f);
  auto from = aie::begin_restrict_vector<16>(in);
  auto to = aie::begin_restrict_vector<16>(out);
  for (int i = 0; i < size; i += 16) {
    aie::vector<bfloat16, 16> x = *from++;
#if __AIE_ARCH__ >= 21
    auto halves = aie::mul(x, half);
    aie::vector<bfloat16, 16> t = aie::tanh<bfloat16>(halves.to_vector<float>());
#else
    aie::vector<bfloat16, 16> halves = aie::mul(x, half);
    aie::vector<bfloat16, 16> t = getTanhBf16(halves);
#endif
    aie::vector<bfloat16, 16> sigmoid = aie::mul(aie::add(t, one), half);
    auto y = aie::mul(x, sigmoid);
    *to++ = y.to_vector<bfloat16>();
  }
}

void gelu_bf16(bfloat16 *restrict in, bfloat16 *restrict out, const int32_t size) {
  const bfloat16 k0 = 0.5f, k1 = 1.0f, k2 = 0.79788456f, k3 = 0.044715f;
  auto v05 = aie::broadcast<bfloat16, 16>(k0), v1 = aie::broadcast<bfloat16, 16>(k1);
  auto vs = aie::broadcast<bfloat16, 16>(k2), vb = aie::broadcast<bfloat16, 16>(k3);
  for (int i = 0; i < size; i += 16) {
    aie::vector<bfloat16, 16> x = aie::load_v<16>(in + i);
    aie::vector<bfloat16, 16> x2 = aie::mul(x, x);
    aie::vector<bfloat16, 16> x3 = aie::mul(x, x2);
    aie::vector<bfloat16, 16> x3b = aie::mul(x3, vb);
    aie::vector<bfloat16, 16> inner = aie::add(x, x3b);
    auto scaled = aie::mul(inner, vs);
    aie::vector<bfloat16, 16> t = getTanhBf16(scaled.to_vector<bfloat16>());
    aie::vector<bfloat16, 16> up = aie::mul(aie::add(t, v1), v05);
    aie::vector<bfloat16, 16> y = aie::mul(x, up);
    aie::store_v(out + i, y);
  }
}

void layer_norm_bf16(bfloat16 *in, bfloat16 *out, int32_t rows, int32_t cols) {
  constexpr float epsilon = 1e-5f;
  constexpr unsigned N = 16;
  event0();
  for (int c = 0; c < cols; c++) { // one column at a time: rows are the direction of the mean
    float sum = 0.0f, squares = 0.0f;
    for (int r = 0; r < rows; r++) {
      sum += (float)in[r * cols + c];
      squares += (float)in[r * cols + c] * (float)in[r * cols + c];
    }
    const float mean = sum / rows, variance = squares / rows - mean * mean;
    const float scale = aie::invsqrt(variance + epsilon);
    for (int r = 0; r < rows; r++) out[r * cols + c] = bfloat16(((float)in[r * cols + c] - mean) * scale);
  }
  event1();
}

void rope_bf16(bfloat16 *restrict in, bfloat16 *restrict lut, bfloat16 *restrict out, int32_t dims) {
  for (int v = 0; v < dims; v += 16) {
    aie::vector<bfloat16, 16> x = aie::load_v<16>(in + v);
    aie::vector<bfloat16, 16> cache = aie::load_v<16>(lut + v);
    aie::vector<bfloat16, 8> even = aie::filter_even(x, 1), odd = aie::filter_odd(x, 1);
    aie::vector<bfloat16, 8> cos = aie::filter_even(cache, 1), sin = aie::filter_odd(cache, 1);
    aie::vector<bfloat16, 8> even_cos = aie::mul(even, cos), odd_sin = aie::mul(odd, sin);
    aie::vector<bfloat16, 8> even_sin = aie::mul(even, sin), odd_cos = aie::mul(odd, cos);
    aie::vector<bfloat16, 8> low = aie::sub(even_cos, odd_sin), high = aie::add(even_sin, odd_cos);
    auto [first, second] = aie::interleave_zip(low, high, 1);
    aie::store_v(out + v, aie::concat(first, second));
  }
}
}
