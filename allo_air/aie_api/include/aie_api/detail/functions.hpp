// Functions of one value, reductions, and movement of lanes.
#pragma once

#include "products.hpp"

namespace allo_aie {

/// A function of lanes: instructions of the vector unit and moves for 16 of them. Roots and inverses go lane by lane, each put in
/// and taken out; exp2 and tanh are instructions of AIE2p; the others polynomials (assumed). docs/sources.md#vector-kernels.
inline void issue_function(unsigned lanes, long vectors, long moves) {
  const long times = (lanes + 15) / 16;
  issue(Unit::move, times * moves);
  issue(Unit::sum, times * vectors);
}

}  // namespace allo_aie

namespace aie {

// On single values as on vectors; the core computes them in f32.
#define ALLO_AIE_FUNCTION(NAME, EXPRESSION, VECTORS, MOVES)                                                                                    \
  inline float NAME(float x) { return EXPRESSION; }                                                                            \
  inline float NAME(int x) { return NAME(float(x)); }                                                                          \
  inline bfloat16 NAME(bfloat16 x) { return bfloat16(NAME(float(x))); }                                                        \
  template <typename T, unsigned N>                                                                                            \
  vector<T, N> NAME(const vector<T, N> &v) {                                                                                   \
    auto made = allo_aie::each<T, N, allo_aie::Unit::none>([&](unsigned i) { return allo_aie::from_float<T>(NAME(float(v[i]))); }); \
    allo_aie::issue_function(N, VECTORS, MOVES); \
    return made; \
  }                                                                                                                            \
  template <typename R, typename T, unsigned N, typename = std::enable_if_t<!std::is_same_v<R, T>>>                            \
  vector<R, N> NAME(const vector<T, N> &v) {                                                                                   \
    auto made = allo_aie::each<R, N, allo_aie::Unit::none>([&](unsigned i) { return allo_aie::from_float<R>(NAME(float(v[i]))); }); \
    allo_aie::issue_function(N, VECTORS, MOVES); \
    return made; \
  }                                                                                                                            \
  template <typename R = float, unsigned N>                                                                                    \
  vector<R, N> NAME(const accum<accfloat, N> &v) {                                                                             \
    auto made = allo_aie::each<R, N, allo_aie::Unit::none>([&](unsigned i) { return allo_aie::from_float<R>(NAME(v[i])); }); \
    allo_aie::issue_function(N, VECTORS, MOVES); \
    return made; \
  }
ALLO_AIE_FUNCTION(inv, 1.0f / x, 16, 32)
ALLO_AIE_FUNCTION(sqrt, std::sqrt(x), 16, 32)
ALLO_AIE_FUNCTION(invsqrt, 1.0f / std::sqrt(x), 16, 32)
ALLO_AIE_FUNCTION(sin, std::sin(x), 8, 8)
ALLO_AIE_FUNCTION(cos, std::cos(x), 8, 8)
ALLO_AIE_FUNCTION(exp2, std::exp2(x), 1, 1)
ALLO_AIE_FUNCTION(log2, std::log2(x), 8, 8)
ALLO_AIE_FUNCTION(tanh, std::tanh(x), 1, 1)
#undef ALLO_AIE_FUNCTION

/// value * 2^shift as an integer: of f32 the nearest, ties to even; vectors of bf16 are floored, as the core's instruction does.
template <typename T = int32>
T to_fixed(float x, int shift = 0) {
  return allo_aie::from_float<T>(std::ldexp(x, shift));
}
template <typename T = int32, typename F, unsigned N>
vector<T, N> to_fixed(const vector<F, N> &v, int shift = 0) {
  return allo_aie::each<T, N, allo_aie::Unit::move>([&](unsigned i) {
    const float x = std::ldexp(float(v[i]), shift);
    return allo_aie::from_float<T>(std::is_same_v<F, bfloat16> ? std::floor(x) : x);
  });
}
template <typename F = float, typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
F to_float(T x, int shift = 0) {
  return F(std::ldexp(float(x), -shift));
}
template <typename F = float, typename T, unsigned N>
vector<F, N> to_float(const vector<T, N> &v, int shift = 0) {
  return allo_aie::each<F, N, allo_aie::Unit::move>([&](unsigned i) { return allo_aie::from_float<F>(std::ldexp(float(v[i]), -shift)); });
}

template <typename T>
auto sincos(const T &x) {
  return std::make_pair(sin(x), cos(x));
}

// In halves, as the shuffles of the core do it; the order matters to sums of floats.
#define ALLO_AIE_REDUCE(NAME, COMBINE)                                                                                         \
  template <typename T, unsigned N>                                                                                            \
  T NAME(const vector<T, N> &v) {                                                                                              \
    if constexpr (N == 1) {                                                                                                    \
      return v[0];                                                                                                             \
    } else {                                                                                                                   \
      const auto low = v.template extract<N / 2>(0), high = v.template extract<N / 2>(1);                                      \
      allo_aie::issue(allo_aie::Unit::move);                                                                                   \
      return NAME(COMBINE(low, high));                                                                                         \
    }                                                                                                                          \
  }                                                                                                                            \
  template <typename T, unsigned N, typename... Rest>                                                                          \
  vector<T, N> NAME##_v(const vector<T, N> &first, const Rest &...rest) {                                                      \
    vector<T, N> made{};                                                                                                       \
    unsigned at = 0;                                                                                                           \
    made.set(NAME(first), at);                                                                                                 \
    (made.set(NAME(rest), ++at), ...);                                                                                         \
    return made;                                                                                                               \
  }
