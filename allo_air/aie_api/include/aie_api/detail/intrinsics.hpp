// The core's own names: vector types, a part of its intrinsics, events, cascade and streams.
#pragma once

#include "lookup.hpp"

#define ALLO_AIE_TYPES(N, T) using v##N##T = aie::vector<T, N>;
#define ALLO_AIE_ACCUMULATORS(N, T) using v##N##T = aie::accum<T, N>;
ALLO_AIE_TYPES(16, int8) ALLO_AIE_TYPES(32, int8) ALLO_AIE_TYPES(64, int8) ALLO_AIE_TYPES(128, int8)
ALLO_AIE_TYPES(16, uint8) ALLO_AIE_TYPES(32, uint8) ALLO_AIE_TYPES(64, uint8) ALLO_AIE_TYPES(128, uint8)
ALLO_AIE_TYPES(8, int16) ALLO_AIE_TYPES(16, int16) ALLO_AIE_TYPES(32, int16) ALLO_AIE_TYPES(64, int16)
ALLO_AIE_TYPES(8, uint16) ALLO_AIE_TYPES(16, uint16) ALLO_AIE_TYPES(32, uint16) ALLO_AIE_TYPES(64, uint16)
ALLO_AIE_TYPES(4, int32) ALLO_AIE_TYPES(8, int32) ALLO_AIE_TYPES(16, int32) ALLO_AIE_TYPES(32, int32)
ALLO_AIE_TYPES(4, uint32) ALLO_AIE_TYPES(8, uint32) ALLO_AIE_TYPES(16, uint32) ALLO_AIE_TYPES(32, uint32)
ALLO_AIE_TYPES(8, bfloat16) ALLO_AIE_TYPES(16, bfloat16) ALLO_AIE_TYPES(32, bfloat16) ALLO_AIE_TYPES(64, bfloat16)
ALLO_AIE_TYPES(4, float) ALLO_AIE_TYPES(8, float) ALLO_AIE_TYPES(16, float) ALLO_AIE_TYPES(32, float) ALLO_AIE_TYPES(64, float)
ALLO_AIE_ACCUMULATORS(8, accfloat) ALLO_AIE_ACCUMULATORS(16, accfloat) ALLO_AIE_ACCUMULATORS(32, accfloat)
ALLO_AIE_ACCUMULATORS(64, accfloat) ALLO_AIE_ACCUMULATORS(16, acc32) ALLO_AIE_ACCUMULATORS(32, acc32) ALLO_AIE_ACCUMULATORS(64, acc32)
ALLO_AIE_ACCUMULATORS(8, acc64) ALLO_AIE_ACCUMULATORS(16, acc64) ALLO_AIE_ACCUMULATORS(32, acc64)
#undef ALLO_AIE_ACCUMULATORS
#undef ALLO_AIE_TYPES

// broadcast_to_v32int16(x) and its like, for all vectors of 512 bits and those of 256
#define ALLO_AIE_FILLS(N, T)                                                                            \
  inline aie::vector<T, N> broadcast_to_v##N##T(T x) { return aie::broadcast<T, N>(x); }                \
  inline aie::vector<T, N> broadcast_zero_to_v##N##T() { return aie::zeros<T, N>(); }                   \
  inline aie::vector<T, N> broadcast_one_to_v##N##T() { return aie::broadcast<T, N>(T(1)); }            \
  inline aie::vector<T, N> broadcast_zero_v##N##T() { return aie::zeros<T, N>(); }                      \
  inline aie::vector<T, N> undef_v##N##T() { return aie::zeros<T, N>(); }
ALLO_AIE_FILLS(64, int8) ALLO_AIE_FILLS(64, uint8) ALLO_AIE_FILLS(32, int8) ALLO_AIE_FILLS(32, uint8)
ALLO_AIE_FILLS(32, int16) ALLO_AIE_FILLS(32, uint16) ALLO_AIE_FILLS(16, int16) ALLO_AIE_FILLS(16, uint16)
ALLO_AIE_FILLS(16, int32) ALLO_AIE_FILLS(16, uint32) ALLO_AIE_FILLS(8, int32) ALLO_AIE_FILLS(8, uint32)
ALLO_AIE_FILLS(32, bfloat16) ALLO_AIE_FILLS(16, bfloat16) ALLO_AIE_FILLS(16, float) ALLO_AIE_FILLS(8, float)
#undef ALLO_AIE_FILLS

