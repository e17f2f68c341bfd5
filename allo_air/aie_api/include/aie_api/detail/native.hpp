// The core's own products, by their shapes, and its comparisons that also give a mask.
#pragma once

#include "intrinsics.hpp"

namespace allo_aie {

/// The accumulator of the core's own products: 32 bits for two of 16 only where as many lanes as 32 share it.
template <typename A, typename B, unsigned N>
using native_tag = std::conditional_t<bits_of<A> == 16 && bits_of<B> == 16 && N == 32 && !is_float<A> && !is_float<B>, acc32, product_tag<A, B>>;

/// a[i] * b[i] + a[i + N] * b[i + N] + ..., into or out of `sum`.
template <unsigned N, typename Tag, typename A, typename B, unsigned M>
aie::accum<Tag, N> points(aie::accum<Tag, N> sum, const aie::vector<A, M> &a, const aie::vector<B, M> &b, bool added) {
  for (unsigned p = 0; p < M / N; ++p) {
    const auto x = a.template extract<N>(p);
    const auto y = b.template extract<N>(p);
    sum = added ? aie::mac(sum, x, y) : aie::msc(sum, x, y);
  }
  return sum;
}

}  // namespace allo_aie

// mul_elem_32, mac_elem_16_2 and their like: N lanes of P products
#define ALLO_AIE_ELEMENTS(NAME, N, P)                                                                                          \
  template <typename A, typename B>                                                                                            \
  auto mul_elem_##NAME(const aie::vector<A, N * P> &a, const aie::vector<B, N * P> &b) {                                       \
    return allo_aie::points<N>(aie::accum<allo_aie::native_tag<A, B, N>, N>{}, a, b, true);                                    \
  }                                                                                                                            \
  template <typename A, typename B>                                                                                            \
  auto negmul_elem_##NAME(const aie::vector<A, N * P> &a, const aie::vector<B, N * P> &b) {                                    \
    return allo_aie::points<N>(aie::accum<allo_aie::native_tag<A, B, N>, N>{}, a, b, false);                                   \
  }                                                                                                                            \
  template <typename A, typename B, typename Tag>                                                                              \
  auto mac_elem_##NAME(const aie::vector<A, N * P> &a, const aie::vector<B, N * P> &b, const aie::accum<Tag, N> &c) {          \
    return allo_aie::points<N>(c, a, b, true);                                                                                 \
  }                                                                                                                            \
  template <typename A, typename B, typename Tag>                                                                              \
  auto msc_elem_##NAME(const aie::vector<A, N * P> &a, const aie::vector<B, N * P> &b, const aie::accum<Tag, N> &c) {          \
    return allo_aie::points<N>(c, a, b, false);                                                                                \
  }
ALLO_AIE_ELEMENTS(16, 16, 1) ALLO_AIE_ELEMENTS(32, 32, 1) ALLO_AIE_ELEMENTS(64, 64, 1)
ALLO_AIE_ELEMENTS(16_2, 16, 2) ALLO_AIE_ELEMENTS(32_2, 32, 2)
#undef ALLO_AIE_ELEMENTS

// mul_4x8_8x8 and its like: products of matrices in row order
#define ALLO_AIE_MATRICES(M, K, N)                                                                                             \
  template <typename A, typename B>                                                                                            \
  auto mul_##M##x##K##_##K##x##N(const aie::vector<A, M * K> &a, const aie::vector<B, K * N> &b) {                             \
    aie::mmul<M, K, N, A, B> product;                                                                                          \
    product.mul(a, b);                                                                                                         \
    return product.to_accum();                                                                                                 \
  }                                                                                                                            \
  template <typename A, typename B, typename Tag>                                                                              \
  auto mac_##M##x##K##_##K##x##N(const aie::vector<A, M * K> &a, const aie::vector<B, K * N> &b,                               \
                                 const aie::accum<Tag, M * N> &c) {                                                            \
    aie::mmul<M, K, N, A, B, Tag> product(c);                                                                                  \
    product.mac(a, b);                                                                                                         \
    return product.to_accum();                                                                                                 \
  }
ALLO_AIE_MATRICES(4, 8, 8) ALLO_AIE_MATRICES(4, 16, 8) ALLO_AIE_MATRICES(8, 8, 8) ALLO_AIE_MATRICES(2, 8, 8) ALLO_AIE_MATRICES(4, 8, 4)
ALLO_AIE_MATRICES(4, 4, 4) ALLO_AIE_MATRICES(4, 2, 8) ALLO_AIE_MATRICES(4, 4, 8) ALLO_AIE_MATRICES(2, 4, 8) ALLO_AIE_MATRICES(8, 8, 4)
#undef ALLO_AIE_MATRICES

