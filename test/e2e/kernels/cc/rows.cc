// Rows of bf16: norms, softmax, activations, rotations; products and sums by their types; a skip connection.
#include <stdint.h>
#include <aie_api/aie.hpp>
#include <lut_based_ops.h>
#include "aie_kernel_utils.h"
using namespace aie;

template <typename T, int N>
void rms_norm(const T *restrict in, T *restrict out, const T *restrict gamma, int32_t cols) {
  constexpr float epsilon = 1e-5f;
  ::aie::accum<accfloat, N> sum;
  sum.from_vector(aie::zeros<float, N>());
  for (int i = 0; i < cols; i += N) {
    ::aie::vector<T, N> v = ::aie::load_v<N>(in + i);
    sum = aie::add(sum, aie::mul_square(v).template to_vector<float>());
  }
  float total = ::aie::reduce_add(sum.template to_vector<float>());
  float scale = aie::invsqrt(total / cols + epsilon);
  ::aie::vector<T, N> sv = ::aie::broadcast<T, N>(T(scale));
  for (int i = 0; i < cols; i += N) {
    ::aie::vector<T, N> v = ::aie::load_v<N>(in + i), g = aie::load_v<N>(gamma + i);
    ::aie::vector<T, N> normed = ::aie::mul(v, sv);
    ::aie::store_v(out + i, ::aie::mul(normed, g).template to_vector<T>());
  }
}

