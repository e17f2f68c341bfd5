// Products into accumulators, sliding products, and sums of accumulators.
#pragma once

#include "arithmetic.hpp"

namespace allo_aie {

/// `sign * a * b` added to a lane of an accumulator.
template <typename Tag, typename A, typename B>
auto multiplied(typename aie::accumulator<Tag>::type sum, A a, B b, int sign) {
  if constexpr (std::is_same_v<Tag, accfloat>)
    return sum + float(sign) * float(a) * float(b);
  else
    return __int128(sum) + sign * __int128(a) * __int128(b);
}

/// The multipliers of a core, in bits of products that one instruction makes.
template <typename A, typename B>
inline constexpr long product_width = bits_of<A> + bits_of<B> <= 16                                                    ? 64 * 32
                                      : bits_of<A> + bits_of<B> <= 24                                                  ? 32 * 32
                                      : __AIE_ARCH__ >= 21 && std::is_same_v<A, bfloat16> && std::is_same_v<B, bfloat16> ? 64 * 32
                                                                                                                       : 16 * 32;
/// Products of bf16 that one of f32 takes (docs/sources.md#core-kernels).
template <typename A, typename B>
inline constexpr long product_times = std::is_same_v<A, float> && std::is_same_v<B, float> ? 9 : 1;

}  // namespace allo_aie