inline v64int8 broadcast_s8(int x) { return aie::broadcast<int8, 64>(int8(x)); }
inline v64uint8 broadcast_u8(unsigned x) { return aie::broadcast<uint8, 64>(uint8(x)); }
inline v32int16 broadcast_s16(int x) { return aie::broadcast<int16, 32>(int16(x)); }
inline v32uint16 broadcast_u16(unsigned x) { return aie::broadcast<uint16, 32>(uint16(x)); }
inline v16int32 broadcast_s32(int x) { return aie::broadcast<int32, 16>(x); }
inline v16uint32 broadcast_u32(unsigned x) { return aie::broadcast<uint32, 16>(x); }
inline v32bfloat16 broadcast_bfloat16(bfloat16 x) { return aie::broadcast<bfloat16, 32>(x); }
inline v16float broadcast_float(float x) { return aie::broadcast<float, 16>(x); }
#define ALLO_AIE_CONSTANTS(N, T, NAME)                                                        \
  inline aie::vector<T, N> broadcast_zero_##NAME() { return aie::zeros<T, N>(); }             \
  inline aie::vector<T, N> broadcast_one_##NAME() { return aie::broadcast<T, N>(T(1)); }
ALLO_AIE_CONSTANTS(64, int8, s8) ALLO_AIE_CONSTANTS(64, uint8, u8) ALLO_AIE_CONSTANTS(32, int16, s16) ALLO_AIE_CONSTANTS(32, uint16, u16)
ALLO_AIE_CONSTANTS(16, int32, s32) ALLO_AIE_CONSTANTS(16, uint32, u32) ALLO_AIE_CONSTANTS(32, bfloat16, bfloat16)
ALLO_AIE_CONSTANTS(16, float, float)
#undef ALLO_AIE_CONSTANTS
#define ALLO_AIE_CLEARED(N, TAG)                                                                      \
  inline aie::accum<TAG, N> broadcast_zero_to_v##N##TAG() { return aie::zeros<TAG, N>(); }            \
  inline aie::accum<TAG, N> broadcast_zero_##TAG##_v##N() { return aie::zeros<TAG, N>(); }            \
  inline aie::accum<TAG, N> undef_v##N##TAG() { return aie::zeros<TAG, N>(); }
ALLO_AIE_CLEARED(8, accfloat) ALLO_AIE_CLEARED(16, accfloat) ALLO_AIE_CLEARED(32, accfloat) ALLO_AIE_CLEARED(64, accfloat)
ALLO_AIE_CLEARED(16, acc32) ALLO_AIE_CLEARED(32, acc32) ALLO_AIE_CLEARED(64, acc32)
ALLO_AIE_CLEARED(8, acc64) ALLO_AIE_CLEARED(16, acc64) ALLO_AIE_CLEARED(32, acc64)
#undef ALLO_AIE_CLEARED

using aie::concat;

// Parts of vectors, a vector with one part set, and accumulators cut to vectors or widened from them
#define ALLO_AIE_PARTS(N, T)                                                                                \
  template <unsigned M>                                                                                     \
  v##N##T extract_v##N##T(const aie::vector<T, M> &v, int i) {                                              \
    return v.template extract<N>(unsigned(i));                                                              \
  }                                                                                                         \
  template <unsigned M>                                                                                     \
  v##N##T set_v##N##T(int i, const aie::vector<T, M> &v) {                                                  \
    return v.template grow<N>(unsigned(i));                                                                 \
  }
