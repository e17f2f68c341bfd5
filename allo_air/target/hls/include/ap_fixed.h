// ap_fixed and ap_ufixed on the host: W bits, I of them before the point; cut off and wrapped, which are the defaults.
#pragma once
#include "ap_int.h"

enum ap_q_mode { AP_TRN };
enum ap_o_mode { AP_WRAP };

namespace allo_hls {

template <int W, int I, bool S> struct fixed {
  static constexpr int places = W - I;
  integer<W, S> raw;

  fixed() {}
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>> fixed(T value)
      : raw(std::floor(std::ldexp(double(value), places))) {}
  template <int V, int J, bool R> fixed(const fixed<V, J, R> &other) {
    integer<larger(W, V) + larger(W - I, V - J) + 2, true> moved(other.raw);
    constexpr int up = (W - I) - (V - J);
    raw = up >= 0 ? moved << up : moved >> -up;
  }
  operator double() const { return std::ldexp(raw.to_double(), -places); }
  double to_double() const { return *this; }
  bits<integer<W, S>> range(int high, int low) { return raw.range(high, low); }
  bits<integer<W, S>> range() { return raw.range(W - 1, 0); }
};

template <int W, int I, bool S, int V, int J, bool R> auto operator*(const fixed<W, I, S> &a, const fixed<V, J, R> &b) {
  fixed<W + V, I + J, S || R> made;
  made.raw = a.raw * b.raw;
  return made;
}
#define ALLO_HLS_SUM(op)                                                                                                \
  template <int W, int I, bool S, int V, int J, bool R> auto operator op(const fixed<W, I, S> &a, const fixed<V, J, R> &b) { \
    constexpr int whole = larger(I, J) + 2, places = larger(W - I, V - J);                                              \
    fixed<whole + places, whole, true> x(a), y(b), made;                                                                \
    made.raw = x.raw op y.raw;                                                                                          \
    return made;                                                                                                        \
  }
ALLO_HLS_SUM(+)
ALLO_HLS_SUM(-)
#undef ALLO_HLS_SUM

template <int W, int I, bool S> fixed<W, I, S> operator<<(const fixed<W, I, S> &x, int by) {
  fixed<W, I, S> made;
  made.raw = x.raw << by;
  return made;
}
template <int W, int I, bool S> fixed<W, I, S> operator>>(const fixed<W, I, S> &x, int by) {
  fixed<W, I, S> made;
  made.raw = x.raw >> by;
  return made;
}

#define ALLO_HLS_ASSIGN(op)                                                                                             \
  template <int W, int I, bool S, typename B> fixed<W, I, S> &operator op##=(fixed<W, I, S> &x, const B &y) {           \
    return x = fixed<W, I, S>(x op y);                                                                                  \
  }
ALLO_HLS_ASSIGN(+)
ALLO_HLS_ASSIGN(-)
ALLO_HLS_ASSIGN(*)
ALLO_HLS_ASSIGN(/)
ALLO_HLS_ASSIGN(<<)
ALLO_HLS_ASSIGN(>>)
#undef ALLO_HLS_ASSIGN

} // namespace allo_hls

template <int W, int I, ap_q_mode Q = AP_TRN, ap_o_mode O = AP_WRAP> using ap_fixed = allo_hls::fixed<W, I, true>;
template <int W, int I, ap_q_mode Q = AP_TRN, ap_o_mode O = AP_WRAP> using ap_ufixed = allo_hls::fixed<W, I, false>;