namespace aie {

// mul, mac and their like, on two vectors or a vector and an element.
#define ALLO_AIE_PRODUCT(NAME, SIGN)                                                                                           \
  template <typename Tag = accauto, typename A, typename B, unsigned N>                                                        \
  auto NAME(const vector<A, N> &a, const vector<B, N> &b) {                                                                    \
    using T = allo_aie::tag_or<Tag, A, B>;                                                                                     \
    return allo_aie::each_acc<T, N>(                                                                                           \
        [&](unsigned i) { return allo_aie::multiplied<T>(0, A(a[i]), B(b[i]), SIGN); },                                        \
        allo_aie::product_width<A, B>, allo_aie::Unit::mac, nullptr, allo_aie::product_times<A, B>);                                                                                        \
  }                                                                                                                            \
  template <typename Tag = accauto, typename A, unsigned N, typename B,                                                        \
            typename = std::enable_if_t<allo_aie::is_element<B>>>                                                              \
  auto NAME(const vector<A, N> &a, B b) {                                                                                      \
    if constexpr (std::is_same_v<A, bfloat16> || std::is_same_v<B, bfloat16> || allo_aie::is_float<B> == allo_aie::is_float<A>) \
      return NAME<Tag>(a, broadcast<B, N>(b));                                                                                 \
    else                                                                                                                       \
      return NAME<Tag>(a, broadcast<A, N>(A(b)));                                                                              \
  }                                                                                                                            \
  template <typename Tag = accauto, typename A, typename B, unsigned N,                                                        \
            typename = std::enable_if_t<allo_aie::is_element<A>>>                                                              \
  auto NAME(A a, const vector<B, N> &b) {                                                                                      \
    return NAME<Tag>(b, a);                                                                                                    \
  }
ALLO_AIE_PRODUCT(mul, 1)
ALLO_AIE_PRODUCT(negmul, -1)
#undef ALLO_AIE_PRODUCT

#define ALLO_AIE_ACCUMULATE(NAME, SIGN)                                                                                        \
  template <typename Tag, typename A, typename B, unsigned N>                                                                  \
  accum<Tag, N> NAME(const accum<Tag, N> &sum, const vector<A, N> &a, const vector<B, N> &b) {                                 \
    return allo_aie::each_acc<Tag, N>(                                                                                         \
        [&](unsigned i) { return allo_aie::multiplied<Tag>(sum[i], A(a[i]), B(b[i]), SIGN); },                                 \
        allo_aie::product_width<A, B>, allo_aie::Unit::mac, &sum, allo_aie::product_times<A, B>);                                                                                        \
  }                                                                                                                            \
  template <typename Tag, typename A, typename B, unsigned N, typename = std::enable_if_t<allo_aie::is_element<B>>>            \
  accum<Tag, N> NAME(const accum<Tag, N> &sum, const vector<A, N> &a, B b) {                                                   \
    return NAME(sum, a, broadcast<B, N>(b));                                                                                   \
  }                                                                                                                            \
  template <typename Tag, typename A, typename B, unsigned N, typename = std::enable_if_t<allo_aie::is_element<A>>>            \
  accum<Tag, N> NAME(const accum<Tag, N> &sum, A a, const vector<B, N> &b) {                                                   \
    return NAME(sum, broadcast<A, N>(a), b);                                                                                   \
  }
ALLO_AIE_ACCUMULATE(mac, 1)
ALLO_AIE_ACCUMULATE(msc, -1)
#undef ALLO_AIE_ACCUMULATE

template <typename Tag = accauto, typename A, unsigned N>
auto mul_square(const vector<A, N> &a) {
  return mul<Tag>(a, a);
}
template <typename Tag, typename A, unsigned N>
accum<Tag, N> mac_square(const accum<Tag, N> &sum, const vector<A, N> &a) {
  return mac(sum, a, a);
}
template <typename Tag, typename A, unsigned N>
accum<Tag, N> msc_square(const accum<Tag, N> &sum, const vector<A, N> &a) {
  return msc(sum, a, a);
}

// Sums with an accumulator: with another, with a vector, with an element.
#define ALLO_AIE_SUM(NAME, OPERATOR)                                                                                           \
  template <typename Tag, unsigned N>                                                                                          \
  accum<Tag, N> NAME(const accum<Tag, N> &a, const accum<Tag, N> &b) {                                                         \
    return allo_aie::each_acc<Tag, N>([&](unsigned i) { return allo_aie::wide<Tag>(a[i]) OPERATOR allo_aie::wide<Tag>(b[i]); }); \
  }                                                                                                                            \
  template <typename Tag, typename T, unsigned N>                                                                              \
  accum<Tag, N> NAME(const accum<Tag, N> &a, const vector<T, N> &b) {                                                          \
    return NAME(a, accum<Tag, N>(b));                                                                                          \
  }                                                                                                                            \
  template <typename Tag, typename T, unsigned N, typename = std::enable_if_t<allo_aie::is_element<T>>>                        \
  accum<Tag, N> NAME(const accum<Tag, N> &a, T b) {                                                                            \
    return NAME(a, accum<Tag, N>(broadcast<T, N>(b)));                                                                         \
  }
template <typename Tag, typename Other, unsigned N, typename = std::enable_if_t<!std::is_same_v<Tag, Other>>>
accum<Tag, N> add(const accum<Tag, N> &a, const accum<Other, N> &b) {
  return add(a, accum<Tag, N>(b));
}
template <typename Tag, typename Other, unsigned N, typename = std::enable_if_t<!std::is_same_v<Tag, Other>>>
accum<Tag, N> sub(const accum<Tag, N> &a, const accum<Other, N> &b) {
  return sub(a, accum<Tag, N>(b));
}
template <typename Tag, typename T, unsigned N>
accum<Tag, N> add(const vector<T, N> &a, const accum<Tag, N> &b) {
  return add(accum<Tag, N>(a), b);
}
template <typename Tag, typename T, unsigned N>
accum<Tag, N> sub(const vector<T, N> &a, const accum<Tag, N> &b) {
  return sub(accum<Tag, N>(a), b);
}
ALLO_AIE_SUM(add, +)
ALLO_AIE_SUM(sub, -)
#undef ALLO_AIE_SUM
template <typename Tag, unsigned N>
accum<Tag, N> neg(const accum<Tag, N> &a) {
  return sub(accum<Tag, N>{}, a);
}

/// coefficient[start] * v0 + coefficient[start + 1] * v1 + ...
template <unsigned Lanes, typename Tag = accauto, typename C, unsigned M, typename T, unsigned N, typename... Rest>
auto accumulate(const vector<C, M> &coefficients, unsigned start, const vector<T, N> &first, const Rest &...rest) {
  using A = allo_aie::tag_or<Tag, C, T>;
  accum<A, Lanes> sum = mul<A>(first.template extract<Lanes>(0), coefficients.get(start % M));
  unsigned at = start;
  ((sum = mac(sum, rest.template extract<Lanes>(0), coefficients.get(++at % M))), ...);
  return sum;
}
template <unsigned Lanes, typename Tag, typename C, unsigned M, typename... Data>
accum<Tag, Lanes> accumulate(const accum<Tag, Lanes> &before, const vector<C, M> &coefficients, unsigned start, const Data &...data) {
  accum<Tag, Lanes> sum = before;
  unsigned at = start;
  ((sum = mac(sum, data.template extract<Lanes>(0), coefficients.get(at++ % M))), ...);
  return sum;
}

/// out[i] = sum over p of coefficient[c + p * CoeffStep] * data[d + i * DataStepY + p * DataStepX], both taken round their vectors.
template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStepX, int DataStepY, typename C, typename T, typename Tag = accauto>
struct sliding_mul_ops {
  using tag = allo_aie::tag_or<Tag, C, T>;
  using accum_type = accum<tag, Lanes>;
  using coeff_type = C;
  using data_type = T;
  static constexpr unsigned lanes = Lanes, points = Points;

  template <unsigned NC, unsigned ND>
  static accum_type mul(const vector<C, NC> &coeff, unsigned coeff_start, const vector<T, ND> &data, unsigned data_start) {
    return run(accum_type{}, coeff, coeff_start, data, data_start, 1);
  }
  template <unsigned NC, unsigned ND>
  static accum_type negmul(const vector<C, NC> &coeff, unsigned coeff_start, const vector<T, ND> &data, unsigned data_start) {
    return run(accum_type{}, coeff, coeff_start, data, data_start, -1);
  }
  template <unsigned NC, unsigned ND>
  static accum_type mac(const accum_type &sum, const vector<C, NC> &coeff, unsigned coeff_start, const vector<T, ND> &data,
                        unsigned data_start) {
    return run(sum, coeff, coeff_start, data, data_start, 1);
  }