ALLO_AIE_PARTS(16, int8) ALLO_AIE_PARTS(32, int8) ALLO_AIE_PARTS(64, int8) ALLO_AIE_PARTS(128, int8)
ALLO_AIE_PARTS(16, uint8) ALLO_AIE_PARTS(32, uint8) ALLO_AIE_PARTS(64, uint8) ALLO_AIE_PARTS(128, uint8)
ALLO_AIE_PARTS(8, int16) ALLO_AIE_PARTS(16, int16) ALLO_AIE_PARTS(32, int16) ALLO_AIE_PARTS(64, int16)
ALLO_AIE_PARTS(8, uint16) ALLO_AIE_PARTS(16, uint16) ALLO_AIE_PARTS(32, uint16) ALLO_AIE_PARTS(64, uint16)
ALLO_AIE_PARTS(4, int32) ALLO_AIE_PARTS(8, int32) ALLO_AIE_PARTS(16, int32) ALLO_AIE_PARTS(32, int32)
ALLO_AIE_PARTS(4, uint32) ALLO_AIE_PARTS(8, uint32) ALLO_AIE_PARTS(16, uint32) ALLO_AIE_PARTS(32, uint32)
ALLO_AIE_PARTS(8, bfloat16) ALLO_AIE_PARTS(16, bfloat16) ALLO_AIE_PARTS(32, bfloat16) ALLO_AIE_PARTS(64, bfloat16)
ALLO_AIE_PARTS(4, float) ALLO_AIE_PARTS(8, float) ALLO_AIE_PARTS(16, float) ALLO_AIE_PARTS(32, float)
#undef ALLO_AIE_PARTS
#define ALLO_AIE_ACCUMULATOR_PARTS(N, TAG)                                                                  \
  template <unsigned M>                                                                                     \
  v##N##TAG extract_v##N##TAG(const aie::accum<TAG, M> &a, int i) {                                         \
    return a.template extract<N>(unsigned(i));                                                              \
  }                                                                                                         \
  template <unsigned M>                                                                                     \
  v##N##TAG set_v##N##TAG(int i, const aie::accum<TAG, M> &a) {                                             \
    return a.template grow<N>(unsigned(i));                                                                 \
  }
ALLO_AIE_ACCUMULATOR_PARTS(8, accfloat) ALLO_AIE_ACCUMULATOR_PARTS(16, accfloat) ALLO_AIE_ACCUMULATOR_PARTS(32, accfloat)
ALLO_AIE_ACCUMULATOR_PARTS(64, accfloat) ALLO_AIE_ACCUMULATOR_PARTS(16, acc32) ALLO_AIE_ACCUMULATOR_PARTS(32, acc32)
ALLO_AIE_ACCUMULATOR_PARTS(64, acc32) ALLO_AIE_ACCUMULATOR_PARTS(8, acc64) ALLO_AIE_ACCUMULATOR_PARTS(16, acc64) ALLO_AIE_ACCUMULATOR_PARTS(32, acc64)
#undef ALLO_AIE_ACCUMULATOR_PARTS
#define ALLO_AIE_CUT(N, T)                                                                                  \
  template <typename Tag>                                                                                   \
  v##N##T srs_to_v##N##T(const aie::accum<Tag, N> &a, int shift = 0) {                                      \
    return a.template to_vector<T>(shift);                                                                  \
  }
ALLO_AIE_CUT(64, int8) ALLO_AIE_CUT(64, uint8) ALLO_AIE_CUT(32, int8) ALLO_AIE_CUT(32, uint8) ALLO_AIE_CUT(32, int16)
ALLO_AIE_CUT(32, uint16) ALLO_AIE_CUT(16, int16) ALLO_AIE_CUT(16, uint16) ALLO_AIE_CUT(16, int32) ALLO_AIE_CUT(16, uint32)
ALLO_AIE_CUT(16, bfloat16) ALLO_AIE_CUT(32, bfloat16) ALLO_AIE_CUT(8, int32) ALLO_AIE_CUT(32, int32)
#undef ALLO_AIE_CUT
#define ALLO_AIE_WIDENED(N, TAG)                                                                            \
  template <typename T>                                                                                     \
  v##N##TAG ups_to_v##N##TAG(const aie::vector<T, N> &v, int shift = 0) {                                   \
    return v##N##TAG(v, shift);                                                                             \
  }
ALLO_AIE_WIDENED(64, acc32) ALLO_AIE_WIDENED(32, acc32) ALLO_AIE_WIDENED(16, acc32) ALLO_AIE_WIDENED(16, acc64)
ALLO_AIE_WIDENED(16, accfloat) ALLO_AIE_WIDENED(32, accfloat)
#undef ALLO_AIE_WIDENED

