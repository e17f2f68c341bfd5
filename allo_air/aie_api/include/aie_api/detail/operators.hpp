// `using namespace aie::operators;`: arithmetic on vectors by operators, and sums that stay in their type's range.
#pragma once

#include "intrinsics.hpp"

namespace aie {

/// Sums and differences lane by lane, cut to the type's range.
#define ALLO_AIE_SATURATING(NAME, OPERATOR)                                                                   \
  template <typename T, unsigned N>                                                                           \
  vector<T, N> NAME(const vector<T, N> &a, const vector<T, N> &b) {                                           \
    return allo_aie::each<T, N>([&](unsigned i) {                                                             \
      const long x = long(a[i]) OPERATOR long(b[i]);                                                          \
      const long least = long(std::numeric_limits<T>::min()), most = long(std::numeric_limits<T>::max());     \
      return T(x < least ? least : x > most ? most : x);                                                      \
    });                                                                                                       \
  }
ALLO_AIE_SATURATING(saturating_add, +)
ALLO_AIE_SATURATING(saturating_sub, -)
#undef ALLO_AIE_SATURATING

/// Lanes widened as signed or unsigned numbers, as `is_signed` says at run time.
template <typename T, unsigned N>
auto unpack_sign(const vector<T, N> &v, bool is_signed) {
  using W = typename decltype(unpack(v))::value_type;
  constexpr unsigned bits = allo_aie::bits_of<T>;
  return allo_aie::each<W, N>([&](unsigned i) {
    const long raw = long(v[i]) & ((1L << bits) - 1);
    return W(is_signed && (raw >> (bits - 1)) ? raw - (1L << bits) : raw);
  });
}
template <typename T, unsigned N>
auto vector<T, N>::unpack_sign(bool is_signed) const {
  return aie::unpack_sign(*this, is_signed);
}
template <typename T, unsigned N>
auto vector<T, N>::pack_sign(bool) const {
  return aie::pack(*this);
}

/// Steps over vectors that begin anywhere.
template <typename T, unsigned N>
class unaligned_iterator {
  using V = vector<std::remove_const_t<T>, N>;
  struct place {
    T *at;
    operator V() const { return load_unaligned_v<N>(at); }
    place &operator=(const V &v) {
      store_unaligned_v(at, v);
      return *this;
    }
  };

 public:
  explicit unaligned_iterator(T *at) : at(at) {}
  place operator*() const { return {at}; }
  place operator[](int n) const { return {at + n * int(N)}; }
  unaligned_iterator &operator++() { return *this += 1; }
  unaligned_iterator operator++(int) {
    auto before = *this;
    at += N;
    return before;
  }
  unaligned_iterator &operator+=(int n) {
    at += n * int(N);
    return *this;
  }
  unaligned_iterator operator+(int n) const { return unaligned_iterator(at + n * int(N)); }
  bool operator!=(const unaligned_iterator &other) const { return at != other.at; }

 private:
  T *at;
};
template <unsigned N, typename T>
auto begin_unaligned_vector(T *at, unsigned = 1) {
  return unaligned_iterator<T, N>(at);
}
template <unsigned N, typename T>
auto cbegin_unaligned_vector(const T *at, unsigned = 1) {
  return unaligned_iterator<const T, N>(at);
}

namespace operators {

#define ALLO_AIE_OPERATOR(SIGN, NAME)                                                                         \
  template <typename T, unsigned N>                                                                           \
  auto operator SIGN(const vector<T, N> &a, const vector<T, N> &b) {                                          \
    return aie::NAME(a, b);                                                                                   \
  }                                                                                                           \
  template <typename T, unsigned N, typename U, typename = std::enable_if_t<std::is_convertible_v<U, T> && !allo_aie::is_vector<U>>> \
  auto operator SIGN(const vector<T, N> &a, const U &b) {                                                     \
    return aie::NAME(a, T(b));                                                                                \
  }                                                                                                           \
  template <typename T, unsigned N, typename U, typename = std::enable_if_t<std::is_convertible_v<U, T> && !allo_aie::is_vector<U>>> \
  auto operator SIGN(const U &a, const vector<T, N> &b) {                                                     \
    return aie::NAME(T(a), b);                                                                                \
  }
ALLO_AIE_OPERATOR(+, add)
ALLO_AIE_OPERATOR(-, sub)
ALLO_AIE_OPERATOR(&, bit_and)
ALLO_AIE_OPERATOR(|, bit_or)
ALLO_AIE_OPERATOR(^, bit_xor)
ALLO_AIE_OPERATOR(<, lt)
ALLO_AIE_OPERATOR(>, gt)
ALLO_AIE_OPERATOR(<=, le)
ALLO_AIE_OPERATOR(>=, ge)
ALLO_AIE_OPERATOR(==, eq)
ALLO_AIE_OPERATOR(!=, neq)
ALLO_AIE_OPERATOR(*, mul)
#undef ALLO_AIE_OPERATOR
template <typename T, unsigned N>
auto operator~(const vector<T, N> &a) {
  return aie::bit_not(a);
}
template <typename T, unsigned N>
auto operator<<(const vector<T, N> &a, int by) {
  return aie::upshift(a, by);
}
template <typename T, unsigned N>
auto operator>>(const vector<T, N> &a, int by) {
  return aie::downshift(a, by);
}

}  // namespace operators
}  // namespace aie

// On single values, under the core's own names; the core computes them in f32.
using aie::inv;
using aie::invsqrt;
inline float sqrtf_fast(float x) { return aie::sqrt(x); }
inline int float2fix(float x, int shift = 0) { return aie::to_fixed<int>(x, shift); }
inline float fix2float(int x, int shift = 0) { return aie::to_float<float>(x, shift); }
inline int bfloat16_to_int(bfloat16 x, int shift = 0) { return aie::to_fixed<int>(float(x), shift); }
inline v16int32 srs(const v16acc64 &a, int shift) { return a.to_vector<int32>(shift); }
inline v32int16 srs(const v32acc32 &a, int shift) { return a.to_vector<int16>(shift); }
inline v16bfloat16 srs(const v16accfloat &a, int = 0) { return a.to_vector<bfloat16>(); }
inline v16acc64 ups(const v16int32 &v, int shift) { return v16acc64(v, shift); }
inline v32acc32 sups(const v32int16 &v, int shift) { return v32acc32(v, shift); }
inline v32acc32 ups(const v32int16 &v, int shift) { return v32acc32(v, shift); }
inline bool put_ms_nb(std::uint32_t word, int last = 0) {
  put_ms(word, last);
  return true;
}