ALLO_AIE_REDUCE(reduce_max, max)
ALLO_AIE_REDUCE(reduce_min, min)
#undef ALLO_AIE_REDUCE

/// The sum of all lanes; of bf16 in f32, rounded once.
template <typename T, unsigned N>
T reduce_add(const vector<T, N> &v) {
  if constexpr (std::is_same_v<T, bfloat16>)
    return allo_aie::from_float<T>(reduce_add(accum<accfloat, N>(v).template to_vector<float>()));
  else if constexpr (N == 1)
    return v[0];
  else {
    const auto low = v.template extract<N / 2>(0), high = v.template extract<N / 2>(1);
    allo_aie::issue(allo_aie::Unit::move);
    return reduce_add(add(low, high));
  }
}
template <unsigned N>
float reduce_add(const accum<accfloat, N> &a) {
  return reduce_add(a.template to_vector<float>());
}
template <typename T, unsigned N, typename... Rest>
vector<T, N> reduce_add_v(const vector<T, N> &first, const Rest &...rest) {
  vector<T, N> made{};
  unsigned at = 0;
  made.set(reduce_add(first), at);
  (made.set(reduce_add(rest), ++at), ...);
  return made;
}
template <typename T, unsigned N>
T reduce_mul(const vector<T, N> &v) {
  T made = v[0];
  for (unsigned i = 1; i < N; ++i) made = T(made * v[i]);
  allo_aie::issue_vector(v.bits());
  return made;
}

/// Vectors, or accumulators, behind one another.
template <template <typename, unsigned> class V, typename T, unsigned N, typename... Rest>
auto concat(const V<T, N> &first, const Rest &...rest) {
  V<T, (N + ... + Rest::size())> made;
  unsigned at = 0;
  auto put = [&](const auto &v) {
    for (unsigned i = 0; i < v.size(); ++i) made[at++] = v[i];
  };
  put(first);
  (put(rest), ...);
  return made;
}

/// A rows x cols matrix in row order to cols x rows.
template <typename T, unsigned N>
vector<T, N> transpose(const vector<T, N> &v, unsigned rows, unsigned cols) {
  if (rows * cols != N) allo_aie::fail("transpose of %u x %u in a vector of %u", rows, cols, N);
  constexpr long registers = std::max<long>(1, N * allo_aie::bits_of<T> / 512);
  auto made = allo_aie::each<T, N, allo_aie::Unit::none>([&](unsigned i) { return v[i % rows * cols + i / rows]; });
  allo_aie::issue(allo_aie::Unit::move, registers * std::max<long>(1, std::bit_width(static_cast<unsigned long>(registers - 1))));
  return made;
}
template <typename T, unsigned N>
vector<T, N> reverse(const vector<T, N> &v) {
  return allo_aie::each<T, N, allo_aie::Unit::move>([&](unsigned i) { return v[N - 1 - i]; });
}

/// Lanes move up by n; those that come in are of `fill`'s top lanes, of the lowest lane, of the other end, or not defined (here: kept).
#define ALLO_AIE_SHUFFLE(NAME, UP)                                                                                             \
  template <typename T, unsigned N>                                                                                            \
  vector<T, N> NAME(const vector<T, N> &v, unsigned n) {                                                                       \
    return NAME##_rotate(v, n);                                                                                                \
  }                                                                                                                            \
  template <typename T, unsigned N>                                                                                            \
  vector<T, N> NAME##_rotate(const vector<T, N> &v, unsigned n) {                                                              \
    return allo_aie::each<T, N, allo_aie::Unit::move>([&](unsigned i) { return v[(UP ? i + N - n % N : i + n) % N]; });                              \
  }                                                                                                                            \
  template <typename T, unsigned N>                                                                                            \
  vector<T, N> NAME##_fill(const vector<T, N> &v, const vector<T, N> &fill, unsigned n) {                                      \
    return allo_aie::each<T, N, allo_aie::Unit::move>([&](unsigned i) {                                                                              \
      if (UP) return i < n ? fill[N - n + i] : v[i - n];                                                                       \
      return i + n < N ? v[i + n] : fill[i + n - N];                                                                           \
    });                                                                                                                        \
  }                                                                                                                            \
  template <typename T, unsigned N>                                                                                            \
  vector<T, N> NAME##_replicate(const vector<T, N> &v, unsigned n) {                                                           \
    return allo_aie::each<T, N, allo_aie::Unit::move>([&](unsigned i) { return UP ? v[i < n ? 0 : i - n] : v[i + n < N ? i + n : N - 1]; });         \
  }
