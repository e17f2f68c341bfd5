// Lines of pixels and numbers: thresholds, scales, extremes, colours, windows, running sums, quantized numbers; all ways to round.
#define NOCPP
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <type_traits>
#include <aie_api/aie.hpp>
#include "../aie_kernel_utils.h"

template <typename T, int N>
__attribute__((noinline)) void threshold_aie(T *in, T *out, const int32_t width, const T &thr, const T &maxv, const uint8_t type) {
  aie::vector<T, N> mx = aie::broadcast<T, N>(maxv), th = aie::broadcast<T, N>(thr);
  aie::vector<T, N> zero = aie::zeros<T, N>();
  auto run = [&](auto f) {
    for (int j = 0; j < width; j += N)
      chess_prepare_for_pipelining chess_loop_range(14, ) {
        aie::vector<T, N> d = aie::load_v<N>(in);
        in += N;
        aie::store_v(out, f(d));
        out += N;
      }
  };
  switch (type) {
  case 0: run([&](auto d) { auto t = aie::max(d, th); return aie::select(mx, zero, aie::eq(t, th)); }); break;
  case 1: run([&](auto d) { return aie::select(zero, mx, aie::le(d, th)); }); break;
  case 2: run([&](auto d) { return aie::min(d, th); }); break;
  case 3: run([&](auto d) { return aie::select(zero, d, aie::gt(d, th)); }); break;
  default: run([&](auto d) { return aie::select(zero, d, aie::ge(th, d)); }); break;
  }
}

template <typename T, int N>
void scale_vectorized(T *__restrict a, T *__restrict c, int32_t *factor, const int32_t n) {
  event0();
  constexpr int vec_factor = N;
  T *__restrict pA1 = a;
  T *__restrict pC1 = c;
  const int F = n / vec_factor;
  T fac = *factor;
  AIE_PREPARE_FOR_PIPELINING
  AIE_LOOP_MIN_ITERATION_COUNT(16)
  for (int i = 0; i < F; i++) {
    aie::vector<T, vec_factor> A0 = aie::load_v<vec_factor>(pA1);
    pA1 += vec_factor;
    if constexpr (sizeof(T) == 4) {
      aie::accum<acc64, vec_factor> cout = aie::mul(A0, fac);
      aie::store_v(pC1, cout.template to_vector<T>(0));
    } else {
      aie::accum<acc32, vec_factor> cout = aie::mul(A0, fac);
      aie::store_v(pC1, cout.template to_vector<T>(0));
    }
    pC1 += vec_factor;
  }
  event1();
}

template <typename T, int N>
T reduce_min_v(T *restrict in, const int32_t size) {
  aie::vector<T, N> least = aie::broadcast<T, N>(std::numeric_limits<T>::max());
  auto it = aie::begin_restrict_vector<N>(in);
  for (int i = 0; i < size / N; i++) least = aie::min(least, *it++);
  return aie::reduce_min(least);
}

template <typename R>
void modes(int32_t *in, R *out, int shift, int n) {
  using mode = aie::rounding_mode;
  for (auto rounding : {mode::floor, mode::ceil, mode::positive_inf, mode::negative_inf, mode::symmetric_inf, mode::symmetric_zero, mode::conv_even, mode::conv_odd})
    for (auto saturation : {aie::saturation_mode::none, aie::saturation_mode::saturate, aie::saturation_mode::symmetric}) {
      aie::tile::current().set_rounding(rounding);
      const auto before = aie::swap_saturation(saturation);
      for (int i = 0; i < n; i += 16, out += 16)
        aie::store_v(out, aie::accum<acc64, 16>(aie::load_v<16>(in + i)).template to_vector<R>(shift));
      aie::swap_saturation(before);
    }
}

