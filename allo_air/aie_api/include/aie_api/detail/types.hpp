// Element types, accumulator types, and the state that a core keeps: rounding, saturation, and what its code has issued.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "record.hpp"

using int8 = std::int8_t;
using int16 = std::int16_t;
using int32 = std::int32_t;
using int64 = std::int64_t;
using uint8 = std::uint8_t;
using uint16 = std::uint16_t;
using uint32 = std::uint32_t;
using uint64 = std::uint64_t;

#if __AIE_ARCH__ >= 21
#define ALLO_AIE_I8_MACS 512
#ifdef AIE_API_EMULATE_BFLOAT16_MMUL_WITH_BFP16
#define ALLO_AIE_BF16_MACS 512
#else
#define ALLO_AIE_BF16_MACS 32
#endif
#else
#define ALLO_AIE_I8_MACS 256
#define ALLO_AIE_BF16_MACS 128
#endif

namespace allo_aie {

/// What a core has issued, by the slots of its instruction word; the estimate of its cycles.
struct Issued {
  long loads = 0, stores = 0, vectors = 0, scalars = 0;
};

/// A stretch of memory that a kernel was given.
struct Range {
  const char *begin, *end;
};

/// What the simulator offers a running kernel; the functions wait as the hardware does.
struct Ports {
  void (*cascade_get)(void *data);
  void (*cascade_put)(const void *data);
  void (*stream_get)(int channel, std::uint32_t *word);
  void (*stream_put)(int channel, std::uint32_t word);
};

struct State {
  int rounding = -1;  // not set: floor for integers, nearest even from f32 to bf16
  int saturation = 0;
  Issued issued;
  const Ports *ports = nullptr;
  const Range *ranges = nullptr;
  int count = 0;
  const void *counted = nullptr;  // an iterator's last access, which a copy does not count again
  const void *loaded[64] = {};    // addresses of vectors in memory that this turn of a loop has loaded
  int loads = 0;
};

inline constinit thread_local State state;

inline void issue(Unit unit, long count = 1, const void *at = nullptr, long bits = 0) {
  if (unit > Unit::either && unit < Unit::begins) state.issued.vectors += count;
  if (recording && count && unit != Unit::none) recorder::issue(unit, count, at, bits);
}
inline void issue_bits(Unit unit, long bits, long width = 512) { issue(unit, bits <= width ? 1 : (bits + width - 1) / width); }
inline void issue_vector(long bits, long width = 512) { issue_bits(Unit::alu, bits, width); }

inline void loop_begins(const char *head, const char *function) {
  if (recording) recorder::loop(head, function);
}
inline void loop_turns() {
  state.loads = 0;
  if (recording) recorder::forget();
  issue(Unit::turns);
}
inline void loop_ends() { issue(Unit::ends); }
inline void loop_is_hinted() { issue(Unit::hint); }

/// Lanes that one instruction widens, or rounds, between bf16 and f32 (docs/sources.md#vector-kernels).
inline constexpr long float_lanes = __AIE_ARCH__ >= 21 ? 32 : 16;
inline void issue_conversion(unsigned lanes, bool floating) {
  issue(Unit::move, floating ? (lanes + float_lanes - 1) / float_lanes : (lanes + 31) / 32);
}
/// A factor that a product takes as blocks of 8 is made these once: by way of f32, and shuffled before where blocks lie across.
inline void issue_blocks(const void *factor, unsigned lanes, bool turned) {
  if (!recording) return;
  const void *blocks = static_cast<const char *>(factor) + 1;  // no vector begins there
  if (recorder::convert(factor)) {
    const std::int64_t before = begin(blocks);
    reads(factor);
    issue(Unit::move, (lanes + 31) / 32 * (turned ? 2 : 1));
    issue(Unit::alu, (lanes + 63) / 64);
    resume(before);
  }
  reads(blocks);
}

/// Ends the kernel with a message, as printf writes it.
[[noreturn, gnu::cold, gnu::format(printf, 1, 2)]] void fail(const char *format, ...);

/// Fails where the access is not aligned, or overlaps the ends of an argument or the bytes around it.
void check_outside(const char *at, long bytes, long alignment, const char *what);

/// Every access of a vector: aligned as the load and store units want it, and inside of an argument if it is near one.
inline void check_access(const void *at, long bytes, long alignment, const char *what) {
  const char *p = static_cast<const char *>(at);
  if (reinterpret_cast<std::uintptr_t>(p) % alignment == 0)
    for (int i = 0; i < state.count; ++i)
      if (p >= state.ranges[i].begin && p + bytes <= state.ranges[i].end) return;
  check_outside(p, bytes, alignment, what);
}

}  // namespace allo_aie