// Rows times rows: B is given transposed
template <typename T>
aie::accum<accfloat, 64> mac_8x8_8x8T(const aie::block_vector<T, 64> &a, const aie::block_vector<T, 64> &b, const aie::accum<accfloat, 64> &c) {
  aie::mmul<8, 8, 8, T, T> product(c);
  product.mac(a, b);
  return product.to_accum();
}
template <typename T>
aie::accum<accfloat, 64> mul_8x8_8x8T(const aie::block_vector<T, 64> &a, const aie::block_vector<T, 64> &b) {
  return mac_8x8_8x8T(a, b, aie::accum<accfloat, 64>{});
}

// Comparisons with 0, as words; functions that say by the words of `mask` where they chose the second operand, or changed a lane
#define ALLO_AIE_WITH_ZERO(NAME, COMPARE)                                                \
  template <typename T, unsigned N>                                                      \
  auto NAME(const aie::vector<T, N> &v) {                                                \
    return aie::COMPARE(v, aie::zeros<T, N>());                                          \
  }
ALLO_AIE_WITH_ZERO(ltz, lt) ALLO_AIE_WITH_ZERO(gtz, gt) ALLO_AIE_WITH_ZERO(eqz, eq)
#undef ALLO_AIE_WITH_ZERO
template <typename T, unsigned N>
auto ne(const aie::vector<T, N> &a, const aie::vector<T, N> &b) {
  return aie::neq(a, b);
}
#define ALLO_AIE_WITH_MASK(NAME, FUNCTION, COMPARE)                                                                            \
  template <typename T, unsigned N, typename Words>                                                                            \
  aie::vector<T, N> NAME(const aie::vector<T, N> &a, const aie::vector<T, N> &b, Words &mask) {                                \
    mask = Words(aie::COMPARE(a, b).to_uint64());                                                                              \
    return aie::FUNCTION(a, b);                                                                                                \
  }
ALLO_AIE_WITH_MASK(max_lt, max, lt) ALLO_AIE_WITH_MASK(min_ge, min, ge) ALLO_AIE_WITH_MASK(sub_lt, sub, lt)
ALLO_AIE_WITH_MASK(maxdiff_lt, maxdiff, lt)
#undef ALLO_AIE_WITH_MASK
template <typename T, unsigned N, typename Words>
aie::vector<T, N> abs_gtz(const aie::vector<T, N> &v, Words &mask) {
  mask = Words(gtz(v).to_uint64());
  return aie::abs(v);
}

// Products of f32 that the core puts together of bf16: here all three are exact to f32
#define ALLO_AIE_OF_FLOATS(NAME)                                                                                               \
  inline v16accfloat mul_elem_16_##NAME(const v16float &a, const v16float &b) { return aie::mul(a, b); }                       \
  inline v16accfloat mac_elem_16_##NAME(const v16float &a, const v16float &b, const v16accfloat &c) {                          \
    return aie::mac(c, a, b);                                                                                                  \
  }
ALLO_AIE_OF_FLOATS(accuracy_safe) ALLO_AIE_OF_FLOATS(accuracy_fast) ALLO_AIE_OF_FLOATS(accuracy_low)
#undef ALLO_AIE_OF_FLOATS

// Shift-round-saturate by the width of what comes out, and the way back
inline v16int32 lsrs(const v16acc64 &a, int shift) { return a.to_vector<int32>(shift); }
inline v32int16 lsrs(const v32acc64 &a, int shift) { return a.to_vector<int16>(shift); }
inline v32int8 ssrs(const v32acc32 &a, int shift) { return a.to_vector<int8>(shift); }
inline v16acc64 lups(const v16int32 &v, int shift) { return v16acc64(v, shift); }

/// floor(v * 2^shift), saturated to 32 bits.
template <unsigned N>
aie::vector<int32, N> bfloat16_to_int(const aie::vector<bfloat16, N> &v, int shift = 0) {
  return aie::to_fixed<int32>(v, shift);
}

/// What the cycles of this call would be so far, from what it has issued.
inline std::uint64_t get_cycles() {
  const auto &issued = allo_aie::state.issued;
  return std::uint64_t(std::max({(issued.loads + 1) / 2, issued.stores, issued.vectors}));
}

namespace aie {
/// The core that runs.
class tile {
 public:
  static tile current() { return {}; }
  static void set_rounding(rounding_mode mode) { aie::set_rounding(mode); }
  static void set_saturation(saturation_mode mode) { aie::set_saturation(mode); }
  static rounding_mode get_rounding() { return aie::get_rounding(); }
  static saturation_mode get_saturation() { return aie::get_saturation(); }
  std::uint64_t cycles() const { return get_cycles(); }
};
}  // namespace aie