 private:
  template <unsigned NC, unsigned ND>
  static accum_type run(const accum_type &sum, const vector<C, NC> &coeff, unsigned c, const vector<T, ND> &data, unsigned d, int sign) {
    accum_type made = sum;
    allo_aie::begin(&made);
    for (unsigned i = 0; i < Lanes; ++i)
      for (unsigned p = 0; p < Points; ++p)
        made[i] = accumulator<tag>::kept(allo_aie::multiplied<tag>(
            made[i], C(coeff[round(c, p * CoeffStep, NC)]), T(data[round(d, int(i) * DataStepY + int(p) * DataStepX, ND)]), sign));
    const long bits = long(Lanes) * Points * 32, width = allo_aie::product_width<C, T>;
    allo_aie::issue(allo_aie::Unit::mac, (bits + width - 1) / width, &sum, made.bits());
    return made;
  }
  static unsigned round(unsigned start, int step, unsigned size) { return unsigned((int(start) + step) & int(size - 1)); }
};
template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStep, typename C, typename T, typename Tag = accauto>
using sliding_mul_x_ops = sliding_mul_ops<Lanes, Points, CoeffStep, DataStep, 1, C, T, Tag>;
template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStep, typename C, typename T, typename Tag = accauto>
using sliding_mul_y_ops = sliding_mul_ops<Lanes, Points, CoeffStep, 1, DataStep, C, T, Tag>;
template <unsigned Lanes, unsigned Points, int CoeffStep, int DataStep, typename C, typename T, typename Tag = accauto>
using sliding_mul_xy_ops = sliding_mul_ops<Lanes, Points, CoeffStep, DataStep, DataStep, C, T, Tag>;

template <unsigned Lanes, unsigned Points, int CoeffStep = 1, int DataStepX = 1, int DataStepY = 1, typename Tag = accauto, typename C,
          unsigned NC, typename T, unsigned ND>
auto sliding_mul(const vector<C, NC> &coeff, unsigned coeff_start, const vector<T, ND> &data, unsigned data_start) {
  return sliding_mul_ops<Lanes, Points, CoeffStep, DataStepX, DataStepY, C, T, Tag>::mul(coeff, coeff_start, data, data_start);
}
template <unsigned Lanes, unsigned Points, int CoeffStep = 1, int DataStepX = 1, int DataStepY = 1, typename Tag, typename C, unsigned NC,
          typename T, unsigned ND>
auto sliding_mac(const accum<Tag, Lanes> &sum, const vector<C, NC> &coeff, unsigned coeff_start, const vector<T, ND> &data,
                 unsigned data_start) {
  return sliding_mul_ops<Lanes, Points, CoeffStep, DataStepX, DataStepY, C, T, Tag>::mac(sum, coeff, coeff_start, data, data_start);
}

namespace operators {
template <typename T, unsigned N>
vector<T, N> operator-(const vector<T, N> &a) {
  return neg(a);
}
template <typename T, unsigned N>
vector<T, N> operator~(const vector<T, N> &a) {
  return bit_not(a);
}
#define ALLO_AIE_OPERATOR(SYMBOL, NAME)                                                                                        \
  template <typename A, typename B,                                                                                            \
            typename = std::enable_if_t<(allo_aie::is_vector<A> && (allo_aie::is_vector<B> || allo_aie::is_element<B>)) ||       \
                                        (allo_aie::is_element<A> && allo_aie::is_vector<B>)>>                                  \
  auto operator SYMBOL(const A &a, const B &b) {                                                                               \
    return NAME(a, b);                                                                                                         \
  }
ALLO_AIE_OPERATOR(+, add)
ALLO_AIE_OPERATOR(-, sub)
ALLO_AIE_OPERATOR(*, mul)
ALLO_AIE_OPERATOR(&, bit_and)
ALLO_AIE_OPERATOR(|, bit_or)
ALLO_AIE_OPERATOR(^, bit_xor)
ALLO_AIE_OPERATOR(<, lt)
ALLO_AIE_OPERATOR(<=, le)
ALLO_AIE_OPERATOR(>, gt)
ALLO_AIE_OPERATOR(>=, ge)
ALLO_AIE_OPERATOR(==, eq)
ALLO_AIE_OPERATOR(!=, neq)
#undef ALLO_AIE_OPERATOR
template <typename Tag, unsigned N, typename B>
auto operator+(const accum<Tag, N> &a, const B &b) {
  return add(a, b);
}
template <typename Tag, unsigned N, typename B>
auto operator-(const accum<Tag, N> &a, const B &b) {
  return sub(a, b);
}
template <typename Tag, unsigned N, typename B>
accum<Tag, N> &operator+=(accum<Tag, N> &a, const B &b) {
  return a = add(a, b);
}
template <typename Tag, unsigned N, typename B>
accum<Tag, N> &operator-=(accum<Tag, N> &a, const B &b) {
  return a = sub(a, b);
}
}  // namespace operators

}  // namespace aie
