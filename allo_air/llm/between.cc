// What stands between the products of a token: sums, residuals, norms, rotation, activation. The residual stays in this core.
#include <stdint.h>
#include <aie_api/aie.hpp>
#include <numeric>
#include "aie_kernel_utils.h"
#include "powers.h"

// Macros: FLOATS of a chunk, HIDDEN, ROOM floats of a row, COLUMNS of a part of a row, PLANES of digits (0: rows are bf16),
// QUERIES that share a key, HEAD, KV_HEADS, ROTARY elements of a head, PARTS of a head's keys.
using Vector = aie::vector<float, 16>;
enum Mode { kGated, kNorm, kRotate, kJoin };
struct Command {
  int32_t magic, mode, data, gives, size, bias, chunks, parts, after, reset, from, to, part, sent, activation, head_norms;
  float eps, scale, residual;
};
static constexpr int32_t kMagic = 0x616c6c6f, kMost = 32;
struct State {
  Command command;
  int32_t count, part, head, unused[10];
  float steps[2][kMost];
  float headers[16 * PARTS], greatest[16 * QUERIES], sums[16 * QUERIES];
  float x[(HIDDEN + 15) / 16 * 16], other[FLOATS], y[ROOM];
};

static inline Vector times(const Vector &a, const Vector &b) { return aie::mul(a, b).to_vector<float>(); }
static inline Vector times(const Vector &a, float b) { return times(a, aie::broadcast<float, 16>(b)); }
static inline Vector all(float x) { return aie::broadcast<float, 16>(x); }

template <unsigned SIZE>
static inline float mean_factor(const float *x, float eps) {
  aie::accum<accfloat, 16> sum = aie::zeros<accfloat, 16>();
  AIE_LOOP_MIN_ITERATION_COUNT((SIZE + 15) / 16)
  for (unsigned i = 0; i < SIZE; i += 16) {
    const auto v = aie::load_v<16>(x + i);
    sum = aie::mac(sum, v, v);
  }
  return aie::invsqrt(aie::reduce_add(sum.to_vector<float>()) * (1.0f / float(int(SIZE))) + eps);
}

// to[i] = scale * by[i] * x[i], of as many as there are of `size` from `at` on.
static void scaled(float *to, const float *x, const float *by, unsigned at, unsigned size, float scale) {
  if (at + FLOATS <= size) {
    AIE_LOOP_MIN_ITERATION_COUNT(FLOATS / 16)
    for (unsigned i = 0; i < FLOATS; i += 16)
      aie::store_v(to + at + i, times(times(aie::load_v<16>(x + at + i), aie::load_v<16>(by + i)), scale));
    return;
  }
  for (unsigned i = 0; at + i < size; i += 16)
    aie::store_v(to + at + i, times(times(aie::load_v<16>(x + at + i), aie::load_v<16>(by + i)), scale));
}

static void add(float *to, const float *x, unsigned at, unsigned size, float scale) {
  if (at + FLOATS <= size) {
    AIE_LOOP_MIN_ITERATION_COUNT(FLOATS / 16)
    for (unsigned i = 0; i < FLOATS; i += 16)
      aie::store_v(to + at + i, aie::add(aie::load_v<16>(to + at + i), times(aie::load_v<16>(x + i), scale)));
    return;
  }
  for (unsigned i = 0; at + i < size; i += 16)
    aie::store_v(to + at + i, aie::add(aie::load_v<16>(to + at + i), times(aie::load_v<16>(x + i), scale)));
}

static void fill(float *to, unsigned begin, unsigned end) {
  for (unsigned i = begin; i < end; i += 16) aie::store_v(to + i, aie::zeros<float, 16>());
}

// The last row's elements may not fill a vector: what is behind them is 0.
static void cut(float *to, unsigned size) {
  for (unsigned i = size; i % 16; ++i) to[i] = 0.0f;
}

static float step_of(const State &s, unsigned part) {
  return PLANES && s.command.magic == kMagic ? s.steps[s.command.from][part] : 1.0f;
}

static inline Vector sigmoid(const Vector &x) {
  constexpr float kFactor = __AIE_ARCH__ == 20 ? 1.0f : 1.442695041f;
  const auto size = aie::max(x, aie::neg(x));
  const auto small = aie::accum<accfloat, 16>(power(times(aie::neg(size), kFactor))).to_vector<float>();
  const auto whole = aie::add(small, all(1.0f));
  auto inverse = aie::sub(all(24.0f / 17), times(whole, 8.0f / 17));  // of numbers from 1 to 2
  for (unsigned n = 0; n < 2; ++n) inverse = times(inverse, aie::sub(all(2.0f), times(whole, inverse)));
  return times(inverse, aie::select(all(1.0f), small, aie::lt(x, all(0.0f))));
}

