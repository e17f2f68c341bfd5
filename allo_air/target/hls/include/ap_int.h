// ap_int and ap_uint on the host: integers of any width that wrap; sums and products are as wide as they need.
#pragma once
#include "allo_hls_wide.hpp"
#include <cmath>
#include <ostream>
#include <string>
#include <type_traits>

namespace allo_hls {

template <int W, bool S> struct integer;

constexpr int larger(int a, int b) { return a > b ? a : b; }

// Bits `high` to `low` of an integer, to read and to write.
template <typename T> struct bits {
  T &of;
  int high, low;
  template <int W, bool S> operator integer<W, S>() const {
    integer<W, S> made;
    made.v = decltype(made.v)((of.v >> low).cut(high - low + 1, S));
    made.wrap();
    return made;
  }
  template <typename U, typename = std::enable_if_t<std::is_arithmetic_v<U>>> operator U() const {
    return U(integer<64, std::is_signed_v<U>>(*this));
  }
  template <typename U> bits &operator=(const U &value) {
    integer<64 * T::words, true> given(value);
    for (int i = low; i <= high; i++)
      of.v.set(i, given.v.bit(i - low));
    of.wrap();
    return *this;
  }
  bits &operator=(const bits &other) { return *this = integer<64 * T::words, true>(other); }
};

template <int W, bool S> struct integer {
  static constexpr int width = W, words = (W + (S ? 0 : 1) + 63) / 64;
  static constexpr bool sign = S;
  wide<words> v;

  integer() {}
  template <int M, bool R> integer(const integer<M, R> &other) : v(other.v) { wrap(); }
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>> integer(T value) {
    if constexpr (std::is_floating_point_v<T>) {
      double whole = std::trunc(double(value)), rest = std::fabs(whole);
      for (int i = words - 1; i >= 0; i--) {
        double unit = std::ldexp(1.0, 64 * i);
        v.w[i] = uint64_t(std::fmod(std::floor(rest / unit), 18446744073709551616.0));
      }
      if (whole < 0)
        v = -v;
    } else if constexpr (std::is_signed_v<T>) {
      v = wide<words>::of(value);
    } else {
      v = wide<words>::of_unsigned(value);
    }
    wrap();
  }
  explicit integer(const char *text, int base = 10) {
    bool minus = *text == '-';
    for (text += minus; *text; text++) {
      int digit = *text <= '9' ? *text - '0' : (*text | 32) - 'a' + 10;
      v = v * wide<words>::of(base) + wide<words>::of(digit);
    }
    v = minus ? -v : v;
    wrap();
  }
  void wrap() { v = v.cut(W, S); }

  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>> operator T() const {
    if constexpr (std::is_same_v<T, bool>)
      return !v.zero();
    else if constexpr (std::is_floating_point_v<T>)
      return T(v.real());
    else
      return T(v.w[0]);
  }
  int64_t to_int64() const { return int64_t(v.w[0]); }
  int to_int() const { return int(v.w[0]); }
  double to_double() const { return v.real(); }
  bits<integer> range(int high, int low) { return {*this, high, low}; }
  bits<integer> operator()(int high, int low) { return {*this, high, low}; }
  bits<integer> operator[](int at) { return {*this, at, at}; }
  integer<W, S> operator~() const {
    integer made;
    made.v = ~v;
    made.wrap();
    return made;
  }
  integer<W + 1, true> operator-() const {
    integer<W + 1, true> made(*this);
    made.v = -made.v;
    made.wrap();
    return made;
  }
  bool operator!() const { return v.zero(); }
};

template <typename T, typename = void> struct number { static constexpr bool is = false; };
template <typename T> struct number<T, std::enable_if_t<std::is_integral_v<T>>> {
  static constexpr bool is = true, own = false;
  using type = integer<std::is_same_v<T, bool> ? 1 : int(sizeof(T)) * 8, std::is_signed_v<T>>;
};
template <typename T> struct number<T, std::void_t<decltype(T::words)>> {
  static constexpr bool is = true, own = true;
  using type = integer<T::width, T::sign>;
};
template <typename A, typename B> constexpr bool both() {
  if constexpr (number<A>::is && number<B>::is)
    return number<A>::own || number<B>::own;
  return false;
}
template <typename A, typename B> struct pair {
  using a = typename number<A>::type;
  using b = typename number<B>::type;
  static constexpr bool sign = a::sign || b::sign;
  static constexpr int wa = a::width + (sign && !a::sign), wb = b::width + (sign && !b::sign);
};

#define ALLO_HLS_BINARY(op, bits_, sign_)                                                                                     \
  template <typename A, typename B, typename = std::enable_if_t<both<A, B>()>> auto operator op(const A &x, const B &y) { \
    using p = pair<A, B>;                                                                                               \
    using to = integer<(bits_), (sign_)>;                                                                                \
    using inner = wide<(larger(to::width, larger(p::wa, p::wb)) + 64) / 64>;                                            \
    typename p::a a(x);                                                                                                 \
    typename p::b b(y);                                                                                                 \
    integer<(int)sizeof(inner) * 8, true> found;                                                                        \
    found.v = inner(a.v) op inner(b.v);                                                                                 \
    return to(found);                                                                                                   \
  }
ALLO_HLS_BINARY(+, larger(p::wa, p::wb) + 1, p::sign)
ALLO_HLS_BINARY(-, larger(p::wa, p::wb) + 1, true)
ALLO_HLS_BINARY(*, p::wa + p::wb, p::sign)
ALLO_HLS_BINARY(/, p::wa + 1, p::sign)
ALLO_HLS_BINARY(%, larger(p::wa, p::wb), p::sign)
ALLO_HLS_BINARY(&, larger(p::wa, p::wb), p::sign)
ALLO_HLS_BINARY(|, larger(p::wa, p::wb), p::sign)
ALLO_HLS_BINARY(^, larger(p::wa, p::wb), p::sign)
#undef ALLO_HLS_BINARY

#define ALLO_HLS_SHIFT(op)                                                                                              \
  template <int W, bool S, typename B> integer<W, S> operator op(const integer<W, S> &x, const B &by) {                 \
    integer<W, S> made;                                                                                                 \
    made.v = x.v op int(by);                                                                                            \
    made.wrap();                                                                                                        \
    return made;                                                                                                        \
  }
ALLO_HLS_SHIFT(<<)
ALLO_HLS_SHIFT(>>)
#undef ALLO_HLS_SHIFT

#define ALLO_HLS_COMPARE(op, test)                                                                                      \
  template <typename A, typename B, typename = std::enable_if_t<both<A, B>()>> bool operator op(const A &x, const B &y) { \
    using p = pair<A, B>;                                                                                               \
    using inner = wide<(larger(p::wa, p::wb) + 64) / 64>;                                                               \
    inner a(typename p::a(x).v), b(typename p::b(y).v);                                                                 \
    return test;                                                                                                        \
  }
ALLO_HLS_COMPARE(==, a == b)
ALLO_HLS_COMPARE(!=, !(a == b))
ALLO_HLS_COMPARE(<, a < b)
ALLO_HLS_COMPARE(>, b < a)
ALLO_HLS_COMPARE(<=, !(b < a))
ALLO_HLS_COMPARE(>=, !(a < b))
#undef ALLO_HLS_COMPARE

#define ALLO_HLS_ASSIGN(op)                                                                                             \
  template <int W, bool S, typename B> integer<W, S> &operator op##=(integer<W, S> &x, const B &y) { return x = x op y; }
ALLO_HLS_ASSIGN(+)
ALLO_HLS_ASSIGN(-)
ALLO_HLS_ASSIGN(*)
ALLO_HLS_ASSIGN(/)
ALLO_HLS_ASSIGN(%)
ALLO_HLS_ASSIGN(&)
ALLO_HLS_ASSIGN(|)
ALLO_HLS_ASSIGN(^)
ALLO_HLS_ASSIGN(<<)
ALLO_HLS_ASSIGN(>>)
#undef ALLO_HLS_ASSIGN

} // namespace allo_hls

template <int W> using ap_int = allo_hls::integer<W, true>;
template <int W> using ap_uint = allo_hls::integer<W, false>;
