// Ways to write the same thing: vectors from elements and parts, sums of unlike accumulators, blocks as accumulators, the core's names.
#include <aie_api/aie.hpp>

extern "C" {
// out = sat((a * alpha + b * beta + (gamma << 14)) >> 14)
void weighted(uint8_t *a, uint8_t *b, uint8_t *out, int16_t alpha, int16_t beta, uint8_t gamma) {
  ::aie::set_rounding(aie::rounding_mode::positive_inf);
  ::aie::set_saturation(aie::saturation_mode::saturate);
  ::aie::vector<int16_t, 16> coeff(alpha, beta);
  ::aie::accum<acc32, 64> start;
  start.from_vector(aie::broadcast<uint8_t, 64>(gamma), 14);
  auto sum = ::aie::accumulate<64>(start, coeff, 0, ::aie::load_v(a), ::aie::load_v(b));
  ::aie::store_v(out, sum.to_vector<uint8_t>(14));
}

// out[0] = sum of x * y + x, out[1] = the largest lane, out[2] = x[5] by its own name
void sums(int16_t *x, int16_t *y, int32_t *out) {
  aie::vector<int16_t, 16> low = aie::load_v<16>(x), high = aie::load_v<16>(x + 16);
  aie::vector<int16_t, 32> both(low, high), other = aie::load_v<32>(y);
  aie::accum<acc32, 32> total(both);
  total = aie::add(total, aie::mul(both, other));
  total = aie::sub(other, total);
  auto wide = aie::add(other, total).to_vector_sign<int32_t>(true, 0);
  v16int32 first = aie::vector<int32_t, 32>(wide).extract<16>(0), most = add(first, broadcast_zero_s32());
  most = max(most, shift_bytes(most, most, 32U));
  out[0] = -aie::reduce_add(aie::sub(wide, aie::add(aie::unpack(other), aie::unpack(other))));
  out[1] = aie::reduce_max(aie::vector<int32_t, 16>(most));
  out[2] = extract_elem(v32int16(both), 5);
}

#if __AIE_ARCH__ >= 21
// C += A B^T, all in blocks
void product(uint8_t *a, uint8_t *b, uint8_t *c) {
  aie::block_vector_input_buffer_stream<bfp16ebs8, 64> left((bfp16ebs8 *)a), right((bfp16ebs8 *)b), before((bfp16ebs8 *)c);
  aie::block_vector_output_buffer_stream<bfp16ebs8, 64> after((bfp16ebs8 *)c);
  aie::block_vector<bfp16ebs8, 64> rows, columns = right.pop();
  left >> rows;
  aie::accum<accfloat, 64> sum(before.pop());
  sum = mac_8x8_8x8T(rows, columns, sum);
  after << sum.to_vector<bfp16ebs8>();
}
#endif
}