static inline Vector gated(const Vector &x, const Vector &by, const Vector &other) { return times(times(x, sigmoid(by)), other); }

static void gate(State &s, const float *chunk) {
  const Command &c = s.command;
  const unsigned parts = c.parts > 0 ? c.parts : 1, turn = s.count % (2 * parts), at = s.count / (2 * parts) * FLOATS;
  float *to = turn % 2 ? s.other : s.y + at;
  const float step = step_of(s, turn / 2);
  if (turn < 2) fill(to, 0, FLOATS);
  AIE_LOOP_MIN_ITERATION_COUNT(FLOATS / 16)
  for (unsigned i = 0; i < FLOATS; i += 16)
    aie::store_v(to + i, aie::add(aie::load_v<16>(to + i), times(aie::load_v<16>(chunk + i), step)));
  if (turn + 1 < 2 * parts) return;
  float *y = s.y + at;
  if (c.activation) {  // GELU by tanh
    AIE_LOOP_MIN_ITERATION_COUNT(FLOATS / 16)
    for (unsigned i = 0; i < FLOATS; i += 16) {
      const auto x = aie::load_v<16>(y + i), cube = times(times(x, x), x);
      aie::store_v(y + i, gated(x, times(aie::add(x, times(cube, 0.044715f)), 1.5957691216f), aie::load_v<16>(s.other + i)));
    }
  } else {
    AIE_LOOP_MIN_ITERATION_COUNT(FLOATS / 16)
    for (unsigned i = 0; i < FLOATS; i += 16) {
      const auto x = aie::load_v<16>(y + i);
      aie::store_v(y + i, gated(x, x, aie::load_v<16>(s.other + i)));
    }
  }
  if (s.count + 1 == c.data) {
    cut(s.y, c.size);
    fill(s.y, (c.size + 15) / 16 * 16, ROOM);
  }
}

// Sums of a product, with a bias before them.
static bool summed(State &s, const float *chunk) {
  const Command &c = s.command;
  const int n = s.count - c.bias;
  if (s.count == 0) fill(s.y, 0, ROOM);
  if (n < 0) add(s.y, chunk, s.count * FLOATS, c.size, 1.0f);
  else if (n < c.chunks * c.parts) add(s.y, chunk, n % c.chunks * FLOATS, c.size, step_of(s, n / c.chunks));
  else return false;
  return true;
}

static void normed(State &s, const float *chunk) {
  const Command &c = s.command;
  const int sums = c.bias + c.chunks * c.parts, weights = (HIDDEN + FLOATS - 1) / FLOATS;
  if (!summed(s, chunk)) {
    const int n = s.count - sums, after = c.after ? weights : 0;
    if (n < after) {
      if (n == 0) s.sums[0] = mean_factor<HIDDEN>(s.y, c.eps);
      scaled(s.y, s.y, chunk, n * FLOATS, HIDDEN, s.sums[0]);
    } else {
      if (n == after) s.sums[0] = mean_factor<HIDDEN>(s.x, c.eps);
      scaled(s.y, s.x, chunk, (n - after) * FLOATS, HIDDEN, s.sums[0]);
    }
  }
  if (s.count + 1 != sums + (c.after ? weights : 0)) return;
  cut(s.y, HIDDEN);
  if (c.reset) fill(s.x, 0, HIDDEN);
  AIE_LOOP_MIN_ITERATION_COUNT((HIDDEN + 15) / 16)
  for (unsigned i = 0; i < HIDDEN; i += 16)
    aie::store_v(s.x + i, aie::add(aie::load_v<16>(s.x + i), times(aie::load_v<16>(s.y + i), c.residual)));
}

static void rotate_head(float *x, const float *norm, float eps, const float *angles) {
  if (norm) {
    const float factor = mean_factor<HEAD>(x, eps);
    for (unsigned i = 0; i < HEAD; i += 16) aie::store_v(x + i, times(times(aie::load_v<16>(x + i), aie::load_v<16>(norm + i)), factor));
  }
  for (unsigned i = 0; i < ROTARY / 2; i += 16) {
    const auto low = aie::load_v<16>(x + i), high = aie::load_v<16>(x + ROTARY / 2 + i);
    const float *sines = angles + ROTARY;
    aie::store_v(x + i, aie::sub(times(low, aie::load_v<16>(angles + i)), times(high, aie::load_v<16>(sines + i))));
    aie::store_v(x + ROTARY / 2 + i, aie::add(times(high, aie::load_v<16>(angles + ROTARY / 2 + i)),
                                              times(low, aie::load_v<16>(sines + ROTARY / 2 + i))));
  }
}