extern "C" {
void threshold_u8(uint8_t *in, uint8_t *out, int32_t w, uint8_t thr, uint8_t mx, uint8_t type) { threshold_aie<uint8_t, 64>(in, out, w, thr, mx, type); }
void threshold_i16(int16_t *in, int16_t *out, int32_t w, int16_t thr, int16_t mx, uint8_t type) { threshold_aie<int16_t, 32>(in, out, w, thr, mx, type); }
void threshold_i32(int32_t *in, int32_t *out, int32_t w, int32_t thr, int32_t mx, uint8_t type) { threshold_aie<int32_t, 16>(in, out, w, thr, mx, type); }
void scale_i32(int32_t *a, int32_t *c, int32_t *f, int32_t n) { scale_vectorized<int32_t, 32>(a, c, f, n); }
void scale_i16(int16_t *a, int16_t *c, int32_t *f, int32_t n) { scale_vectorized<int16_t, 32>(a, c, f, n); }
void min_i32(int32_t *a, int32_t *c, int32_t n) { *c = reduce_min_v<int32_t, 16>(a, n); }
void min_u8(uint8_t *a, uint8_t *c, int32_t n) { *c = reduce_min_v<uint8_t, 64>(a, n); }
void min_i16(int16_t *a, int16_t *c, int32_t n) { *c = reduce_min_v<int16_t, 32>(a, n); }
void min_bf16(bfloat16 *a, bfloat16 *c, int32_t n) { *c = reduce_min_v<bfloat16, 32>(a, n); }
void modes_i8(int32_t *in, int8_t *out, int shift, int n) { modes(in, out, shift, n); }
void modes_u8(int32_t *in, uint8_t *out, int shift, int n) { modes(in, out, shift, n); }
void modes_i16(int32_t *in, int16_t *out, int shift, int n) { modes(in, out, shift, n); }
void modes_i32(int32_t *in, int32_t *out, int shift, int n) { modes(in, out, shift, n); }

// gray, gray, gray, 255
void gray2rgba(uint8_t *in, uint8_t *out, const int32_t width) {
  aie::vector<uint8_t, 32> alpha = aie::broadcast<uint8_t, 32>(255);
  uint8_t *restrict o = out;
  for (int i = 0; i < width; i += 32)
    chess_prepare_for_pipelining {
      aie::vector<uint8_t, 32> d = aie::load_v<32>(in + i);
      auto [gg0, gg1] = aie::interleave_zip(d, d, 1);
      auto [ga0, ga1] = aie::interleave_zip(d, alpha, 1);
      auto [r0, r1] = aie::interleave_zip(aie::concat(gg0, gg1), aie::concat(ga0, ga1), 2);
      aie::store_v(o, r0);
      aie::store_v(o + 64, r1);
      o += 128;
    }
}

// Hue in 0..180, by a table of 30 * 512 / difference
void rgba2hue(uint8_t *in, uint8_t *out, const int32_t pixels) {
  ::aie::set_saturation(aie::saturation_mode::saturate);
  ::aie::set_rounding(aie::rounding_mode::floor);
  alignas(aie::vector_decl_align) static int16_t table[256];
  for (int i = 1; i < 256; i++) table[i] = int16_t(30 * 512 / i);
  table[0] = 0;
  for (int i = 0; i < pixels; i += 32) {
    auto [rb, ga] = aie::interleave_unzip(aie::load_v<64>(in + 4 * i), aie::load_v<64>(in + 4 * i + 64), 1);
    aie::vector<uint8_t, 32> r = aie::filter_even(rb, 1), b = aie::filter_odd(rb, 1), g = aie::filter_even(ga, 1);
    auto most = aie::max(aie::max(r, g), b), least = aie::min(aie::min(r, g), b);
    aie::vector<uint8_t, 32> diff = aie::sub(most, least);
    aie::vector<int16_t, 32> scale;
    for (int j = 0; j < 32; j++) scale[j] = table[uint8_t(diff[j])];
    aie::mask<32> isr = aie::eq(r, most), isg = aie::eq(g, most);
    aie::vector<int16_t, 32> r16 = aie::unpack(r).cast_to<int16_t>(), g16 = aie::unpack(g).cast_to<int16_t>(), b16 = aie::unpack(b).cast_to<int16_t>();
    aie::vector<int16_t, 32> part = aie::select(aie::select(aie::sub(r16, g16), aie::sub(b16, r16), isg), aie::sub(g16, b16), isr);
    aie::vector<int16_t, 32> base = aie::select(aie::select(aie::broadcast<int16_t, 32>(120), aie::broadcast<int16_t, 32>(60), isg), aie::broadcast<int16_t, 32>(0), isr);
    aie::accum<acc32, 32> acc(base, 9);
    acc = aie::mac(acc, part, scale);
    aie::vector<int16_t, 32> hue = acc.to_vector<int16_t>(9);
    aie::mask<32> below = aie::lt(hue, (int16_t)0);
    hue = aie::add(hue, aie::select(aie::zeros<int16_t, 32>(), aie::broadcast<int16_t, 32>(180), below));
    aie::vector<uint8_t, 32> h8 = aie::pack(hue.cast_to<uint16_t>());
    aie::store_v(out + i, aie::select(h8, uint8_t(0), aie::eq(diff, (uint8_t)0)));
  }
}

// 3x3 of bytes: windows shifted out of two vectors
void filter2d_shift(uint8_t *l0, uint8_t *l1, uint8_t *l2, uint8_t *output, const int32_t width, int16_t *kernel) {
  set_sat();
  set_rnd(rnd_pos_inf);
  event0();
  const int shift = 12;
  alignas(32) int16_t kv[16];
  for (int i = 0; i < 3; i++) { for (int j = 0; j < 3; j++) kv[4 * i + j] = kernel[3 * i + j]; kv[4 * i + 3] = 0; }
  for (int i = 12; i < 16; i++) kv[i] = 0;
  aie::vector<int16_t, 16> kernel_vec = aie::load_v<16>(kv);
  using conv = aie::sliding_mul_xy_ops<32, 4, 1, 1, int16_t, uint8_t, acc32>;
  uint8_t *restrict out = output;
  uint8_t *lines[3] = {l0, l1, l2};
  for (int c = 0; c < width; c += 32) {
    aie::accum<acc32, 32> acc;
    for (int r = 0; r < 3; r++) {
      aie::vector<uint8_t, 32> now = aie::load_v<32>(lines[r] + c);
      aie::vector<uint8_t, 32> next = c + 32 < width ? aie::load_v<32>(lines[r] + c + 32) : aie::broadcast<uint8_t, 32>(lines[r][width - 1]);
      aie::vector<uint8_t, 32> before = c ? aie::load_v<32>(lines[r] + c - 32) : aie::broadcast<uint8_t, 32>(lines[r][0]);
      aie::vector<uint8_t, 64> two = aie::concat(before, now), behind = aie::concat(now, next);
      aie::vector<uint8_t, 64> win = aie::concat(aie::shuffle_down(two, 31).extract<32>(0), aie::shuffle_down(behind, 31).extract<32>(0));
      if (r == 0) acc = conv::mul(kernel_vec, 0, win, 0);
      else acc = conv::mac(acc, kernel_vec, 4 * r, win, 0);
    }
    aie::store_v(out, acc.to_vector<uint8_t>(shift));
    out += 32;
  }
  event1();
}

// running sums of 16 lanes
void cumsum_i32(int32_t *in, int32_t *out, int n) {
  int32_t carry = 0;
  aie::vector<int32_t, 16> zero = aie::zeros<int32_t, 16>();
  for (int i = 0; i < n; i += 16) {
    aie::vector<int32_t, 16> v = aie::load_v<16>(in + i);
    for (unsigned k = 1; k < 16; k *= 2) v = aie::add(v, aie::shuffle_up_fill(v, zero, k));
    v = aie::add(v, carry);
    carry = v.get(15);
    aie::store_v(out + i, v);
  }
}

// u8 codes with a scale and a zero per group of 32, i4 with a scale per group
void dequant_u8(uint8_t *q, bfloat16 *scales, uint8_t *zeros, bfloat16 *out, int n) {
  for (int g = 0; g < n / 32; g++) {
    aie::vector<uint8_t, 32> v = aie::load_v<32>(q + 32 * g);
    aie::vector<int16_t, 32> w = aie::sub(aie::unpack(v).cast_to<int16_t>(), aie::broadcast<int16_t, 32>(zeros[g]));
    aie::vector<bfloat16, 32> f = aie::to_float<bfloat16>(w, 0);
    aie::store_v(out + 32 * g, aie::mul(f, scales[g]).to_vector<bfloat16>());
  }
}
void dequant_i4(int8_t *q, bfloat16 *scales, bfloat16 *out, int n) {
  for (int g = 0; g < n / 32; g++) {
    aie::vector<int4, 32> v = aie::load_v<32>((int4 *)(q + 16 * g));
    aie::vector<int8, 32> b = aie::unpack(v);
    aie::vector<int16, 32> w = b.unpack();
    aie::accum<accfloat, 32> a = aie::mul(aie::to_float<bfloat16>(w), aie::broadcast<bfloat16, 32>(scales[g]));
    aie::store_v(out + 32 * g, a.to_vector<bfloat16>());
  }
}
void dequant_u4(uint8_t *q, bfloat16 *scales, bfloat16 *out, int n) {
  for (int g = 0; g < n / 64; g++) {
    aie::vector<uint8_t, 32> v = aie::load_v<32>(q + 32 * g);
    aie::vector<uint8_t, 32> lo = aie::bit_and(v, (uint8_t)15), hi = aie::downshift(v, 4);
    auto [a, b] = aie::interleave_zip(lo, hi, 1);
    aie::vector<uint8_t, 64> all = aie::concat(a, b);
    for (int h = 0; h < 2; h++) {
      aie::vector<int16_t, 32> w = aie::sub(aie::vector_cast<int16_t>(all.extract<32>(h).unpack()), (int16_t)8);
      aie::store_v(out + 64 * g + 32 * h, aie::mul(aie::to_float<bfloat16>(w), scales[g]).to_vector<bfloat16>());
    }
  }
}

// Names that newer kernels use: unrolled loops, traits, words of masks, the core's cuts and its products of f32
void names(float *f, int32_t *w, bfloat16 *b, float *sums, int32_t *ints, float *turns) {
  using namespace aie::operators;
  static_assert(aie::is_vector_v<aie::vector<int16, 32>> && aie::is_accum_v<v16acc64> && aie::vector_ldst_align_v<int16, 8> == 16);
  v16float x = *(v16float *)f;
  v16accfloat acc = mac_elem_16_accuracy_safe(x, x, mul_elem_16_accuracy_fast(x, x));
  acc += x;
  acc -= mul_elem_16_accuracy_low(x, x);
  aie::store_v(sums, acc.to_vector<float>());
  aie::vector<int32_t, 16> v = lsrs(lups(*(v16int32 *)w, 3), 5);
  aie::mask<16> odd = aie::mask<16>::from_uint32(0x5555u);
  odd <<= 1;
  aie::store_v(ints, aie::select(v, bfloat16_to_int(*(v16bfloat16 *)b, 2), odd));
  aie::unroll_times<2>([&](unsigned i) { turns[i] = i ? aie::sincos(f[0]).second : aie::sincos(f[0]).first; });
}
}
