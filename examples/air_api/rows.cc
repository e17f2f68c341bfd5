#include <aie_api/aie.hpp>

// out[r] = factor * (the sum of row r), for rows of 64 elements
extern "C" void scaled_sums(int32_t rows, bfloat16 factor, bfloat16 *in, float *out) {
  for (int r = 0; r < rows; r++) {
    aie::accum<accfloat, 16> sums = aie::zeros<accfloat, 16>();
    for (int i = 0; i < 64; i += 16)
      sums = aie::add(sums, aie::load_v<16>(in + 64 * r + i));
    out[r] = (float)factor * aie::reduce_add(sums.to_vector<float>());
  }
}
