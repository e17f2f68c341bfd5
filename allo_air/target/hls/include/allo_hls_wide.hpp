// Integers of K words of 64 bits in two's complement, which the emulated types hold.
#pragma once
#include <cstdint>

namespace allo_hls {

template <int K> struct wide {
  uint64_t w[K];

  wide() : w{} {}
  template <int M> explicit wide(const wide<M> &other) {
    for (int i = 0; i < K; i++)
      w[i] = i < M ? other.w[i] : other.negative() ? ~uint64_t(0) : 0;
  }
  static wide of(int64_t value) {
    wide made;
    for (int i = 0; i < K; i++)
      made.w[i] = i ? uint64_t(value >> 63) : uint64_t(value);
    return made;
  }
  static wide of_unsigned(uint64_t value) {
    wide made;
    made.w[0] = value;
    return made;
  }
  bool negative() const { return w[K - 1] >> 63; }
  bool zero() const {
    for (uint64_t word : w)
      if (word)
        return false;
    return true;
  }
  bool bit(int at) const { return at < K * 64 ? w[at / 64] >> (at % 64) & 1 : negative(); }
  void set(int at, bool value) {
    uint64_t mask = uint64_t(1) << (at % 64);
    w[at / 64] = value ? w[at / 64] | mask : w[at / 64] & ~mask;
  }
  // The lowest `bits` bits, continued with their sign or with zeros.
  wide cut(int bits, bool sign) const {
    wide made = *this;
    bool top = sign && bit(bits - 1);
    for (int i = 0; i < K; i++) {
      int kept = bits - i * 64;
      if (kept >= 64)
        continue;
      uint64_t mask = kept <= 0 ? 0 : (uint64_t(1) << kept) - 1;
      made.w[i] = (made.w[i] & mask) | (top ? ~mask : 0);
    }
    return made;
  }
  wide operator~() const {
    wide made;
    for (int i = 0; i < K; i++)
      made.w[i] = ~w[i];
    return made;
  }
  wide operator+(const wide &b) const {
    wide made;
    unsigned __int128 carry = 0;
    for (int i = 0; i < K; i++) {
      carry += (unsigned __int128)w[i] + b.w[i];
      made.w[i] = uint64_t(carry);
      carry >>= 64;
    }
    return made;
  }
  wide operator-() const { return ~*this + of(1); }
  wide operator-(const wide &b) const { return *this + -b; }
  wide operator*(const wide &b) const {
    wide made;
    for (int i = 0; i < K; i++) {
      unsigned __int128 carry = 0;
      for (int j = 0; i + j < K; j++) {
        carry += (unsigned __int128)w[i] * b.w[j] + made.w[i + j];
        made.w[i + j] = uint64_t(carry);
        carry >>= 64;
      }
    }
    return made;
  }
  wide operator&(const wide &b) const {
    wide made;
    for (int i = 0; i < K; i++)
      made.w[i] = w[i] & b.w[i];
    return made;
  }
  wide operator|(const wide &b) const { return ~(~*this & ~b); }
  wide operator^(const wide &b) const { return (*this | b) & ~(*this & b); }
  wide operator<<(int by) const {
    wide made;
    for (int i = K - 1; i >= by / 64; i--) {
      int from = i - by / 64, rest = by % 64;
      made.w[i] = w[from] << rest | (rest && from ? w[from - 1] >> (64 - rest) : 0);
    }
    return made;
  }
  wide operator>>(int by) const {
    uint64_t fill = negative() ? ~uint64_t(0) : 0;
    wide made;
    for (int i = 0; i < K; i++) {
      int from = i + by / 64, rest = by % 64;
      uint64_t low = from < K ? w[from] : fill, high = from + 1 < K ? w[from + 1] : fill;
      made.w[i] = rest ? low >> rest | high << (64 - rest) : low;
    }
    return made;
  }
  bool operator==(const wide &b) const { return (*this - b).zero(); }
  bool operator<(const wide &b) const {
    if (negative() != b.negative())
      return negative();
    for (int i = K - 1; i >= 0; i--)
      if (w[i] != b.w[i])
        return w[i] < b.w[i];
    return false;
  }
  // The quotient, cut off toward zero.
  wide operator/(const wide &b) const {
    wide a = negative() ? -*this : *this, by = b.negative() ? -b : b, rest, made;
    for (int i = K * 64 - 1; i >= 0; i--) {
      rest = rest << 1;
      rest.set(0, a.bit(i));
      if (!(rest < by)) {
        rest = rest - by;
        made.set(i, true);
      }
    }
    return negative() != b.negative() ? -made : made;
  }
  wide operator%(const wide &b) const { return *this - *this / b * b; }
  double real() const {
    if (negative())
      return -(-*this).real();
    double value = 0;
    for (int i = K - 1; i >= 0; i--)
      value = value * 18446744073709551616.0 + double(w[i]);
    return value;
  }
};

} // namespace allo_hls