/// bfloat16: the upper half of an IEEE float; conversions round to nearest even, NaN stays NaN.
struct bfloat16 {
  std::uint16_t bits;

  bfloat16() = default;
  constexpr bfloat16(float x) : bits(rounded(x)) {}
  constexpr bfloat16(double x) : bfloat16(static_cast<float>(x)) {}
  template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
  constexpr bfloat16(T x) : bfloat16(static_cast<float>(x)) {}
  constexpr operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

  static constexpr bfloat16 from_bits(std::uint16_t bits) {
    bfloat16 made{};
    made.bits = bits;
    return made;
  }
  /// The 16 bits of `x` in the rounding mode of the core (docs/kernels.md says which it is).
  static constexpr std::uint16_t rounded(float x, int mode = 12);

  bfloat16 &operator+=(float x) { return *this = bfloat16(float(*this) + x); }
  bfloat16 &operator-=(float x) { return *this = bfloat16(float(*this) - x); }
  bfloat16 &operator*=(float x) { return *this = bfloat16(float(*this) * x); }
  bfloat16 &operator/=(float x) { return *this = bfloat16(float(*this) / x); }
};
// With another bf16 the result is one; with any other number it is that of f32.
#define ALLO_AIE_BF16(OPERATOR)                                                                                   \
  constexpr bfloat16 operator OPERATOR(bfloat16 a, bfloat16 b) { return float(a) OPERATOR float(b); }                \
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>                                     \
  constexpr auto operator OPERATOR(bfloat16 a, T b) {                                                                       \
    return float(a) OPERATOR b;                                                                                   \
  }                                                                                                               \
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>                                     \
  constexpr auto operator OPERATOR(T a, bfloat16 b) {                                                                       \
    return a OPERATOR float(b);                                                                                   \
  }
ALLO_AIE_BF16(+)
ALLO_AIE_BF16(-)
ALLO_AIE_BF16(*)
ALLO_AIE_BF16(/)
#undef ALLO_AIE_BF16
constexpr bfloat16 operator-(bfloat16 a) { return bfloat16::from_bits(a.bits ^ 0x8000); }

template <>
class std::numeric_limits<bfloat16> {
 public:
  static constexpr bool is_specialized = true, is_signed = true, has_infinity = true, has_quiet_NaN = true;
  static constexpr int digits = 8;
  static constexpr bfloat16 lowest() { return bfloat16::from_bits(0xff7f); }
  static constexpr bfloat16 max() { return bfloat16::from_bits(0x7f7f); }
  static constexpr bfloat16 min() { return bfloat16::from_bits(0x0080); }
  static constexpr bfloat16 infinity() { return bfloat16::from_bits(0x7f80); }
  static constexpr bfloat16 quiet_NaN() { return bfloat16::from_bits(0x7fc0); }
  static constexpr bfloat16 epsilon() { return bfloat16::from_bits(0x3c00); }
};

/// A 4-bit element: one lane in a vector, half a byte in memory.
template <bool Signed>
struct nibble {
  std::int8_t value;
  nibble() = default;
  nibble(int x) : value(Signed ? static_cast<std::int8_t>(static_cast<std::int8_t>(x << 4) >> 4) : x & 15) {}
  operator int() const { return value; }
};
using int4 = nibble<true>;
using uint4 = nibble<false>;
using int4_t = int4;
using uint4_t = uint4;

/// Blocks of 8 or 16 values of 8 bits that share an exponent.
struct bfp16ebs8 {
  static constexpr unsigned block = 8;
};
struct bfp16ebs16 {
  static constexpr unsigned block = 16;
};

struct acc32 {};
struct acc48 {};
struct acc64 {};
struct acc72 {};
struct acc80 {};
struct accfloat {};
struct accauto {};

namespace aie {

enum class rounding_mode {
  floor = 0,
  ceil = 1,
  symmetric_floor = 2,
  symmetric_ceil = 3,
  negative_inf = 8,
  positive_inf = 9,
  symmetric_zero = 10,
  symmetric_inf = 11,
  conv_even = 12,
  conv_odd = 13,
};
enum class saturation_mode { none = 0, truncate = 0, saturate = 1, symmetric = 3 };

inline void set_rounding(rounding_mode mode) { allo_aie::state.rounding = static_cast<int>(mode); }
inline void set_saturation(saturation_mode mode) { allo_aie::state.saturation = static_cast<int>(mode); }
inline rounding_mode get_rounding() {
  return allo_aie::state.rounding < 0 ? rounding_mode::floor : static_cast<rounding_mode>(allo_aie::state.rounding);
}
inline saturation_mode get_saturation() { return static_cast<saturation_mode>(allo_aie::state.saturation); }
inline rounding_mode swap_rounding(rounding_mode mode) {
  const rounding_mode before = get_rounding();
  set_rounding(mode);
  return before;
}
inline saturation_mode swap_saturation(saturation_mode mode) {
  const saturation_mode before = get_saturation();
  set_saturation(mode);
  return before;
}
inline void clear_rounding() { allo_aie::state.rounding = -1; }
inline void clear_saturation() { allo_aie::state.saturation = 0; }

}  // namespace aie