template <typename T, unsigned N>
T ext_elem(const aie::vector<T, N> &v, int i) {
  return v.get(unsigned(i) % N);
}
template <typename T, unsigned N>
T extract_elem(const aie::vector<T, N> &v, int i) {
  return v.get(unsigned(i) % N);
}
template <typename T, unsigned N>
aie::vector<T, N> broadcast_elem(const aie::vector<T, N> &v, int i) {
  return aie::broadcast<T, N>(ext_elem(v, i));
}
template <typename T, unsigned N>
aie::vector<T, N> band(const aie::vector<T, N> &a, const aie::vector<T, N> &b) {
  return aie::bit_and(a, b);
}
template <typename T, unsigned N>
aie::vector<T, N> bor(const aie::vector<T, N> &a, const aie::vector<T, N> &b) {
  return aie::bit_or(a, b);
}
template <typename T, unsigned N>
aie::vector<T, N> bxor(const aie::vector<T, N> &a, const aie::vector<T, N> &b) {
  return aie::bit_xor(a, b);
}
template <typename T, unsigned N>
aie::vector<T, N> bneg(const aie::vector<T, N> &a) {
  return aie::bit_not(a);
}
/// Lanes of `b` where a bit is set, of `a` elsewhere.
template <typename T, unsigned N>
aie::vector<T, N> sel(const aie::vector<T, N> &a, const aie::vector<T, N> &b, std::uint64_t bits) {
  return aie::select(a, b, aie::mask<N>::from_uint64(bits));
}
template <typename T, unsigned N, typename U>
aie::vector<T, N> upd_elem(aie::vector<T, N> v, int i, U x) {
  v.set(T(x), unsigned(i) % N);
  return v;
}
template <typename T, unsigned N, typename U>
aie::vector<T, N> insert(aie::vector<T, N> v, int i, U x) {
  if constexpr (allo_aie::is_vector<U>)
    return v.insert(unsigned(i), x);
  else
    return upd_elem(v, i, x);
}
template <typename T, unsigned N>
aie::vector<T, N> shift_elem(aie::vector<T, N> v, T x) {
  return v.push(x);
}

/// The vector that begins `bytes` bytes up in `low` with `high` above it.
template <typename T, unsigned N>
aie::vector<T, N> shift_bytes(const aie::vector<T, N> &low, const aie::vector<T, N> &high, int bytes) {
  const auto both = aie::concat(low, high).template cast_to<std::uint8_t>();
  constexpr unsigned count = N * allo_aie::bits_of<T> / 8;
  return allo_aie::each<std::uint8_t, count, allo_aie::Unit::move>([&](unsigned i) { return both[(i + unsigned(bytes)) % (2 * count)]; }).template cast_to<T>();
}
template <typename T, unsigned N>
aie::vector<T, N> shift(const aie::vector<T, N> &low, const aie::vector<T, N> &high, int elements) {
  return shift_bytes(low, high, elements * int(sizeof(T)));
}

/// How `shuffle` reads its operands: as a rows x cols matrix of `width`-bit elements that it transposes, `half` of it.
struct shuffle_mode {
  unsigned width, rows, cols, half;
};
#define ALLO_AIE_MODES(W, R, C)                                  \
  inline constexpr shuffle_mode T##W##_##R##x##C##_lo{W, R, C, 0}; \
  inline constexpr shuffle_mode T##W##_##R##x##C##_hi{W, R, C, 1};
ALLO_AIE_MODES(8, 64, 2) ALLO_AIE_MODES(16, 32, 2) ALLO_AIE_MODES(32, 16, 2) ALLO_AIE_MODES(64, 8, 2) ALLO_AIE_MODES(128, 4, 2)
ALLO_AIE_MODES(256, 2, 2) ALLO_AIE_MODES(128, 2, 4) ALLO_AIE_MODES(64, 2, 8) ALLO_AIE_MODES(32, 2, 16) ALLO_AIE_MODES(16, 2, 32)
ALLO_AIE_MODES(8, 2, 64) ALLO_AIE_MODES(512, 1, 2) ALLO_AIE_MODES(16, 16, 4) ALLO_AIE_MODES(16, 4, 16) ALLO_AIE_MODES(32, 8, 4)
ALLO_AIE_MODES(32, 4, 8)
#undef ALLO_AIE_MODES
inline constexpr shuffle_mode T16_8x4{16, 8, 4, 0}, T16_4x8{16, 4, 8, 0}, T32_4x4{32, 4, 4, 0}, T8_8x8{8, 8, 8, 0}, T8_16x4{8, 16, 4, 0},
    T8_4x16{8, 4, 16, 0}, T8_8x4{8, 8, 4, 0}, T8_4x8{8, 4, 8, 0}, T16_2x16{16, 2, 16, 0}, T16_16x2{16, 16, 2, 0}, T16_8x2{16, 8, 2, 0},
    T16_2x8{16, 2, 8, 0}, T16_4x4{16, 4, 4, 0}, T16_4x2{16, 4, 2, 0}, T16_2x4{16, 2, 4, 0}, T32_2x4{32, 2, 4, 0}, T32_4x2{32, 4, 2, 0},
    T16_1x2_flip{16, 0, 2, 0}, T8_1x2_flip{8, 0, 2, 0}, T8_1x4_flip{8, 0, 4, 0}, T8_1x8_flip{8, 0, 8, 0}, T16_1x4_flip{16, 0, 4, 0},
    T32_1x2_flip{32, 0, 2, 0};
