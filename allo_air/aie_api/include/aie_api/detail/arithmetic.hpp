// Lane by lane: sums, products into accumulators, comparisons, bits, and functions of one value.
#pragma once

#include "memory.hpp"

namespace allo_aie {

template <typename T>
struct lanes_of : std::false_type {};
template <typename T, unsigned N>
struct lanes_of<aie::vector<T, N>> : std::true_type {
  using element = T;
  static constexpr unsigned count = N;
};
template <typename T>
inline constexpr bool is_vector = lanes_of<T>::value;

/// The accumulator of a product: f32 where a factor is a float, 32 bits where the factors have 24 together, else 64.
template <typename A, typename B>
using product_tag = std::conditional_t<is_float<A> || is_float<B>, accfloat,
                                       std::conditional_t<(bits_of<A> + bits_of<B> <= 24), acc32, acc64>>;
template <typename Tag, typename A, typename B>
using tag_or = std::conditional_t<std::is_same_v<Tag, accauto>, product_tag<A, B>, Tag>;

/// A lane as it enters a product or an accumulator.
template <typename Tag, typename T>
auto wide(T x) {
  if constexpr (std::is_same_v<Tag, accfloat>)
    return float(x);
  else
    return __int128(x);
}

/// An accumulator of `f(lane)`; one instruction does so many bits of it as `width`, `times` of them for each.
template <typename Tag, unsigned N, typename F>
aie::accum<Tag, N> each_acc(F f, long width = 1024, Unit unit = Unit::sum, const void *sum = nullptr, long times = 1) {
  aie::accum<Tag, N> made;
  for (unsigned i = 0; i < N; ++i) made[i] = aie::accumulator<Tag>::kept(f(i));
  issue(unit, times * (made.bits() <= width ? 1 : (made.bits() + width - 1) / width), sum, sum ? made.bits() : 0);
  return made;
}

template <typename T, unsigned N, Unit U = Unit::alu, typename F>
aie::vector<T, N> each(F f) {
  aie::vector<T, N> made;
  for (unsigned i = 0; i < N; ++i) made[i] = f(i);
  if (U != Unit::none) issue_bits(U, made.bits());
  return made;
}

/// Sums of bf16 are of f32, between conversions.
template <typename T, unsigned N>
void issue_sum() {
  if constexpr (!is_float<T>) {
    issue_bits(Unit::alu, N * bits_of<T>);
  } else {
    if (std::is_same_v<T, bfloat16>) issue_conversion(N, true), issue_conversion(N, true);
    issue_bits(Unit::sum, N * 32, 32 * float_lanes);
    if (std::is_same_v<T, bfloat16>) issue_conversion(N, true);
  }
}

/// A float in `T`, in the rounding mode of the core.
template <typename T>
T from_float(float x) {
  if constexpr (std::is_same_v<T, bfloat16>) {
    return bfloat16::from_bits(bfloat16::rounded(x, state.rounding < 0 ? 12 : state.rounding));
  } else if constexpr (std::is_same_v<T, float>) {
    return x;
  } else {
    if (std::isnan(x)) return T(0);
    const float whole = std::nearbyint(x);
    return narrowed<T>(static_cast<__int128>(std::fmax(std::fmin(whole, 9.2e18f), -9.2e18f)));
  }
}

/// An element of an integer wraps, a float is rounded.
template <typename T, typename W>
T fitted(W x) {
  if constexpr (is_float<T>)
    return from_float<T>(static_cast<float>(x));
  else
    return T(static_cast<std::int64_t>(x));
}

}  // namespace allo_aie

