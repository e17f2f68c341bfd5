// std::bfloat16_t for hosts of NPU programs, where the compiler's library has no <stdfloat>.
#if defined(__has_include_next) && __has_include_next(<stdfloat>)
#include_next <stdfloat>
#elif !defined(ALLO_AIR_STDFLOAT_HPP)
#define ALLO_AIR_STDFLOAT_HPP

#include <cstdint>
#include <cstring>
#include <limits>
#include <ostream>
#include <type_traits>

#define ALLO_AIR_BFLOAT16 1

namespace std {

/// A number of 16 bits, the upper half of a float; arithmetic is that of floats.
class bfloat16_t {
public:
  bfloat16_t() = default;
  template <typename T, typename = enable_if_t<is_arithmetic_v<T>>> bfloat16_t(T value) : bits_(rounded(static_cast<float>(value))) {}

  operator float() const {
    const uint32_t wide = static_cast<uint32_t>(bits_) << 16;
    float value;
    memcpy(&value, &wide, 4);
    return value;
  }

  template <typename T> bfloat16_t &operator+=(const T &other) { return *this = bfloat16_t(float(*this) + float(other)); }
  template <typename T> bfloat16_t &operator-=(const T &other) { return *this = bfloat16_t(float(*this) - float(other)); }
  template <typename T> bfloat16_t &operator*=(const T &other) { return *this = bfloat16_t(float(*this) * float(other)); }
  template <typename T> bfloat16_t &operator/=(const T &other) { return *this = bfloat16_t(float(*this) / float(other)); }

private:
  /// To nearest, a half to even; a NaN stays one.
  static uint16_t rounded(float value) {
    uint32_t wide;
    memcpy(&wide, &value, 4);
    if (value != value)
      return static_cast<uint16_t>(wide >> 16 | 0x40);
    return static_cast<uint16_t>((wide + 0x7fff + (wide >> 16 & 1)) >> 16);
  }

  uint16_t bits_;
};

inline ostream &operator<<(ostream &out, bfloat16_t value) { return out << float(value); }

template <> class numeric_limits<bfloat16_t> : public numeric_limits<float> {
public:
  static constexpr int digits = 8;
  static bfloat16_t max() { return 3.3895314e38f; }
  static bfloat16_t lowest() { return -3.3895314e38f; }
  static bfloat16_t epsilon() { return 0.0078125f; }
};

} // namespace std

#endif