#define ALLO_AIE_MODE(NAME) inline constexpr shuffle_mode shuffle_##NAME = NAME;
#define ALLO_AIE_MODES(NAME) ALLO_AIE_MODE(NAME##_lo) ALLO_AIE_MODE(NAME##_hi)
ALLO_AIE_MODES(T8_64x2) ALLO_AIE_MODES(T16_32x2) ALLO_AIE_MODES(T32_16x2) ALLO_AIE_MODES(T64_8x2) ALLO_AIE_MODES(T128_4x2)
ALLO_AIE_MODES(T256_2x2) ALLO_AIE_MODES(T128_2x4) ALLO_AIE_MODES(T64_2x8) ALLO_AIE_MODES(T32_2x16) ALLO_AIE_MODES(T16_2x32)
ALLO_AIE_MODES(T8_2x64) ALLO_AIE_MODES(T512_1x2) ALLO_AIE_MODES(T16_16x4) ALLO_AIE_MODES(T16_4x16) ALLO_AIE_MODES(T32_8x4)
ALLO_AIE_MODES(T32_4x8)
ALLO_AIE_MODE(T16_8x4) ALLO_AIE_MODE(T16_4x8) ALLO_AIE_MODE(T32_4x4) ALLO_AIE_MODE(T8_8x8) ALLO_AIE_MODE(T8_16x4) ALLO_AIE_MODE(T8_4x16)
ALLO_AIE_MODE(T8_8x4) ALLO_AIE_MODE(T8_4x8) ALLO_AIE_MODE(T16_2x16) ALLO_AIE_MODE(T16_16x2) ALLO_AIE_MODE(T16_8x2) ALLO_AIE_MODE(T16_2x8)
ALLO_AIE_MODE(T16_4x4) ALLO_AIE_MODE(T16_4x2) ALLO_AIE_MODE(T16_2x4) ALLO_AIE_MODE(T32_2x4) ALLO_AIE_MODE(T32_4x2)
ALLO_AIE_MODE(T16_1x2_flip)
#undef ALLO_AIE_MODES
#undef ALLO_AIE_MODE

template <typename T, unsigned N>
aie::vector<T, N> shuffle(const aie::vector<T, N> &a, const aie::vector<T, N> &b, shuffle_mode mode) {
  const auto bytes = aie::concat(a, b).template cast_to<std::uint8_t>();
  const unsigned width = mode.width / 8, count = a.bits() / 8;
  return allo_aie::each<std::uint8_t, N * allo_aie::bits_of<T> / 8, allo_aie::Unit::move>([&](unsigned i) {
    const unsigned at = mode.half * count + i, element = at / width;
    const unsigned size = mode.rows ? mode.rows * mode.cols : mode.cols, inner = element % size;  // a flip has no rows
    const unsigned from = element - inner + (mode.rows ? inner % mode.rows * mode.cols + inner / mode.rows : size - 1 - inner);
    return bytes[(from * width + at % width) % bytes.size()];
  }).template cast_to<T>();
}
template <typename T, unsigned N>
aie::vector<T, N> shuffle(const aie::vector<T, N> &a, shuffle_mode mode) {
  return shuffle(a, a, mode);
}
/// The modes by the numbers that the instruction has for them.
inline constexpr shuffle_mode shuffle_modes[] = {
    T8_64x2_lo, T8_64x2_hi, T16_32x2_lo, T16_32x2_hi, T32_16x2_lo, T32_16x2_hi, T64_8x2_lo, T64_8x2_hi, T128_4x2_lo,
    T128_4x2_hi, T256_2x2_lo, T256_2x2_hi, T128_2x4_lo, T128_2x4_hi, T64_2x8_lo, T64_2x8_hi, T32_2x16_lo, T32_2x16_hi,
    T16_2x32_lo, T16_2x32_hi, T8_2x64_lo, T8_2x64_hi, T512_1x2_lo, T512_1x2_hi, T16_16x4_lo, T16_16x4_hi, T16_4x16_lo,
    T16_4x16_hi, T16_8x4, T16_4x8, T32_8x4_lo, T32_8x4_hi, T32_4x8_lo, T32_4x8_hi, T32_4x4, T8_8x8, T8_16x4, T8_4x16,
    T16_1x2_flip, T16_4x4, T16_4x2, T16_2x4, T16_8x2, T16_2x8, T16_16x2, T16_2x16, T8_8x4, T8_4x8};
