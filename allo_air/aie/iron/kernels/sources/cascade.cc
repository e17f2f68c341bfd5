// A part of c = a b, row by row, whose sums go from core to core by the cascade, 16 at a time: PUT sends them on, GET adds what
// comes. NAME, DIM_M, DIM_K, DIM_N, OF_AB, OF_C and OF_SUM (int32_t or float) are macros.
#include <aie_api/aie.hpp>
#include <string.h>

extern "C" void NAME(OF_AB *a, OF_AB *b, OF_C *c) {
  event0();
  static_assert(sizeof(OF_SUM) == 4 && DIM_M * DIM_N % 16 == 0, "sums go by the cascade in sixteens of words");
  for (int at = 0; at < DIM_M * DIM_N; at += 16) {
    alignas(64) OF_SUM sums[16];
    for (int n = 0; n < 16; n++) {
      OF_SUM sum = 0;
      for (int k = 0; k < DIM_K; k++)
        sum += (OF_SUM)a[(at + n) / DIM_N * DIM_K + k] * (OF_SUM)b[k * DIM_N + (at + n) % DIM_N];
      sums[n] = sum;
    }
    alignas(64) int32_t words[16];
#ifdef GET
    aie::store_v(words, aie::vector<int32_t, 16>(get_scd_v16int32()));
    for (int n = 0; n < 16; n++) {
      OF_SUM before;
      memcpy(&before, words + n, 4);
      sums[n] += before;
    }
#endif
#ifdef PUT
    memcpy(words, sums, sizeof words);
    put_mcd(v16int32(aie::load_v<16>(words)));
#else
    for (int n = 0; n < 16; n++)
      c[at + n] = (OF_C)((OF_SUM)c[at + n] + sums[n]);
#endif
  }
  event1();
}