namespace allo_aie {

template <typename T>
inline constexpr bool is_nibble = std::is_same_v<T, int4> || std::is_same_v<T, uint4>;
template <typename T>
inline constexpr bool is_float = std::is_same_v<T, float> || std::is_same_v<T, bfloat16>;
template <typename T>
inline constexpr bool is_block = std::is_same_v<T, bfp16ebs8> || std::is_same_v<T, bfp16ebs16>;
template <typename T>
inline constexpr bool is_element = std::is_arithmetic_v<T> || is_nibble<T> || std::is_same_v<T, bfloat16>;
template <typename T>
inline constexpr unsigned bits_of = is_nibble<T> ? 4 : 8 * sizeof(T);
template <typename T>
inline constexpr bool is_signed = std::is_same_v<T, int4> || std::is_same_v<T, bfloat16> || std::is_signed_v<T>;

/// Multiply-accumulates that one instruction makes (docs/sources.md#core-kernels).
template <typename A, typename B>
inline constexpr long macs = std::is_same_v<A, float> || std::is_same_v<B, float>                 ? 16
                             : is_block<A>                                                        ? 512
                             : std::is_same_v<A, bfloat16> || std::is_same_v<B, bfloat16>         ? ALLO_AIE_BF16_MACS
                             : bits_of<A> + bits_of<B> <= 12                                      ? 2 * ALLO_AIE_I8_MACS
                             : bits_of<A> + bits_of<B> <= 16                                      ? ALLO_AIE_I8_MACS
                             : bits_of<A> + bits_of<B> <= 24                                      ? ALLO_AIE_I8_MACS / 2
                             : bits_of<A> + bits_of<B> <= 32                                      ? ALLO_AIE_I8_MACS / 4
                                                                                                  : 16;

/// `x / 2^shift`; `mode` as in aie::rounding_mode.
constexpr __int128 shifted(__int128 x, int shift, int mode) {
  if (shift <= 0) return x << -shift;
  if (shift > 120) shift = 120;
  const __int128 one = __int128(1) << shift, low = x & (one - 1), down = x >> shift, half = one >> 1;
  if (low == 0) return down;
  const bool negative = x < 0, above = low > half, tie = low == half;
  switch (mode) {
    case 1: return down + 1;
    case 2: return negative ? down + 1 : down;
    case 3: return negative ? down : down + 1;
    case 8: return down + above;
    case 9: return down + (above || tie);
    case 10: return down + (above || (tie && negative));
    case 11: return down + (above || (tie && !negative));
    case 12: return down + (above || (tie && (down & 1)));
    case 13: return down + (above || (tie && !(down & 1)));
    default: return down;
  }
}

/// `x` in the type `T` as the core's saturation mode says: wrapped, cut to its range, or to the symmetric one.
template <typename T>
T narrowed(__int128 x) {
  constexpr int bits = bits_of<T>;
  const __int128 high = is_signed<T> ? (__int128(1) << (bits - 1)) - 1 : (__int128(1) << bits) - 1;
  const __int128 low = !is_signed<T> ? 0 : state.saturation == 3 ? -high : -high - 1;
  if (state.saturation) x = x < low ? low : x > high ? high : x;
  return T(static_cast<std::int64_t>(x));
}

}  // namespace allo_aie

constexpr std::uint16_t bfloat16::rounded(float x, int mode) {
  const std::uint32_t whole = std::bit_cast<std::uint32_t>(x);
  if ((whole & 0x7fffffff) > 0x7f800000) return static_cast<std::uint16_t>(whole >> 16 | 0x40);
  const bool negative = whole >> 31;
  const __int128 magnitude = whole & 0x7fffffff;
  const __int128 cut = allo_aie::shifted(negative ? -magnitude : magnitude, 16, mode);
  return static_cast<std::uint16_t>((negative ? 0x8000 : 0) | static_cast<std::uint32_t>(negative ? -cut : cut));
}
