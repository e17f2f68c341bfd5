// Products of matrices, 2 x 2 tiles at a time: all shapes of tiles, B by rows and by columns, C too.
#include <stdint.h>
#include <aie_api/aie.hpp>
#include <lut_based_ops.h>
#include "aie_kernel_utils.h"
using namespace aie;

// row-major result blocks of 2x2 tiles
template <typename T_in, typename T_out, unsigned rowA, unsigned colA, unsigned colB, unsigned r, unsigned s, unsigned t, bool b_row_maj = true, bool c_row_maj = true>
static inline void mm2x2(const T_in *__restrict pA, const T_in *__restrict pB, T_out *__restrict pC) {
  using MMUL = aie::mmul<r, s, t, T_in, T_in, accauto>;
  event0();
  AIE_PREPARE_FOR_PIPELINING
  for (unsigned z = 0; z < rowA; z += 2) {
    T_out *__restrict pC1 = c_row_maj ? pC + (z * colB) * MMUL::size_C : pC + z * MMUL::size_C;
    T_out *__restrict pC2 = c_row_maj ? pC + ((z + 1) * colB) * MMUL::size_C : pC + (z + 1) * MMUL::size_C;
    for (unsigned j = 0; j < colB; j += 2) {
      if constexpr (!c_row_maj) { pC1 = pC + j * rowA * MMUL::size_C + z * MMUL::size_C; pC2 = pC + (j + 1) * rowA * MMUL::size_C + z * MMUL::size_C; }
      const T_in *__restrict pA1 = pA + (z * colA) * MMUL::size_A;
      const T_in *__restrict pA2 = pA + ((z + 1) * colA) * MMUL::size_A;
      const T_in *__restrict pB1 = b_row_maj ? pB + j * MMUL::size_B : pB + (j * colA) * MMUL::size_B;
      const T_in *__restrict pB2 = b_row_maj ? pB + (j + 1) * MMUL::size_B : pB + ((j + 1) * colA) * MMUL::size_B;
      aie::vector<T_in, MMUL::size_A> A0, A1;
      aie::vector<T_in, MMUL::size_B> B0, B1;
      auto c01 = c_row_maj ? pC1 + MMUL::size_C : pC2, c10 = c_row_maj ? pC2 : pC1 + MMUL::size_C, c11 = pC2 + MMUL::size_C;
      MMUL C00(aie::load_v<MMUL::size_C>(pC1)), C01(aie::load_v<MMUL::size_C>(c01)), C10(aie::load_v<MMUL::size_C>(c10)), C11(aie::load_v<MMUL::size_C>(c11));
      for (unsigned i = 0; i < colA; ++i) {
        A0 = aie::load_v<MMUL::size_A>(pA1); pA1 += MMUL::size_A;
        A1 = aie::load_v<MMUL::size_A>(pA2); pA2 += MMUL::size_A;
        if constexpr (b_row_maj) {
          B0 = aie::load_v<MMUL::size_B>(pB1); pB1 += MMUL::size_B * colB;
          B1 = aie::load_v<MMUL::size_B>(pB2); pB2 += MMUL::size_B * colB;
        } else {
          B0 = aie::transpose(aie::load_v<MMUL::size_B>(pB1), t, s); pB1 += MMUL::size_B;
          B1 = aie::transpose(aie::load_v<MMUL::size_B>(pB2), t, s); pB2 += MMUL::size_B;
        }
        C00.mac(A0, B0); C01.mac(A0, B1); C10.mac(A1, B0); C11.mac(A1, B1);
      }
      aie::store_v(pC1, C00.template to_vector<T_out>());
      aie::store_v(c01, C01.template to_vector<T_out>());
      aie::store_v(c10, C10.template to_vector<T_out>());
      aie::store_v(c11, C11.template to_vector<T_out>());
      if constexpr (c_row_maj) { pC1 += 2 * MMUL::size_C; pC2 += 2 * MMUL::size_C; }
    }
  }
  event1();
}
#define EACH(X) X(a, bfloat16, bfloat16, 4, 8, 4) X(b, bfloat16, float, 4, 8, 4) X(c, int16_t, int16_t, 4, 4, 4) X(d, int16_t, int32_t, 4, 4, 4) X(e, int8_t, int8_t, 4, 8, 8) X(f, int8_t, int16_t, 4, 8, 8) X(g, int8_t, int32_t, 4, 8, 8) X(h, int16_t, int32_t, 4, 4, 8) X(i, uint8_t, int32_t, 4, 8, 8) X(j, int8_t, int32_t, 2, 8, 8) X(k, int16_t, int32_t, 2, 4, 8)
extern "C" {
#define ONE(N, I, O, r, s, t) \
  void mm_##N##_rr(I *a, I *b, O *c) { mm2x2<I, O, 16 / r, 32 / s, 16 / t, r, s, t>(a, b, c); } \
  void mm_##N##_cr(I *a, I *b, O *c) { mm2x2<I, O, 16 / r, 32 / s, 16 / t, r, s, t, false>(a, b, c); } \
  void mm_##N##_cc(I *a, I *b, O *c) { mm2x2<I, O, 16 / r, 32 / s, 16 / t, r, s, t, false, false>(a, b, c); }
EACH(ONE)
}