template <typename T, unsigned N>
aie::vector<T, N> shuffle(const aie::vector<T, N> &a, const aie::vector<T, N> &b, int mode) {
  if (mode < 0 || mode >= int(std::size(shuffle_modes))) allo_aie::fail("shuffle takes a mode of 0 to 47");
  return shuffle(a, b, shuffle_modes[mode]);
}

inline v16bfloat16 to_v16bfloat16(const v16accfloat &a) { return a.to_vector<bfloat16>(); }
inline v32bfloat16 to_v32bfloat16(const v32accfloat &a) { return a.to_vector<bfloat16>(); }

inline void set_rnd(int mode) { allo_aie::state.rounding = mode; }
inline void set_sat() { allo_aie::state.saturation = 1; }
inline void set_satmode(int mode) { allo_aie::state.saturation = mode; }
inline int get_rnd() { return allo_aie::state.rounding < 0 ? 0 : allo_aie::state.rounding; }
inline void clr_sat() { allo_aie::state.saturation = 0; }
inline constexpr int rnd_floor = 0, rnd_ceil = 1, rnd_neg_inf = 8, rnd_pos_inf = 9, rnd_sym_zero = 10, rnd_sym_inf = 11, rnd_conv_even = 12,
                     rnd_conv_odd = 13;

// Markers of a trace; the simulator does not time inside of a kernel.
inline void event0() {}
inline void event1() {}
inline void event2() {}
inline void event3() {}
inline void event(int) {}

namespace allo_aie {

inline const Ports &ports() {
  if (!state.ports) fail("the kernel uses the cascade or a stream, and was called without them");
  return *state.ports;
}
/// 512 bits of the cascade.
template <typename V>
V from_cascade() {
  static_assert(sizeof(V) == 64, "the cascade moves 512 bits");
  V made;
  ports().cascade_get(&made);
  return made;
}

}  // namespace allo_aie

#define ALLO_AIE_CASCADE(N, T) \
  inline v##N##T get_scd_v##N##T(bool enabled = true) { return enabled ? allo_aie::from_cascade<v##N##T>() : v##N##T{}; }
ALLO_AIE_CASCADE(16, int32) ALLO_AIE_CASCADE(32, int16) ALLO_AIE_CASCADE(64, int8) ALLO_AIE_CASCADE(16, uint32) ALLO_AIE_CASCADE(32, uint16)
ALLO_AIE_CASCADE(64, uint8) ALLO_AIE_CASCADE(32, bfloat16) ALLO_AIE_CASCADE(16, float) ALLO_AIE_CASCADE(16, accfloat) ALLO_AIE_CASCADE(8, acc64)
#undef ALLO_AIE_CASCADE
/// Accumulators of 32 bits, of which 16 fill the cascade.
inline v16acc32 get_scd_v16acc32(bool enabled = true) { return v16acc32(get_scd_v16int32(enabled)); }
template <typename V>
void put_mcd(const V &v, bool enabled = true) {
  static_assert(sizeof(V) == 64, "the cascade moves 512 bits");
  if (enabled) allo_aie::ports().cascade_put(&v);
}
inline void put_mcd(const v16acc32 &a, bool enabled = true) {
  v16int32 lanes;
  for (unsigned i = 0; i < 16; ++i) lanes[i] = int32(a[i]);
  put_mcd(lanes, enabled);
}
inline std::uint32_t get_ss(int channel = 0) {
  std::uint32_t word = 0;
  allo_aie::ports().stream_get(channel, &word);
  return word;
}
/// The core has one stream; the mark of a packet's last word is not kept.
inline void put_ms(std::uint32_t word, int = 0) { allo_aie::ports().stream_put(0, word); }
