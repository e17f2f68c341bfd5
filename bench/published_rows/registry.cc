// Kernels of the registry's programs, as such kernels are written against the AIE API.
#include <stdint.h>
#include <aie_api/aie.hpp>
#include "../aie_kernel_utils.h"

#ifndef DIM_M
#define DIM_M 16
#define DIM_K 16
#define DIM_N 16
#endif

// Blocks of two by two micro-tiles, which lie column by column in A and C and row by row in B.
template <typename T, unsigned rows, unsigned inner, unsigned cols>
static void blocks(const bfloat16 *__restrict a, const bfloat16 *__restrict b, T *__restrict c) {
  using MMUL = aie::mmul<8, 8, 8, bfloat16, bfloat16, accauto>;
  for (unsigned z = 0; z < rows; z += 2)
    for (unsigned j = 0; j < cols; j += 2) {
      const bfloat16 *__restrict a0 = a + z * 64, *__restrict b0 = b + j * inner * 64, *__restrict b1 = b0 + inner * 64;
      T *c00 = c + (j * rows + z) * 64, *c01 = c00 + rows * 64;
      MMUL s00(aie::load_v<64>(c00)), s01(aie::load_v<64>(c01)), s10(aie::load_v<64>(c00 + 64)), s11(aie::load_v<64>(c01 + 64));
      AIE_LOOP_MIN_ITERATION_COUNT(2)
      for (unsigned i = 0; i < inner; ++i) {
        const auto x0 = aie::load_v<64>(a0), x1 = aie::load_v<64>(a0 + 64), y0 = aie::load_v<64>(b0), y1 = aie::load_v<64>(b1);
        a0 += rows * 64, b0 += 64, b1 += 64;
        s00.mac(x0, y0);
        s01.mac(x0, y1);
        s10.mac(x1, y0);
        s11.mac(x1, y1);
      }
      aie::store_v(c00, s00.template to_vector<T>());
      aie::store_v(c01, s01.template to_vector<T>());
      aie::store_v(c00 + 64, s10.template to_vector<T>());
      aie::store_v(c01 + 64, s11.template to_vector<T>());
    }
}

extern "C" {
void matmul_bf16_f32(bfloat16 *a, bfloat16 *b, float *c) { blocks<float, DIM_M / 8, DIM_K / 8, DIM_N / 8>(a, b, c); }
void zero_f32(float *c) {
  for (unsigned i = 0; i < DIM_M * DIM_N; i += 16) aie::store_v(c + i, aie::zeros<float, 16>());
}
void matvec_bf16(uint32_t m, uint32_t k, uint32_t at, bfloat16 *__restrict a, bfloat16 *__restrict b, bfloat16 *__restrict c) {
  for (unsigned row = 0; row < m; ++row) {
    aie::accum<accfloat, 64> sum = aie::zeros<accfloat, 64>();
    for (unsigned i = 0; i < k; i += 64, a += 64) sum = aie::mac(sum, aie::load_v<64>(a), aie::load_v<64>(b + i));
    c[at + row] = bfloat16(aie::reduce_add(sum.to_vector<float>()));
  }
}
void zero_row(uint32_t m, bfloat16 *c) {
  for (unsigned i = 0; i < m; i++) c[i] = bfloat16(0.0f);
}
}
