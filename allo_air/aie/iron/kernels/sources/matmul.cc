// c += a b of M x K and K x N operands in blocks of R x S and S x T, c in blocks of R x T; or ZERO, or MV: a matrix times a vector.
#include <aie_api/aie.hpp>

#if defined(ZERO)
extern "C" void NAME(OF_C *c) {
  event0();
  for (int i = 0; i < COUNT; i++)
    c[i] = (OF_C)0;
  event1();
}
#elif defined(MV)
extern "C" void NAME(OF_AB *a, OF_AB *b, OF_C *c) { // PAIRS: two neighbours of a row, then those of the next row
  event0();
  for (int i = 0; i < DIM_M; i++)
    for (int k = 0; k < DIM_K; k++)
#ifdef PAIRS
      c[i] += (OF_C)a[(k / 2 * DIM_M + i) * 2 + k % 2] * (OF_C)b[k];
#else
      c[i] += (OF_C)a[i * DIM_K + k] * (OF_C)b[k];
#endif
  event1();
}
#else
extern "C" void NAME(OF_AB *a, OF_AB *b, OF_C *c) {
  event0();
  using Block = aie::mmul<BLOCK_R, BLOCK_S, BLOCK_T, OF_AB, OF_AB, ACCUMULATOR>;
  constexpr int ROWS = DIM_M / BLOCK_R, DEEP = DIM_K / BLOCK_S, COLUMNS = DIM_N / BLOCK_T;
  constexpr int SIZE_A = BLOCK_R * BLOCK_S, SIZE_B = BLOCK_S * BLOCK_T, SIZE_C = BLOCK_R * BLOCK_T;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
#ifdef C_COL_MAJ
      OF_C *at = c + (j * ROWS + i) * SIZE_C;
      Block block(aie::transpose(aie::load_v<SIZE_C>(at), BLOCK_T, BLOCK_R));
#else
      OF_C *at = c + (i * COLUMNS + j) * SIZE_C;
      Block block(aie::load_v<SIZE_C>(at));
#endif
      for (int k = 0; k < DEEP; k++) {
        auto left = aie::load_v<SIZE_A>(a + (i * DEEP + k) * SIZE_A);
#ifdef B_COL_MAJ
        block.mac(left, aie::transpose(aie::load_v<SIZE_B>(b + (j * DEEP + k) * SIZE_B), BLOCK_T, BLOCK_S));
#else
        block.mac(left, aie::load_v<SIZE_B>(b + (k * COLUMNS + j) * SIZE_B));
#endif
      }
#ifdef C_COL_MAJ
      aie::store_v(at, aie::transpose(block.template to_vector<OF_C>(), BLOCK_R, BLOCK_T));
#else
      aie::store_v(at, block.template to_vector<OF_C>());
#endif
    }
  event1();
}
#endif
