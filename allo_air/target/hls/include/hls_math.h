// Functions on floats of the host under their names in hls_math.h, and the narrow floats.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

typedef _Float16 half;

// The upper half of a float, rounded to even.
struct bfloat16 {
  uint16_t upper = 0;
  bfloat16() = default;
  bfloat16(float value) {
    uint32_t word;
    std::memcpy(&word, &value, 4);
    upper = value != value ? uint16_t(word >> 16 | 64) : uint16_t((word + 0x7FFF + (word >> 16 & 1)) >> 16);
  }
  operator float() const {
    uint32_t word = uint32_t(upper) << 16;
    float value;
    std::memcpy(&value, &word, 4);
    return value;
  }
};
#define ALLO_HLS_BRAIN(op) \
  inline bfloat16 operator op(bfloat16 a, bfloat16 b) { return bfloat16(float(a) op float(b)); }
ALLO_HLS_BRAIN(+)
ALLO_HLS_BRAIN(-)
ALLO_HLS_BRAIN(*)
ALLO_HLS_BRAIN(/)
#undef ALLO_HLS_BRAIN
inline bfloat16 operator-(bfloat16 a) { return bfloat16(-float(a)); }

#define ALLO_HLS_UNARY(name)                                             \
  inline half name(half x) { return half(std::name(float(x))); }         \
  inline bfloat16 name(bfloat16 x) { return bfloat16(std::name(float(x))); }
ALLO_HLS_UNARY(exp)
ALLO_HLS_UNARY(exp2)
ALLO_HLS_UNARY(expm1)
ALLO_HLS_UNARY(log)
ALLO_HLS_UNARY(log2)
ALLO_HLS_UNARY(log10)
ALLO_HLS_UNARY(log1p)
ALLO_HLS_UNARY(sqrt)
ALLO_HLS_UNARY(cbrt)
ALLO_HLS_UNARY(sin)
ALLO_HLS_UNARY(cos)
ALLO_HLS_UNARY(tan)
ALLO_HLS_UNARY(sinh)
ALLO_HLS_UNARY(cosh)
ALLO_HLS_UNARY(tanh)
ALLO_HLS_UNARY(erf)
ALLO_HLS_UNARY(floor)
ALLO_HLS_UNARY(ceil)
ALLO_HLS_UNARY(round)
ALLO_HLS_UNARY(trunc)
ALLO_HLS_UNARY(fabs)
ALLO_HLS_UNARY(nearbyint)
#undef ALLO_HLS_UNARY
inline half pow(half a, half b) { return half(std::pow(float(a), float(b))); }
inline half fmod(half a, half b) { return half(std::fmod(float(a), float(b))); }
inline bfloat16 pow(bfloat16 a, bfloat16 b) { return bfloat16(std::pow(float(a), float(b))); }
inline bfloat16 fmod(bfloat16 a, bfloat16 b) { return bfloat16(std::fmod(float(a), float(b))); }

namespace hls {
using namespace std;
using ::exp;
using ::sqrt;
} // namespace hls
