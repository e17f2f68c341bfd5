// c += a b of M x K and K x N operands in blocks of R x S and S x T, c in blocks of R x T; or ZERO, or MV: a matrix times a vector.
#include <aie_api/aie.hpp>

#if defined(ZERO)
extern "C" void NAME(OF_C *c) {
  for (int i = 0; i < COUNT; i++)
    c[i] = (OF_C)0;
}
#elif defined(MV)
extern "C" void NAME(OF_AB *a, OF_AB *b, OF_C *c) {
  for (int i = 0; i < DIM_M; i++)
    for (int k = 0; k < DIM_K; k++)
      c[i] += (OF_C)a[i * DIM_K + k] * (OF_C)b[k];
}
#else
extern "C" void NAME(OF_AB *a, OF_AB *b, OF_C *c) {
  using Block = aie::mmul<BLOCK_R, BLOCK_S, BLOCK_T, OF_AB, OF_AB, ACCUMULATOR>;
  for (int i = 0; i < DIM_M / BLOCK_R; i++)
    for (int j = 0; j < DIM_N / BLOCK_T; j++) {
      OF_C *at = c + (i * (DIM_N / BLOCK_T) + j) * BLOCK_R * BLOCK_T;
      Block block(aie::load_v<BLOCK_R * BLOCK_T>(at));
      for (int k = 0; k < DIM_K / BLOCK_S; k++)
        block.mac(aie::load_v<BLOCK_R * BLOCK_S>(a + (i * (DIM_K / BLOCK_S) + k) * BLOCK_R * BLOCK_S), aie::load_v<BLOCK_S * BLOCK_T>(b + (k * (DIM_N / BLOCK_T) + j) * BLOCK_S * BLOCK_T));
      aie::store_v(at, block.template to_vector<OF_C>());
    }
}
#endif
