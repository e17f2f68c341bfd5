// Functions that kernels look up in tables on AIE2. Here they are computed in f32 and rounded to their result's type: the tables'
// own errors (exp 0.92 %, 1/x 0.58 %, tanh 0.005) are not reproduced.
#pragma once

#include "aie_api/detail/hide_macros.hpp"

#include "aie_api/aie.hpp"

inline v16accfloat getExpBf16(const v16bfloat16 &x) {
  allo_aie::issue_function(16, 4, 34);  // two tables, four lookups at a time, each lane taken out and put in
  return allo_aie::each_acc<accfloat, 16>([&](unsigned i) { return std::exp(float(x[i])); }, 1024, allo_aie::Unit::none);
}
#define ALLO_AIE_TABLE(NAME, EXPRESSION, VECTORS, MOVES)                                                                     \
  inline v16bfloat16 NAME(const v16bfloat16 &v) {                                                            \
    allo_aie::issue_function(16, VECTORS, MOVES);                                                            \
    return allo_aie::each<bfloat16, 16, allo_aie::Unit::none>([&](unsigned i) {                              \
      const float x = v[i];                                                                                  \
      return bfloat16(EXPRESSION);                                                                           \
    });                                                                                                      \
  }
ALLO_AIE_TABLE(getTanhBf16, std::tanh(x), 2, 17)
ALLO_AIE_TABLE(getSqrtBf16, std::sqrt(x), 6, 6)
ALLO_AIE_TABLE(getRsqrtBf16, 1.0f / std::sqrt(x), 6, 6)
ALLO_AIE_TABLE(getSigmoidBf16, 1.0f / (1.0f + std::exp(-x)), 6, 2)
ALLO_AIE_TABLE(getErfBf16, std::erf(x), 10, 2)
#undef ALLO_AIE_TABLE
inline bfloat16 getInvBf16(float x) { return bfloat16(1.0f / x); }

#include "aie_api/detail/show_macros.hpp"