// The queries of a key in two parts of bf16, in the place of the floats; keys and values in bf16.
static void rotated(State &s, const float *chunk) {
  const Command &c = s.command;
  if (summed(s, chunk)) return;
  if (c.head_norms && s.count == c.bias + c.chunks * c.parts) {
    for (unsigned i = 0; i < 2 * HEAD; i += 16) aie::store_v(s.other + i, aie::load_v<16>(chunk + i));
    return;
  }
  for (unsigned h = 0; h < KV_HEADS * (QUERIES + 1); ++h) {
    const float *norm = c.head_norms ? s.other + (h < KV_HEADS * QUERIES ? 0 : HEAD) : nullptr;
    rotate_head(s.y + h * HEAD, norm, c.eps, chunk);
  }
  for (unsigned i = 0; i < 16 * PARTS; i += 16) aie::store_v(s.headers + i, aie::load_v<16>(chunk + 2 * ROTARY + i));
  for (unsigned h = 0; h < KV_HEADS; ++h) {
    float *y = s.y + h * QUERIES * HEAD;
    for (unsigned i = 0; i < QUERIES * HEAD; i += 16) aie::store_v(s.other + i, times(aie::load_v<16>(y + i), c.scale));
    bfloat16 *high = (bfloat16 *)y, *low = high + QUERIES * HEAD;
    for (unsigned i = 0; i < QUERIES * HEAD; i += 16) {
      const auto x = aie::load_v<16>(s.other + i);
      const auto most = rounded<16>(x);
      aie::store_v(high + i, most);
      aie::store_v(low + i, rounded<16>(aie::sub(x, aie::accum<accfloat, 16>(most).to_vector<float>())));
    }
  }
  float *keys = s.y + KV_HEADS * QUERIES * HEAD;
  for (unsigned i = 0; i < 2 * KV_HEADS * HEAD; i += 16) {
    const auto x = rounded<16>(aie::load_v<16>(keys + i));
    aie::store_v((bfloat16 *)keys + i, x);
  }
}

// A core's part of attention: outputs, 16 times the greatest score, and 16 sums of powers, for each query.
static void joined(State &s, const float *chunk) {
  if (s.count == 0) fill(s.y, 0, ROOM), s.part = s.head = 0;
  float *y = s.y + s.head * QUERIES * HEAD;
  for (unsigned q = 0; q < QUERIES; ++q) {
    const auto other = aie::load_v<16>(chunk + QUERIES * HEAD + 16 * q);
    const auto more = all(aie::reduce_add(aie::load_v<16>(chunk + QUERIES * (HEAD + 16) + 16 * q)));
    Vector own = all(0.0f), by = all(1.0f), sums = more, most = other;
    if (s.part) {
      const auto before = aie::load_v<16>(s.greatest + 16 * q);
      most = aie::max(before, other);
      own = aie::accum<accfloat, 16>(power(aie::sub(before, most))).to_vector<float>();
      by = aie::accum<accfloat, 16>(power(aie::sub(other, most))).to_vector<float>();
      sums = aie::add(times(aie::load_v<16>(s.sums + 16 * q), own), times(more, by));
    }
    aie::store_v(s.greatest + 16 * q, most);
    aie::store_v(s.sums + 16 * q, sums);
    const float inverse = s.part + 1 == PARTS ? aie::inv(float(sums[0])) : 1.0f;
    for (unsigned d = 0; d < HEAD; d += 16) {
      const auto sum = aie::add(times(aie::load_v<16>(y + q * HEAD + d), own), times(aie::load_v<16>(chunk + q * HEAD + d), by));
      aie::store_v(y + q * HEAD + d, times(sum, inverse));
    }
  }
  if (++s.part == PARTS) s.part = 0, ++s.head;
}