namespace aie {

template <typename Tag, unsigned N>
template <typename T>
auto accum<Tag, N>::to_vector(int shift) const {
  if constexpr (allo_aie::is_block<T>) {
    return allo_aie::to_blocks<T>(*this);
  } else {
    vector<T, N> made;
    allo_aie::reads(this);
    for (unsigned i = 0; i < N; ++i) {
      if constexpr (floating)
        made[i] = allo_aie::from_float<T>(shift ? std::ldexp(lanes[i], -shift) : lanes[i]);
      else if constexpr (std::is_same_v<T, float>)
        made[i] = std::ldexp(static_cast<float>(lanes[i]), -shift);
      else
        made[i] = allo_aie::narrowed<T>(allo_aie::shifted(lanes[i], shift, allo_aie::state.rounding));
    }
    if (!std::is_same_v<T, float>) allo_aie::issue_conversion(N, floating);
    return made;
  }
}

template <typename T, typename Tag, unsigned N>
auto to_vector(const accum<Tag, N> &a, int shift = 0) {
  return a.template to_vector<T>(shift);
}
template <typename Tag, typename T, unsigned N>
accum<Tag, N> from_vector(const vector<T, N> &v, int shift = 0) {
  return accum<Tag, N>(v, shift);
}

template <typename T, unsigned N = native_vector_length_v<T>>
vector<T, N> broadcast(T x) {
  return allo_aie::each<T, N, allo_aie::Unit::none>([&](unsigned) { return x; });
}
template <typename T, unsigned N, typename U, typename = std::enable_if_t<!std::is_same_v<T, U>>>
vector<T, N> broadcast(U x) {
  return broadcast<T, N>(T(x));
}
template <typename T, unsigned N = native_vector_length_v<T>>
auto zeros() {
  if constexpr (allo_aie::is_element<T>)
    return broadcast<T, N>(T(0));
  else
    return accum<T, N>{};
}

// Every function of two vectors also takes a vector and an element, either way round.
#define ALLO_AIE_MIXED(NAME)                                                                                                   \
  template <typename T, unsigned N, typename U, typename = std::enable_if_t<allo_aie::is_element<U>>>                            \
  auto NAME(const vector<T, N> &a, U b) {                                                                                      \
    return NAME(a, broadcast<T, N>(T(b)));                                                                                     \
  }                                                                                                                            \
  template <typename T, unsigned N, typename U, typename = std::enable_if_t<allo_aie::is_element<U>>>                            \
  auto NAME(U a, const vector<T, N> &b) {                                                                                      \
    return NAME(broadcast<T, N>(T(a)), b);                                                                                     \
  }
#define ALLO_AIE_BINARY(NAME, EXPRESSION, ISSUE)                                                                               \
  template <typename T, unsigned N>                                                                                            \
  vector<T, N> NAME(const vector<T, N> &va, const vector<T, N> &vb) {                                                          \
    auto made = allo_aie::each<T, N, allo_aie::Unit::none>([&](unsigned i) {                                                   \
      const T a = va[i], b = vb[i];                                                                                            \
      return EXPRESSION;                                                                                                       \
    });                                                                                                                        \
    ISSUE;                                                                                                                     \
    return made;                                                                                                               \
  }                                                                                                                            \
  ALLO_AIE_MIXED(NAME)

ALLO_AIE_BINARY(add, allo_aie::fitted<T>(allo_aie::wide<allo_aie::product_tag<T, T>>(a) + allo_aie::wide<allo_aie::product_tag<T, T>>(b)), (allo_aie::issue_sum<T, N>()))
ALLO_AIE_BINARY(sub, allo_aie::fitted<T>(allo_aie::wide<allo_aie::product_tag<T, T>>(a) - allo_aie::wide<allo_aie::product_tag<T, T>>(b)), (allo_aie::issue_sum<T, N>()))
ALLO_AIE_BINARY(max, a < b ? b : a, allo_aie::issue_vector(va.bits()))
ALLO_AIE_BINARY(min, b < a ? b : a, allo_aie::issue_vector(va.bits()))
ALLO_AIE_BINARY(maxdiff, a < b ? T(0) : T(a - b), allo_aie::issue_vector(va.bits()))
ALLO_AIE_BINARY(bit_and, T(a & b), allo_aie::issue_vector(va.bits()))
ALLO_AIE_BINARY(bit_or, T(a | b), allo_aie::issue_vector(va.bits()))
ALLO_AIE_BINARY(bit_xor, T(a ^ b), allo_aie::issue_vector(va.bits()))
ALLO_AIE_BINARY(div, T(a / b), allo_aie::issue_vector(va.bits()))
#undef ALLO_AIE_BINARY

#define ALLO_AIE_COMPARE(NAME, OPERATOR)                                                                                       \
  template <typename T, unsigned N>                                                                                            \
  mask<N> NAME(const vector<T, N> &a, const vector<T, N> &b) {                                                                 \
    mask<N> made;                                                                                                              \
    for (unsigned i = 0; i < N; ++i) made.set(i, a[i] OPERATOR b[i]);                                                          \
    allo_aie::issue_vector(a.bits());                                                                                          \
    return made;                                                                                                               \
  }                                                                                                                            \
  ALLO_AIE_MIXED(NAME)
ALLO_AIE_COMPARE(lt, <)
ALLO_AIE_COMPARE(le, <=)
ALLO_AIE_COMPARE(gt, >)
ALLO_AIE_COMPARE(ge, >=)
ALLO_AIE_COMPARE(eq, ==)
ALLO_AIE_COMPARE(neq, !=)
#undef ALLO_AIE_COMPARE

template <typename T, unsigned N>
bool equal(const vector<T, N> &a, const vector<T, N> &b) {
  return eq(a, b).full();
}
template <typename T, unsigned N>
bool not_equal(const vector<T, N> &a, const vector<T, N> &b) {
  return !equal(a, b);
}

#define ALLO_AIE_UNARY(NAME, EXPRESSION)                                                                                       \
  template <typename T, unsigned N>                                                                                            \
  vector<T, N> NAME(const vector<T, N> &v) {                                                                                   \
    return allo_aie::each<T, N>([&](unsigned i) {                                                                              \
      const T a = v[i];                                                                                                        \
      return EXPRESSION;                                                                                                       \
    });                                                                                                                        \
  }
ALLO_AIE_UNARY(neg, T(-a))
ALLO_AIE_UNARY(abs, T(a < T(0) ? -a : a))
ALLO_AIE_UNARY(bit_not, T(~a))
#undef ALLO_AIE_UNARY

/// Lanes of `b` where the mask is set, of `a` elsewhere.
template <typename T, unsigned N>
vector<T, N> select(const vector<T, N> &a, const vector<T, N> &b, const mask<N> &m) {
  return allo_aie::each<T, N>([&](unsigned i) { return m.test(i) ? b[i] : a[i]; });
}
template <typename T, unsigned N, typename U, typename = std::enable_if_t<allo_aie::is_element<U>>>
vector<T, N> select(U a, const vector<T, N> &b, const mask<N> &m) {
  return select(broadcast<T, N>(T(a)), b, m);
}
template <typename T, unsigned N, typename U, typename = std::enable_if_t<allo_aie::is_element<U>>>
vector<T, N> select(const vector<T, N> &a, U b, const mask<N> &m) {
  return select(a, broadcast<T, N>(T(b)), m);
}
template <typename T, unsigned N>
vector<T, N> select(T a, T b, const mask<N> &m) {
  return select(broadcast<T, N>(a), broadcast<T, N>(b), m);
}

template <typename T, unsigned N>
vector<T, N> upshift(const vector<T, N> &v, unsigned n) {
  return allo_aie::each<T, N>([&](unsigned i) { return T(std::uint64_t(v[i]) << n); });
}
/// Arithmetic, rounded as the core is set to.
template <typename T, unsigned N>
vector<T, N> downshift(const vector<T, N> &v, unsigned n) {
  return allo_aie::each<T, N>([&](unsigned i) { return T(allo_aie::shifted(v[i], int(n), allo_aie::state.rounding)); });
}
template <typename T, unsigned N>
vector<T, N> logical_downshift(const vector<T, N> &v, unsigned n) {
  return allo_aie::each<T, N>([&](unsigned i) { return T(std::make_unsigned_t<T>(v[i]) >> n); });
}
template <typename T, unsigned N>
vector<T, N> arithmetic_downshift(const vector<T, N> &v, unsigned n) {
  return allo_aie::each<T, N>([&](unsigned i) { return T(v[i] >> n); });
}

}  // namespace aie