extern "C" {
void rms_norm_bf16(bfloat16 *in, bfloat16 *out, bfloat16 *g, int32_t n) { rms_norm<bfloat16, 16>(in, out, g, n); }

void softmax_exp2(bfloat16 *restrict input, bfloat16 *restrict output, const int32_t n) {
  constexpr float log2e = 1.44269504089f;
  auto it_in = aie::cbegin_restrict_vector<16>(input);
  aie::vector<bfloat16, 16> most = aie::broadcast<bfloat16, 16>(std::numeric_limits<bfloat16>::lowest());
  aie::vector<bfloat16, 16> log2e_vec = aie::broadcast<bfloat16, 16>((bfloat16)log2e);
  for (int i = 0; i < n / 16; i++) most = aie::max(most, *it_in++);
  float top = aie::reduce_max(most);
  auto max_v = aie::broadcast<bfloat16, 16>((bfloat16)top);
  aie::accum<accfloat, 16> acc = aie::zeros<accfloat, 16>();
  for (int i = 0; i < n; i += 16) {
    aie::vector<bfloat16, 16> x = aie::load_v<16>(input + i);
    aie::accum<accfloat, 16> scaled = aie::mul(aie::sub(x, max_v), log2e_vec);
    aie::vector<bfloat16, 16> e = aie::exp2<bfloat16>(scaled.to_vector<float>());
    acc = aie::add(acc, e);
    aie::store_v(output + i, e);
  }
  aie::vector<float, 16> reduced = acc.to_vector<float>();
  float sum = aie::reduce_add(reduced);
  bfloat16 inverse = (bfloat16)aie::inv(sum);
  auto io = aie::begin_restrict_vector<16>(output);
  for (int i = 0; i < n / 16; i++) {
    aie::vector<bfloat16, 16> e = *io;
    *io++ = aie::mul(e, inverse).to_vector<bfloat16>();
  }
}

void swiglu_bf16(bfloat16 *restrict x_, bfloat16 *restrict w1, bfloat16 *restrict w2, bfloat16 *restrict out, const int32_t n) {
  auto a = aie::begin_restrict_vector<16>(x_), b = aie::begin_restrict_vector<16>(w1), c = aie::begin_restrict_vector<16>(w2);
  auto o = aie::begin_restrict_vector<16>(out);
  aie::vector<bfloat16, 16> half = aie::broadcast<bfloat16, 16>(0.5f), one = aie::broadcast<bfloat16, 16>(1.0f);
  for (int i = 0; i < n; i += 16) {
    v16bfloat16 in = *a++;
    aie::vector<bfloat16, 16> p = aie::mul(aie::vector<bfloat16, 16>(in), *b++), q = aie::mul(aie::vector<bfloat16, 16>(in), *c++);
    aie::vector<bfloat16, 16> h = aie::mul(p, half);
#if __AIE_ARCH__ == 21
    aie::vector<bfloat16, 16> th = aie::tanh<bfloat16>(aie::accum<accfloat, 16>(h).to_vector<float>());
#else
    aie::vector<bfloat16, 16> th = getTanhBf16(h);
#endif
    auto sig = aie::mul(aie::add(th, one), half);
    aie::vector<bfloat16, 16> silu = aie::mul(p, sig.to_vector<bfloat16>());
    *o++ = aie::mul(silu, q).to_vector<bfloat16>();
  }
}

void layer_norm_rows(bfloat16 *restrict in, bfloat16 *restrict out, int32_t rows, int32_t cols) {
  constexpr int N = 16;
  for (int r = 0; r < rows; r++) {
    aie::accum<accfloat, N> s = aie::zeros<accfloat, N>(), q = aie::zeros<accfloat, N>();
    for (int c = 0; c < cols; c += N) {
      aie::vector<bfloat16, N> v = aie::load_v<N>(in + r * cols + c);
      s = aie::add(s, v);
      q = aie::mac(q, v, v);
    }
    float mean = aie::reduce_add(s.to_vector<float>()) / cols;
    float var = aie::reduce_add(q.to_vector<float>()) / cols - mean * mean;
    float rs = aie::invsqrt(var + 1e-5f);
    aie::vector<bfloat16, N> scale = aie::broadcast<bfloat16, N>((bfloat16)rs);
    aie::vector<float, N> m = aie::broadcast<float, N>(mean);
    for (int c = 0; c < cols; c += N) {
      aie::accum<accfloat, N> v(aie::load_v<N>(in + r * cols + c));
      v = aie::sub(v, m);
      aie::store_v(out + r * cols + c, aie::mul(v.to_vector<bfloat16>(), scale).to_vector<bfloat16>());
    }
  }
}

void rope_halves(bfloat16 *restrict in, bfloat16 *restrict lut, bfloat16 *restrict out, int32_t dims) {
  for (int v = 0; v < dims; v += 32) {
    aie::vector<bfloat16, 32> x = aie::load_v<32>(in + v), cs = aie::load_v<32>(lut + v);
    auto [e, o] = aie::interleave_unzip(x.extract<16>(0), x.extract<16>(1), 1);
    auto cv = aie::filter_even(cs, 1), sv = aie::filter_odd(cs, 1);
    aie::accum<accfloat, 16> re = aie::mul(e, cv), im = aie::mul(e, sv);
    re = aie::msc(re, o, sv);
    im = aie::mac(im, o, cv);
    auto [lo, hi] = aie::interleave_zip(re.to_vector<bfloat16>(), im.to_vector<bfloat16>(), 1);
    aie::store_v(out + v, aie::concat(lo, hi));
  }
}

void saxpy(bfloat16 *restrict x, bfloat16 *restrict y, bfloat16 *restrict z, const int32_t n) {
  ::aie::vector<bfloat16, 64> a_v = ::aie::broadcast<bfloat16, 64>(3.f);
  for (int i = 0; i < n; i += 64) {
    ::aie::vector<bfloat16, 64> xv = ::aie::load_v<64>(x); x += 64;
    ::aie::accum<accfloat, 64> ax = ::aie::mul(xv, a_v);
    ::aie::vector<bfloat16, 64> yv = ::aie::load_v<64>(y); y += 64;
    ::aie::accum<accfloat, 64> axy = ::aie::add(ax, yv);
    ::aie::store_v(z, axy.to_vector<bfloat16>()); z += 64;
  }
}

void conv2dk1_skip(uint8_t *in0, uint8_t *in1, int8_t *w, uint8_t *out, int8_t *skip, const int32_t width, const int32_t ci, const int32_t co, const int scale, const int skip_scale) {
  event0();
  using MMUL = aie::mmul<4, 8, 8, uint8, int8>;
  ::aie::set_saturation(aie::saturation_mode::saturate);
  ::aie::set_rounding(aie::rounding_mode::positive_inf);
  for (int oc = 0; oc < co / 8; oc++)
    for (int x = 0; x < width / 4; x++) {
      MMUL acc = aie::zeros<acc32, 32>();
      for (int ic = 0; ic < ci / 8; ic++) {
        uint8_t *src = ic < ci / 16 ? in0 + ic * width * 8 : in1 + (ic - ci / 16) * width * 8;
        acc.mac(aie::load_v<32>(src + x * 32), aie::load_v<64>(w + (oc * (ci / 8) + ic) * 64));
      }
      aie::vector<int8, 32> o = acc.to_vector<int8>(scale);
      aie::vector<int8, 32> s = aie::load_v<32>(skip + (oc * width + 4 * x) * 8);
      aie::accum<acc32, 32> a;
      a.from_vector(s, 0);
      a = aie::add(a, o);
      aie::store_v(out + (oc * width + 4 * x) * 8, a.to_vector<uint8>(skip_scale));
    }
  event1();
}

void products(int8_t *a8, uint8_t *u8, int16_t *a16, int32_t *a32, int32_t *o1, int32_t *o2, int32_t *o3, int16_t *o4, int32_t *o5) {
  aie::vector<int8_t, 32> x = aie::load_v<32>(a8); aie::vector<uint8_t, 32> u = aie::load_v<32>(u8);
  aie::vector<int16_t, 32> h = aie::load_v<32>(a16); aie::vector<int32_t, 16> w = aie::load_v<16>(a32);
  aie::store_v(o1, aie::mul(x, u).to_vector<int32_t>());
  aie::store_v(o2, aie::negmul(h, h).to_vector<int32_t>());
  aie::store_v(o3, aie::mul(w, h.extract<16>(0)).to_vector<int32_t>(7));
  aie::set_saturation(aie::saturation_mode::saturate);
  aie::accum<acc32, 32> acc(h, 4);
  acc = aie::msc(acc, h, (int16_t)3);
  aie::store_v(o4, acc.to_vector<int16_t>(3));
  aie::accum<acc64, 16> b = aie::mul(w, w);
  b = aie::mac(b, w, (int32_t)-5);
  aie::store_v(o5, b.to_vector<int32_t>(20));
  aie::set_saturation(aie::saturation_mode::none);
}

void leaky_abs(bfloat16 *in, bfloat16 *out, int n) {
  for (int i = 0; i < n; i += 32) {
    aie::vector<bfloat16, 32> x = aie::load_v<32>(in + i);
    aie::vector<bfloat16, 32> s = aie::mul(x, (bfloat16)0.125f);
    auto y = aie::max(x, s);
    y = aie::select(y, aie::abs(x), aie::lt(x, bfloat16(-1.0f)));
    y = aie::select(aie::neg(y), y, aie::ge(x, aie::zeros<bfloat16, 32>()));
    aie::store_v(out + i, y);
  }
}
void cast_f32(bfloat16 *in, float *f, bfloat16 *back, int16_t *ints, int n) {
  for (int i = 0; i < n; i += 16) {
    aie::vector<bfloat16, 16> x = aie::load_v<16>(in + i);
    aie::accum<accfloat, 16> a; a.from_vector(x);
    aie::vector<float, 16> v = a.to_vector<float>();
    v = aie::add(v, aie::broadcast<float, 16>(0.00390625f));
    aie::store_v(f + i, v);
    aie::accum<accfloat, 16> b(v);
    aie::store_v(back + i, b.to_vector<bfloat16>());
    aie::store_v(ints + i, aie::to_fixed<int16_t>(x, 4));
  }
}
void zip_transpose(int16_t *in, int16_t *out) { // 8x8
  aie::vector<int16_t, 32> a = aie::load_v<32>(in), b = aie::load_v<32>(in + 32);
  auto [p, q] = aie::interleave_unzip(a, b, 1);
  std::tie(a, b) = aie::interleave_unzip(p, q, 1);
  std::tie(p, q) = aie::interleave_unzip(a, b, 1);
  aie::store_v(out, p);
  aie::store_v(out + 32, q);
}
}