#if PLANES
static void send_digits(State &s, unsigned number, int8 *out) {
  constexpr unsigned kEach = 4 * FLOATS / PLANES;
  const Command &c = s.command;
  if (number * kEach >= unsigned(c.sent) * COLUMNS) {
    for (unsigned i = 0; i < kMost; i += 16) aie::store_v((float *)out + i, aie::load_v<16>(s.steps[c.to] + i));
    return;
  }
  if (number == 0) {
    for (int p = 0; p < c.sent; ++p) {
      auto most = all(1e-30f);
      AIE_LOOP_MIN_ITERATION_COUNT(COLUMNS / 16)
      for (unsigned i = 0; i < COLUMNS; i += 16) {
        const auto x = aie::load_v<16>(s.y + p * COLUMNS + i);
        most = aie::max(most, aie::max(x, aie::neg(x)));
      }
      s.steps[c.to][c.part + p] = aie::reduce_max(most) * (1.0f / (63.0f * 65536.0f));
    }
  }
  const unsigned begin = number * kEach, end = std::min(begin + kEach, unsigned(c.sent) * COLUMNS);
  for (unsigned part = begin / COLUMNS; part * COLUMNS < end; ++part) {
    const unsigned from = std::max(begin, part * COLUMNS), to = std::min(end, (part + 1) * COLUMNS);
    const float inverse = aie::inv(s.steps[c.to][c.part + part]);
    AIE_LOOP_MIN_ITERATION_COUNT(std::gcd(kEach, COLUMNS) / 16)
    for (unsigned i = from; i < to; i += 16) {
      const auto x = times(aie::load_v<16>(s.y + i), inverse);
      const auto whole = aie::sub(aie::add(x, all(12582912.0f)).cast_to<int32>(), aie::broadcast<int32, 16>(0x4b400000));
      const auto places = aie::broadcast<int32, 16>(0x808080);
      const auto bytes = aie::bit_xor(aie::add(whole, places), places).cast_to<int8>();
      const auto even = aie::filter_even(bytes), odd = aie::filter_odd(bytes);
      const auto [first, second] = aie::interleave_zip(aie::filter_odd(even), aie::filter_even(odd), 8);
      const auto [third, fourth] = aie::interleave_zip(aie::filter_even(even), aie::zeros<int8, 16>(), 8);
      aie::store_v(out + 4 * (i - begin), aie::concat(first, third));
      aie::store_v(out + 4 * (i - begin) + 32, aie::concat(second, fourth));
    }
  }
}
#endif

static void send_row(State &s, unsigned number, int8 *out) {
#if PLANES
  send_digits(s, number, out);
#else
  const unsigned begin = number * 2 * FLOATS, end = std::min(begin + 2 * FLOATS, unsigned(s.command.sent) * COLUMNS);
  AIE_LOOP_MIN_ITERATION_COUNT(std::gcd(2 * FLOATS, COLUMNS) / 16)
  for (unsigned i = begin; i < end; i += 16) aie::store_v((bfloat16 *)out + (i - begin), rounded<16>(aie::load_v<16>(s.y + i)));
#endif
}

// For each core of attention its header and queries, then all keys, then all values.
static void send_heads(State &s, unsigned number, int8 *out) {
  constexpr unsigned kUnit = 64 + 4 * QUERIES * HEAD, kQueries = KV_HEADS * PARTS * kUnit, kKeys = 2 * KV_HEADS * HEAD;
  const int8 *keys = (const int8 *)(s.y + KV_HEADS * QUERIES * HEAD);
  for (unsigned i = 0; i < 4 * FLOATS; i += 32) {
    const unsigned at = number * 4 * FLOATS + i;
    if (at >= kQueries + 2 * kKeys) break;
    const unsigned core = at / kUnit, in = at % kUnit;
    const int8 *from = at >= kQueries ? keys + (at - kQueries)
                       : in < 64      ? (const int8 *)(s.headers + core % PARTS * 16) + in
                                      : (const int8 *)(s.y + core / PARTS * QUERIES * HEAD) + (in - 64);
    aie::store_v(out + i, aie::load_v<32>(from));
  }
}

extern "C" {
// A command, its data, then as many chunks as it sends; each call takes a chunk and fills one.
void between_chunk(const float *__restrict chunk, float *__restrict held, int8 *__restrict out) {
  State &s = *(State *)held;
  aie::set_rounding(aie::rounding_mode::conv_even);
  const bool idle = s.command.magic != kMagic || s.count >= s.command.data + s.command.gives;
  if (idle && *(const int32_t *)chunk == kMagic) {
    s.command = *(const Command *)chunk;
    s.count = 0;
    return;
  }
  const Command &c = s.command;
  if (s.count < c.data || c.magic != kMagic) {
    switch (c.mode) {
      case kGated: gate(s, chunk); break;
      case kNorm: normed(s, chunk); break;
      case kRotate: rotated(s, chunk); break;
      default: joined(s, chunk);
    }
  } else if (c.mode == kRotate) send_heads(s, s.count - c.data, out);
  else send_row(s, s.count - c.data, out);
  s.count = c.magic == kMagic ? s.count + 1 : 1 - s.count;
}
}
