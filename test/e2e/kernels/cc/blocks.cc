// Block floating point of AIE2p: 8 x 8 tiles whose rows share an exponent.
#include <aie_api/aie.hpp>

extern "C" {
void to_blocks(float *in, bfp16ebs8 *out) {
  aie::block_vector_output_buffer_stream<bfp16ebs8, 64> stream(out);
  aie::accum<accfloat, 64> acc(aie::load_v<64>(in));
  stream.push(acc.to_vector<bfp16ebs8>());
}
void matmul_bfp16(bfp16ebs8 *a, bfp16ebs8 *b, float *c) {
  aie::block_vector_input_buffer_stream<bfp16ebs8, 64> as(a), bs(b);
  aie::mmul<8, 8, 8, bfp16ebs8, bfp16ebs8> m;
  m.mul(as.pop(), bs.pop());
  aie::store_v(c, m.to_vector<float>());
}
}
