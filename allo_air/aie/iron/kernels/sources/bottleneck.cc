// Convolutions of inverted bottlenecks: channels in eights, [channels / 8][x][8], as in conv.cc. NAME, OF_IN and OF_OUT are macros,
// and one of K1 (with PUT or GET: a part of the input's channels, whose sums go by the cascade), K1_SKIP (and OF_SKIP), K3, DW,
// POOL, FC. Outputs of type uint8_t are rectified by their range.
#include <aie_api/aie.hpp>
#include <stdint.h>

template <typename T> static inline T clipped(int32_t x);
template <> inline uint8_t clipped<uint8_t>(int32_t x) { return x < 0 ? 0 : x > 255 ? 255 : (uint8_t)x; }
template <> inline int8_t clipped<int8_t>(int32_t x) { return x < -128 ? -128 : x > 127 ? 127 : (int8_t)x; }
static inline int32_t shifted(int32_t x, int32_t by) { return by > 0 ? (x + (1 << (by - 1))) >> by : x; }

#if defined(K1) || defined(K1_SKIP)
static inline int32_t dot(OF_IN *in, int8_t *weights, int32_t width, int32_t ci, int32_t x, int32_t o) {
  int32_t sum = 0;
  for (int32_t i = 0; i < ci; i++)
    sum += in[(i / 8 * width + x) * 8 + i % 8] * weights[(o / 8 * (ci / 8) + i / 8) * 64 + i % 8 * 8 + o % 8];
  return sum;
}
#endif

#if defined(K1) && !defined(PUT) && !defined(GET)
extern "C" void NAME(OF_IN *in, int8_t *weights, OF_OUT *out, int32_t width, int32_t ci, int32_t co, int32_t scale) {
  event0();
  for (int32_t o = 0; o < co; o++)
    for (int32_t x = 0; x < width; x++)
      out[(o / 8 * width + x) * 8 + o % 8] = clipped<OF_OUT>(shifted(dot(in, weights, width, ci, x, o), scale));
  event1();
}
#endif

#ifdef PUT // eight outputs of a pixel, and eight zeros, a transfer
extern "C" void NAME(OF_IN *in, int8_t *weights, int32_t width, int32_t ci, int32_t co) {
  event0();
  for (int32_t o = 0; o < co; o += 8)
    for (int32_t x = 0; x < width; x++) {
      alignas(64) int32_t sums[16] = {0};
      for (int32_t n = 0; n < 8; n++)
        sums[n] = dot(in, weights, width, ci, x, o + n);
      put_mcd(v16int32(aie::load_v<16>(sums)));
    }
  event1();
}
#endif

#ifdef GET
extern "C" void NAME(OF_IN *in, int8_t *weights, OF_OUT *out, int32_t width, int32_t ci, int32_t co, int32_t scale) {
  event0();
  for (int32_t o = 0; o < co; o += 8)
    for (int32_t x = 0; x < width; x++) {
      alignas(64) int32_t sums[16];
      aie::store_v(sums, aie::vector<int32_t, 16>(get_scd_v16int32()));
      for (int32_t n = 0; n < 8; n++)
        out[(o / 8 * width + x) * 8 + n] = clipped<OF_OUT>(shifted(sums[n] + dot(in, weights, width, ci, x, o + n), scale));
    }
  event1();
}
#endif

#ifdef K1_SKIP
extern "C" void NAME(OF_IN *in, int8_t *weights, OF_OUT *out, OF_SKIP *skip, int32_t width, int32_t ci, int32_t co, int32_t scale,
                     int32_t skip_scale) {
  event0();
  for (int32_t o = 0; o < co; o++)
    for (int32_t x = 0; x < width; x++) {
      int32_t place = (o / 8 * width + x) * 8 + o % 8;
      int32_t own = clipped<int8_t>(shifted(dot(in, weights, width, ci, x, o), scale));
      out[place] = clipped<OF_OUT>(shifted(own + skip[place], skip_scale));
    }
  event1();
}
#endif

#if defined(K3) || defined(DW) // `check`: 0 without the line above, 2 without the one below; `offset`: the first of DW's channels
extern "C" void NAME(OF_IN *above, OF_IN *line, OF_IN *below, int8_t *weights, OF_OUT *out, int32_t width, int32_t ci, int32_t co,
                     int32_t kw, int32_t kh, int32_t check, int32_t scale, int32_t offset) {
  event0();
  OF_IN *lines[3] = {above, line, below};
  int32_t reach = (width + STRIDE - 1) / STRIDE;
  for (int32_t o = 0; o < co; o++)
    for (int32_t to = 0; to < reach; to++) {
      int32_t sum = 0, from = o + offset;
      for (int32_t ky = check == 0 ? 1 : 0; ky < (check == 2 ? kh - 1 : kh); ky++)
        for (int32_t kx = 0; kx < kw; kx++) {
          int32_t at = to * STRIDE + kx - kw / 2;
          if (at < 0 || at >= width)
            continue;
#ifdef DW
          sum += lines[ky][(from / 8 * width + at) * 8 + from % 8] * weights[((from / 8 * kh + ky) * kw + kx) * 8 + from % 8];
#else
          for (int32_t i = 0; i < ci; i++) {
            int32_t weight = ((from / 8 * (ci / 8) + i / 8) * kh + ky) * kw + kx;
            sum += lines[ky][(i / 8 * width + at) * 8 + i % 8] * weights[weight * 64 + i % 8 * 8 + from % 8];
          }
#endif
        }
      out[(o / 8 * reach + to) * 8 + o % 8] = clipped<OF_OUT>(shifted(sum, scale));
    }
  event1();
}
#endif

#ifdef POOL // adds line `row` to `sums`; behind the last one `out` are the means
extern "C" void NAME(OF_IN *in, int32_t *sums, OF_OUT *out, int32_t width, int32_t height, int32_t channels, int32_t row) {
  event0();
  for (int32_t c = 0; c < channels; c++) {
    int32_t sum = row == 0 ? 0 : sums[c], count = width * height;
    for (int32_t x = 0; x < width; x++)
      sum += in[(c / 8 * width + x) * 8 + c % 8];
    sums[c] = sum;
    if (row == height - 1)
      out[c] = clipped<OF_OUT>((sum + (sum < 0 ? -count / 2 : count / 2)) / count);
  }
  event1();
}
#endif

#ifdef FC
extern "C" void NAME(OF_IN *in, int8_t *weights, OF_OUT *out, int32_t ci, int32_t co, int32_t scale) {
  event0();
  for (int32_t o = 0; o < co; o++) {
    int32_t sum = 0;
    for (int32_t i = 0; i < ci; i++)
      sum += in[i] * weights[(o / 8 * (ci / 8) + i / 8) * 64 + i % 8 * 8 + o % 8];
    out[o] = clipped<OF_OUT>(shifted(sum, scale));
  }
  event1();
}
#endif