template <typename T, unsigned N>
vector<T, N> shuffle_up_rotate(const vector<T, N> &v, unsigned n);
template <typename T, unsigned N>
vector<T, N> shuffle_down_rotate(const vector<T, N> &v, unsigned n);
ALLO_AIE_SHUFFLE(shuffle_up, true)
ALLO_AIE_SHUFFLE(shuffle_down, false)
#undef ALLO_AIE_SHUFFLE

/// Groups of `step` lanes: every other one from the first, or from the second.
template <typename T, unsigned N>
vector<T, N / 2> filter_even(const vector<T, N> &v, unsigned step = 1) {
  return allo_aie::each<T, N / 2, allo_aie::Unit::move>([&](unsigned i) { return v[i / step * 2 * step + i % step]; });
}
template <typename T, unsigned N>
vector<T, N / 2> filter_odd(const vector<T, N> &v, unsigned step = 1) {
  return allo_aie::each<T, N / 2, allo_aie::Unit::move>([&](unsigned i) { return v[i / step * 2 * step + step + i % step]; });
}
template <typename T, unsigned N>
std::pair<vector<T, N>, vector<T, N>> interleave_zip(const vector<T, N> &a, const vector<T, N> &b, unsigned step = 1) {
  const auto both = allo_aie::each<T, 2 * N, allo_aie::Unit::move>([&](unsigned i) {
    const unsigned group = i / step, at = group / 2 * step + i % step;
    return group % 2 ? b[at] : a[at];
  });
  return {both.template extract<N>(0), both.template extract<N>(1)};
}
template <typename T, unsigned N>
std::pair<vector<T, N>, vector<T, N>> interleave_unzip(const vector<T, N> &a, const vector<T, N> &b, unsigned step = 1) {
  const auto both = concat(a, b);
  return {filter_even(both, step), filter_odd(both, step)};
}

template <typename U, typename T, unsigned N>
auto vector_cast(const vector<T, N> &v) {
  return v.template cast_to<U>();
}
template <typename T, unsigned N>
template <typename U>
vector<U, N * allo_aie::bits_of<T> / allo_aie::bits_of<U>> vector<T, N>::cast_to() const {
  std::uint8_t bytes[(N * allo_aie::bits_of<T> + 7) / 8];
  allo_aie::write(reinterpret_cast<T *>(bytes), lanes, N);
  vector<U, N * allo_aie::bits_of<T> / allo_aie::bits_of<U>> made;
  allo_aie::reads(this);
  allo_aie::read(reinterpret_cast<const U *>(bytes), made.begin(), made.size());
  return made;
}

/// Each lane in the next wider type, or cut to the next narrower one as the saturation mode says.
template <typename T, unsigned N>
auto unpack(const vector<T, N> &v) {
  using W = std::conditional_t<std::is_same_v<T, int4>, int8, std::conditional_t<std::is_same_v<T, uint4>, uint8,
            std::conditional_t<std::is_same_v<T, int8>, int16, std::conditional_t<std::is_same_v<T, uint8>, uint16,
            std::conditional_t<std::is_same_v<T, int16>, int32, uint32>>>>>;
  return allo_aie::each<W, N, allo_aie::Unit::move>([&](unsigned i) { return W(v[i]); });
}
template <typename T, unsigned N>
auto pack(const vector<T, N> &v) {
  using W = std::conditional_t<std::is_same_v<T, int8>, int4, std::conditional_t<std::is_same_v<T, uint8>, uint4,
            std::conditional_t<std::is_same_v<T, int16>, int8, std::conditional_t<std::is_same_v<T, uint16>, uint8,
            std::conditional_t<std::is_same_v<T, int32>, int16, uint16>>>>>;
  return allo_aie::each<W, N, allo_aie::Unit::move>([&](unsigned i) { return allo_aie::narrowed<W>(v[i]); });
}
template <typename T, unsigned N>
auto vector<T, N>::unpack() const {
  return aie::unpack(*this);
}
template <typename T, unsigned N>
auto vector<T, N>::pack() const {
  return aie::pack(*this);
}

}  // namespace aie
