// Tiled matrix products, two by two tiles at a time, under names that macros make.
#define NOCPP
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <type_traits>

#define REL_WRITE 0
#define REL_READ 1

#include "../aie_kernel_utils.h"
#include <aie_api/aie.hpp>
#include "zero.cc"

#ifndef DIM_M
#define DIM_M 16
#endif
#ifndef DIM_K
#define DIM_K 16
#endif
#ifndef DIM_N
#define DIM_N 16
#endif

template <typename T_in, typename T_out, unsigned rows, unsigned inner, unsigned cols, unsigned r, unsigned s, unsigned t>
static inline void tiles_2x2(const T_in *__restrict pA, const T_in *__restrict pB, T_out *__restrict pC) {
  using MMUL = aie::mmul<r, s, t, T_in, T_in, accauto>;
  event0();
  for (unsigned z = 0; z < rows; z += 2)
    chess_prepare_for_pipelining chess_loop_range(2, ) {
      T_out *__restrict pC1 = pC + z * cols * MMUL::size_C;
      T_out *__restrict pC2 = pC + (z + 1) * cols * MMUL::size_C;
      for (unsigned j = 0; j < cols; j += 2)
#ifdef OPT_PERF_ENABLED
        chess_flatten_loop
#endif
        {
          const T_in *__restrict pA1 = pA + z * inner * MMUL::size_A;
          const T_in *__restrict pA2 = pA + (z + 1) * inner * MMUL::size_A;
#ifdef B_COL_MAJ
          const T_in *__restrict pB1 = pB + j * inner * MMUL::size_B;
          const T_in *__restrict pB2 = pB + (j + 1) * inner * MMUL::size_B;
#else
          const T_in *__restrict pB1 = pB + j * MMUL::size_B;
          const T_in *__restrict pB2 = pB + (j + 1) * MMUL::size_B;
#endif
          MMUL C00(aie::load_v<MMUL::size_C>(pC1));
          MMUL C01(aie::load_v<MMUL::size_C>(pC1 + MMUL::size_C));
          MMUL C10(aie::load_v<MMUL::size_C>(pC2));
          MMUL C11(aie::load_v<MMUL::size_C>(pC2 + MMUL::size_C));
          for (unsigned i = 0; i < inner; ++i) AIE_LOOP_MIN_ITERATION_COUNT(2) {
            const aie::vector<T_in, MMUL::size_A> A0 = aie::load_v<MMUL::size_A>(pA1);
            const aie::vector<T_in, MMUL::size_A> A1 = aie::load_v<MMUL::size_A>(pA2);
            pA1 += MMUL::size_A;
            pA2 += MMUL::size_A;
#ifdef B_COL_MAJ
            aie::vector<T_in, MMUL::size_B> B0 = aie::transpose(aie::load_v<MMUL::size_B>(pB1), t, s);
            aie::vector<T_in, MMUL::size_B> B1 = aie::transpose(aie::load_v<MMUL::size_B>(pB2), t, s);
            pB1 += MMUL::size_B;
            pB2 += MMUL::size_B;
#else
            aie::vector<T_in, MMUL::size_B> B0 = aie::load_v<MMUL::size_B>(pB1);
            aie::vector<T_in, MMUL::size_B> B1 = aie::load_v<MMUL::size_B>(pB2);
            pB1 += cols * MMUL::size_B;
            pB2 += cols * MMUL::size_B;
#endif
            C00.mac(A0, B0);
            C01.mac(A0, B1);
            C10.mac(A1, B0);
            C11.mac(A1, B1);
          }
          aie::store_v(pC1, C00.template to_vector<T_out>());
          aie::store_v(pC1 + MMUL::size_C, C01.template to_vector<T_out>());
          aie::store_v(pC2, C10.template to_vector<T_out>());
          aie::store_v(pC2 + MMUL::size_C, C11.template to_vector<T_out>());
          pC1 += 2 * MMUL::size_C;
          pC2 += 2 * MMUL::size_C;
        }
    }
  event1();
}

template <typename T_in, typename T_out, unsigned r, unsigned s, unsigned t>
static inline void whole(const T_in *a, const T_in *b, T_out *c) {
  static_assert(DIM_M % (2 * r) == 0 && DIM_K % s == 0 && DIM_N % (2 * t) == 0);
  tiles_2x2<T_in, T_out, DIM_M / r, DIM_K / s, DIM_N / t, r, s, t>(a, b, c);
}

#if __AIE_ARCH__ >= 21
#define I8 8, 8, 8
#define BF16 8, 8, 8
#else
#define I8 4, 8, 8
#define BF16 4, 8, 4
#endif
extern "C" {
#define ENTRY(IN, in, OUT, out, R, S, T) \
  void matmul_##in##_##out(IN *a, IN *b, OUT *c) { whole<IN, OUT, R, S, T>(a, b, c); }
#define DEFER(...) ENTRY(__VA_ARGS__)
DEFER(int8_t, i8, int32_t, i32, I8)
DEFER(int8_t, i8, int16_t, i16, I8)
DEFER(int8_t, i8, int8_t, i8, I8)
DEFER(uint8, u8, uint8, u8, I8)
DEFER(int16_t, i16, int16_t, i16, 4, 4, 4)
DEFER(int16_t, i16, int32_t, i32, 4, 4, 4)
DEFER(bfloat16, bf16, float, f32, BF16)
DEFER(bfloat16, bf16, bfloat16, bf16, BF16)

void zero_f32(float *c) { zero_vectorized<float, DIM_M, DIM_N>(c); }
void zero_i8(int8_t *c) { zero_vectorized<int8_t, DIM_M, DIM_N>(c); }
}
