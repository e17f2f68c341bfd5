// Powers of floats, and products of floats with bf16 numbers.
#pragma once
#include <stdint.h>
#include <aie_api/aie.hpp>
#if __AIE_ARCH__ == 20
#include <lut_based_ops.h>
#endif

template <unsigned N>
static inline aie::vector<bfloat16, N> rounded(const aie::vector<float, N> &x) {
  return aie::accum<accfloat, N>(x).template to_vector<bfloat16>();
}

template <unsigned N>
static inline aie::accum<accfloat, N> times(const aie::vector<float, N> &x, const aie::vector<bfloat16, N> &by) {
  const auto high = rounded<N>(x);
  const auto rest = aie::sub(x, aie::accum<accfloat, N>(high).template to_vector<float>());
  return aie::mac(aie::accum<accfloat, N>(aie::mul(high, by)), rounded<N>(rest), by);
}

// 2^x on AIE2p, e^x on AIE2: of the rounded x by table, and 1 + x for the rest.
static inline aie::vector<bfloat16, 16> power(const aie::vector<float, 16> &x) {
#if __AIE_ARCH__ == 20
  const auto least = aie::max(x, aie::broadcast<float, 16>(-80.0f));
  const auto high = rounded<16>(least);
  const auto rest = aie::sub(least, aie::accum<accfloat, 16>(high).to_vector<float>());
  const aie::vector<bfloat16, 16> table = aie::accum<accfloat, 16>(getExpBf16(high)).to_vector<bfloat16>();
  const auto near = aie::add(rest, aie::broadcast<float, 16>(1.0f));
  const auto all = aie::mul(table, rounded<16>(near)).to_vector<bfloat16>();
  return aie::select(aie::zeros<bfloat16, 16>(), all, aie::ge(x, aie::broadcast<float, 16>(-80.0f)));
#else
  return aie::exp2<bfloat16>(x);
#endif
}
