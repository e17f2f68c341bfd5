// Bytes and integers: lines of pixels, sums, and extremes.
#include <aie_api/aie.hpp>
#include <stdint.h>

template <typename T, int N>
void threshold_line(T *in, T *out, const int32_t width, const T limit, const T most) {
  aie::vector<T, N> limits = aie::broadcast<T, N>(limit), tops = aie::broadcast<T, N>(most);
  for (int i = 0; i < width; i += N) {
    aie::vector<T, N> x = aie::load_v<N>(in + i);
    aie::mask<N> below = aie::lt(limits, x);
    aie::store_v(out + i, aie::select(T(0), tops, below));
  }
}

extern "C" {
void thresholdLine(uint8_t *in, uint8_t *out, int32_t width, int16_t limit, int16_t most) {
  threshold_line<uint8_t, 64>(in, out, width, uint8_t(limit), uint8_t(most));
}

void bitwiseXORLine(uint8_t *a, uint8_t *b, uint8_t *out, int32_t width) {
  for (int i = 0; i < width; i += 64) {
    aie::vector<uint8_t, 64> x = aie::load_v<64>(a + i), y = aie::load_v<64>(b + i);
    aie::store_v(out + i, aie::sub(aie::bit_or(x, y), aie::bit_and(x, y)));
  }
}

void addWeightedLine(uint8_t *a, uint8_t *b, uint8_t *out, const int32_t width, const int16_t alpha, const int16_t beta,
                     const uint8_t gamma) {
  ::aie::set_saturation(aie::saturation_mode::saturate);
  ::aie::set_rounding(aie::rounding_mode::positive_inf);
  constexpr int shift = 14;
  aie::vector<int16_t, 32> coefficients(aie::zeros<int16_t, 32>());
  coefficients[0] = alpha;
  coefficients[1] = beta;
  aie::accum<acc32, 32> base(aie::broadcast<uint8_t, 32>(gamma), shift);
  for (int i = 0; i < width; i += 32) {
    aie::vector<uint8_t, 32> x = aie::load_v<32>(a + i), y = aie::load_v<32>(b + i);
    aie::accum<acc32, 32> acc = aie::accumulate<32>(base, coefficients, 0, x, y);
    aie::store_v(out + i, acc.to_vector<uint8_t>(shift));
  }
}

void filter2dLine(uint8_t *above, uint8_t *middle, uint8_t *below, uint8_t *out, int32_t width, int16_t *kernel) {
  ::aie::set_saturation(aie::saturation_mode::saturate);
  ::aie::set_rounding(aie::rounding_mode::positive_inf);
  constexpr unsigned lanes = 32;
  using tap = aie::sliding_mul_ops<lanes, 4, 1, 1, 1, int16_t, uint8_t, acc32>;
  aie::vector<int16_t, 16> weights = aie::load_v<16>(kernel);
  for (int x = 0; x < width; x += lanes) {
    aie::vector<uint8_t, 64> rows[3];
    uint8_t *lines[3] = {above, middle, below};
    for (int r = 0; r < 3; r++) { // the pixel before, and the one behind, replicated at the borders
      aie::vector<uint8_t, 32> here = aie::load_v<32>(lines[r] + x);
      aie::vector<uint8_t, 32> left = aie::broadcast<uint8_t, 32>(x ? lines[r][x - 1] : lines[r][0]);
      aie::vector<uint8_t, 32> right = aie::broadcast<uint8_t, 32>(x + 32 < width ? lines[r][x + 32] : lines[r][width - 1]);
      rows[r] = aie::concat(aie::shuffle_up_fill(here, left, 1), aie::shuffle_up_fill(right, here, 1));
    }
    auto acc = tap::mul(weights, 0, rows[0], 0);
    acc = tap::mac(acc, weights, 4, rows[1], 0);
    acc = tap::mac(acc, weights, 8, rows[2], 0);
    aie::store_v(out + x, acc.to_vector<uint8_t>(12));
  }
}

void rgba2grayLine(uint8_t *in, uint8_t *out, int32_t pixels) {
  ::aie::set_saturation(aie::saturation_mode::saturate);
  ::aie::set_rounding(aie::rounding_mode::positive_inf);
  const int16_t red = 9798, green = 19235, blue = 3736; // 0.299, 0.587, 0.114 in 15 bits
  for (int i = 0; i < pixels; i += 32) {
    auto first = aie::load_v<64>(in + 4 * i), second = aie::load_v<64>(in + 4 * i + 64);
    auto [rb, ga] = aie::interleave_unzip(first, second, 1);
    aie::vector<uint8_t, 32> r = aie::filter_even(rb, 1), b = aie::filter_odd(rb, 1), g = aie::filter_even(ga, 1);
    aie::accum<acc32, 32> acc = aie::mul<acc32>(r, red);
    acc = aie::mac(acc, g, green);
    acc = aie::mac(acc, b, blue);
    aie::store_v(out + i, acc.to_vector<uint8_t>(15));
  }
}

void reduce_max_vector(int32_t *restrict in, int32_t *restrict out, const int32_t size) {
  v16int32 largest = broadcast_to_v16int32((int32_t)INT32_MIN);
  for (int i = 0; i < size; i += 16) largest = max(*(v16int32 *)(in + i), largest);
  largest = max(largest, shift_bytes(largest, largest, 32));
  largest = max(largest, shift_bytes(largest, largest, 16));
  largest = max(largest, shift_bytes(largest, largest, 8));
  largest = max(largest, shift_bytes(largest, largest, 4));
  *out = extract_elem(largest, 0);
}

void requantize(int32_t *in, int8_t *out, int shift, float factor, bfloat16 scale) {
  ::set_sat();
  set_rnd(rnd_conv_even);
  v16int32 low = *(v16int32 *)in, high = *(v16int32 *)(in + 16);
  const int extra = (scale * 2.0f + factor) > 3.0f ? 1 : 0;
  v32int8 cut = concat(ups_to_v16acc64(low), ups_to_v16acc64(high)).to_vector<int8>(shift + extra);
  for (int i = 0; i < 32; i++) out[i] = ext_elem(cut, i);
}

void reduce_add_vector(int32_t *restrict in, int32_t *restrict out, const int32_t size) {
  aie::vector<int32_t, 16> sum = aie::zeros<int32_t, 16>();
  for (int i = 0; i < size; i += 16) sum = aie::add(sum, aie::load_v<16>(in + i));
  out[0] = aie::reduce_add(sum);
}

void scale_i16(int16_t *in, int16_t *out, int32_t *factor, int32_t size) {
  for (int i = 0; i < size; i += 32) {
    auto acc = aie::mul(aie::load_v<32>(in + i), int16_t(*factor));
    aie::store_v(out + i, acc.to_vector<int16_t>(0));
  }
}

void transpose_i8(int8_t *in, int8_t *out) {
  auto x = aie::load_v<64>(in);
  aie::store_v(out, aie::transpose(x, 4, 16));
}

// A 1x1 convolution: activations (C/8) x (4 X) x 8, weights (O/8) x (C/8) x 8 x 8.
void conv2dk1_i8(int8_t *in, int8_t *weights, uint8_t *out, const int32_t width, const int32_t channels, const int32_t outputs,
                 const int scale) {
  using MMUL = aie::mmul<4, 8, 8, int8, int8>;
  ::aie::set_saturation(aie::saturation_mode::saturate);
  ::aie::set_rounding(aie::rounding_mode::positive_inf);
  for (int o = 0; o < outputs / 8; o++)
    for (int x = 0; x < width / 4; x++) {
      MMUL acc(aie::zeros<acc32, 32>());
      for (int c = 0; c < channels / 8; c++)
        acc.mac(aie::load_v<MMUL::size_A>(in + (c * width + 4 * x) * 8), aie::load_v<MMUL::size_B>(weights + (o * (channels / 8) + c) * 64));
      aie::store_v(out + (o * width + 4 * x) * 8, acc.to_vector<uint8>(scale));
    }
}
}
