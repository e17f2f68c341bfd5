// Convolutions of a line: channels in eights, [channels / 8][x][8]; weights [out / 8][in / 8][y][x][8 in][8 out].
// NAME and OF_IN are macros, and one of K1, K3, K14, K1_SKIP, K1_SKIP_INIT; OF_OUT is the output's type, OF_SKIP that of what K1_SKIP adds.
#include <aie_api/aie.hpp>
#include <stdint.h>

template <typename T> static inline T clipped(int32_t x);
template <> inline uint8_t clipped<uint8_t>(int32_t x) { return x < 0 ? 0 : x > 255 ? 255 : (uint8_t)x; }
template <> inline int8_t clipped<int8_t>(int32_t x) { return x < -128 ? -128 : x > 127 ? 127 : (int8_t)x; }
static inline int32_t shifted(int32_t x, int32_t by) { return by > 0 ? (x + (1 << (by - 1))) >> by : x; }

#ifdef K1
extern "C" void NAME(OF_IN *in, int8_t *weights, OF_OUT *out, int32_t width, int32_t ci, int32_t co, int32_t scale) {
  event0();
  for (int32_t o = 0; o < co; o++)
    for (int32_t x = 0; x < width; x++) {
      int32_t sum = 0;
      for (int32_t i = 0; i < ci; i++)
        sum += in[(i / 8 * width + x) * 8 + i % 8] * weights[(o / 8 * (ci / 8) + i / 8) * 64 + i % 8 * 8 + o % 8];
      out[(o / 8 * width + x) * 8 + o % 8] = clipped<OF_OUT>(shifted(sum, scale));
    }
  event1();
}
#endif

#ifdef K3 // `check` says which line is missing: 0 the one above, 2 the one below; `offset` is the first output channel
extern "C" void NAME(OF_IN *above, OF_IN *line, OF_IN *below, int8_t *weights, OF_OUT *out, int32_t width, int32_t ci,
                     int32_t co, int32_t kw, int32_t kh, int32_t check, int32_t scale, int32_t offset) {
  event0();
  OF_IN *lines[3] = {above, line, below};
  for (int32_t o = 0; o < co; o++)
    for (int32_t x = 0; x < width; x++) {
      int32_t sum = 0, from = o + offset;
      for (int32_t i = 0; i < ci; i++)
        for (int32_t ky = check == 0 ? 1 : 0; ky < (check == 2 ? kh - 1 : kh); ky++)
          for (int32_t kx = 0; kx < kw; kx++) {
            int32_t at = x + kx - kw / 2;
            if (at < 0 || at >= width)
              continue;
            int32_t weight = ((from / 8 * (ci / 8) + i / 8) * kh + ky) * kw + kx;
            sum += lines[ky][(i / 8 * width + at) * 8 + i % 8] * weights[weight * 64 + i % 8 * 8 + from % 8];
          }
      out[(o / 8 * width + x) * 8 + o % 8] = clipped<OF_OUT>(shifted(sum, scale));
    }
  event1();
}
#endif

#ifdef K1_SKIP // the input's channels come in two halves
extern "C" void NAME(OF_IN *first, OF_IN *second, int8_t *weights, OF_OUT *out, OF_SKIP *skip, int32_t width, int32_t ci,
                     int32_t co, int32_t scale, int32_t skip_scale) {
  event0();
  for (int32_t o = 0; o < co; o++)
    for (int32_t x = 0; x < width; x++) {
      int32_t sum = 0, half = ci / 2, place = (o / 8 * width + x) * 8 + o % 8;
      for (int32_t i = 0; i < ci; i++) {
        OF_IN *in = i < half ? first : second;
        int32_t j = i < half ? i : i - half;
        sum += in[(j / 8 * width + x) * 8 + j % 8] * weights[(o / 8 * (ci / 8) + i / 8) * 64 + i % 8 * 8 + o % 8];
      }
      out[place] = clipped<OF_OUT>(shifted(clipped<int8_t>(shifted(sum, scale)) + skip[place], skip_scale));
    }
  event1();
}
#endif

#ifdef K1_SKIP_INIT // as K1_SKIP, and what is added goes through a 1x1 convolution of `cs` channels, whose weights come last
extern "C" void NAME(OF_IN *first, OF_IN *second, int8_t *weights, OF_OUT *out, OF_SKIP *skip, int32_t width, int32_t ci,
                     int32_t co, int32_t cs, int32_t scale, int32_t skip_scale, int32_t conv_scale) {
  event0();
  int8_t *own = weights + ci * co;
  for (int32_t o = 0; o < co; o++)
    for (int32_t x = 0; x < width; x++) {
      int32_t sum = 0, added = 0, half = ci / 2;
      for (int32_t i = 0; i < ci; i++) {
        OF_IN *in = i < half ? first : second;
        int32_t j = i < half ? i : i - half;
        sum += in[(j / 8 * width + x) * 8 + j % 8] * weights[(o / 8 * (ci / 8) + i / 8) * 64 + i % 8 * 8 + o % 8];
      }
      for (int32_t i = 0; i < cs; i++)
        added += skip[(i / 8 * width + x) * 8 + i % 8] * own[(o / 8 * (cs / 8) + i / 8) * 64 + i % 8 * 8 + o % 8];
      int32_t both = clipped<int8_t>(shifted(sum, scale)) + clipped<int8_t>(shifted(added, conv_scale));
      out[(o / 8 * width + x) * 8 + o % 8] = clipped<OF_OUT>(shifted(both, skip_scale));
    }
  event1();
}
#endif

#ifdef K14 // patches of kernel x kernel pixels without overlap; in [y][x][ci], weights [co / 8][y][x][ci][8], out [co / 8][patch][8]
extern "C" void NAME(OF_IN *in, int8_t *weights, OF_OUT *out, int32_t width, int32_t ci, int32_t co, int32_t kernel, int32_t scale) {
  event0();
  int32_t patches = width / kernel;
  for (int32_t o = 0; o < co; o++)
    for (int32_t p = 0; p < patches; p++) {
      int32_t sum = 0;
      for (int32_t y = 0; y < kernel; y++)
        for (int32_t x = 0; x < kernel * ci; x++)
          sum += in[(y * width + p * kernel) * ci + x] * weights[((o / 8 * kernel + y) * kernel * ci + x) * 8 + o % 8];
      out[(o / 8 * patches + p) * 8 + o % 8] = clipped<OF_OUT>(shifted(sum, scale));
    }
  event1();
}
#endif
