// Lines of images, of 8 bits a channel: NAME is a macro, and one of the operations' names.
#include <aie_api/aie.hpp>
#include <stdint.h>

static inline uint8_t clipped(int32_t x) { return x < 0 ? 0 : x > 255 ? 255 : (uint8_t)x; }
static inline int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }

#ifdef RGBA2HUE // hue of 0 to 255: six sectors of 42.5, red is 0
extern "C" void NAME(uint8_t *in, uint8_t *out, int32_t width) {
  event0();
  for (int32_t i = 0; i < width; i++) {
    int32_t r = in[4 * i], g = in[4 * i + 1], b = in[4 * i + 2];
    int32_t high = most(r, most(g, b)), low = least(r, least(g, b)), range = high - low, twice = 0;
    if (range != 0)
      twice = high == r ? 85 * (g - b) / range : high == g ? 170 + 85 * (b - r) / range : 340 + 85 * (r - g) / range;
    out[i] = (uint8_t)((twice + 1) >> 1);
  }
  event1();
}
#endif

#ifdef RGBA2GRAY // weights of ITU-R BT.601, with 14 bits behind the point
extern "C" void NAME(uint8_t *in, uint8_t *out, int32_t width) {
  event0();
  for (int32_t i = 0; i < width; i++)
    out[i] = clipped((4899 * in[4 * i] + 9617 * in[4 * i + 1] + 1868 * in[4 * i + 2] + 8192) >> 14);
  event1();
}
#endif

#ifdef GRAY2RGBA
extern "C" void NAME(uint8_t *in, uint8_t *out, int32_t width) {
  event0();
  for (int32_t i = 0; i < width; i++) {
    out[4 * i] = out[4 * i + 1] = out[4 * i + 2] = in[i];
    out[4 * i + 3] = 255;
  }
  event1();
}
#endif

#ifdef THRESHOLD // OpenCV's kinds: 0 binary, 1 its inverse, 2 truncate, 3 to zero, 4 its inverse
extern "C" void NAME(uint8_t *in, uint8_t *out, int32_t width, int16_t limit, int16_t high, uint8_t kind) {
  event0();
  for (int32_t i = 0; i < width; i++) {
    bool above = in[i] > limit;
    switch (kind) {
    case 0: out[i] = above ? (uint8_t)high : 0; break;
    case 1: out[i] = above ? 0 : (uint8_t)high; break;
    case 2: out[i] = above ? (uint8_t)limit : in[i]; break;
    case 3: out[i] = above ? in[i] : 0; break;
    default: out[i] = above ? 0 : in[i];
    }
  }
  event1();
}
#endif

#if defined(BITWISE_OR) || defined(BITWISE_AND)
extern "C" void NAME(uint8_t *a, uint8_t *b, uint8_t *out, int32_t width) {
  event0();
  for (int32_t i = 0; i < width; i++)
#ifdef BITWISE_OR
    out[i] = a[i] | b[i];
#else
    out[i] = a[i] & b[i];
#endif
  event1();
}
#endif

#ifdef ADD_WEIGHTED // weights with 14 bits behind the point
extern "C" void NAME(uint8_t *a, uint8_t *b, uint8_t *out, int32_t width, int16_t alpha, int16_t beta, uint8_t gamma) {
  event0();
  for (int32_t i = 0; i < width; i++)
    out[i] = clipped(((a[i] * alpha + b[i] * beta + 8192) >> 14) + gamma);
  event1();
}
#endif

#ifdef FILTER2D // weights with 12 bits behind the point; a line's ends are repeated
extern "C" void NAME(uint8_t *above, uint8_t *line, uint8_t *below, uint8_t *out, int32_t width, int16_t *weights) {
  event0();
  uint8_t *lines[3] = {above, line, below};
  for (int32_t i = 0; i < width; i++) {
    int32_t sum = 0;
    for (int32_t y = 0; y < 3; y++)
      for (int32_t x = 0; x < 3; x++)
        sum += lines[y][least(most(i + x - 1, 0), width - 1)] * weights[3 * y + x];
    out[i] = clipped((sum + 2048) >> 12);
  }
  event1();
}
#endif
