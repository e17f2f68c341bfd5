// The core's own products, comparisons and casts, as kernels without the API write them.
#include <aie_api/aie.hpp>

extern "C" {
// out = a * b of 32 lanes in bf16, sums of two halves in f32
void floats(bfloat16 *a, bfloat16 *b, bfloat16 *products, float *sums) {
  v32bfloat16 x = *(v32bfloat16 *)a, y = *(v32bfloat16 *)b;
  v32accfloat both = mul_elem_32(x, y);
  *(v32bfloat16 *)products = srs_to_v32bfloat16(both);
  v16accfloat sum = mul_elem_16_2(x, y);
  sum = mac_elem_16_2(x, y, sum);
  sum = msc_elem_16(extract_v16bfloat16(x, 0), extract_v16bfloat16(y, 0), sum);
  *(v16float *)sums = (v16float)sum;
}

// C = A B of 4x8 and 8x8 twice, and of 4x4 and 4x4 of 16 bits
void matrices(int8_t *a, int8_t *b, int32_t *c, int16_t *d, int32_t *e) {
  v32int8 left = *(v32int8 *)a;
  v64int8 right = *(v64int8 *)b;
  v32acc32 sum = mul_4x8_8x8(left, right);
  sum = mac_4x8_8x8(left, right, sum);
  *(v32int32 *)c = srs_to_v32int32(sum);
  v16int16 square = *(v16int16 *)d;
  *(v16int32 *)e = srs_to_v16int32(mul_4x4_4x4(square, square));
}

// The 16 lanes from lane i on, for i from 0 to 3, one behind what is left of the one before
void shifted(int16_t *in, int16_t *out, float *values, float *moved) {
  for (int i = 0; i < 4; i++) {
    aie::store_unaligned_v(out + 15 * i, aie::load_unaligned_v<16>(in + i));
    aie::store_v(moved + 8 * i, aie::load_unaligned_v<8>(values + 2 * i, 2));
  }
}

// Even lanes of both vectors before the odd ones, by the mode's name and by its number
void reordered(int16_t *in, int16_t *out) {
  v32int16 a = *(v32int16 *)in, b = *(v32int16 *)(in + 32);
  *(v32int16 *)out = shuffle(a, b, T16_32x2_lo);
  *(v32int16 *)(out + 32) = shuffle(a, b, 3);
}

// out = |x - y|, and lanes of x as bytes without sign; masks where x < y, x > 0, x == 0
void lanes(int16_t *x, int16_t *y, int16_t *out, uint8_t *bytes, uint32_t *masks) {
  v32int16 a = *(v32int16 *)x, b = *(v32int16 *)y;
  unsigned below, positive;
  v32int16 difference = sub_lt(a, b, below);
  *(v32int16 *)out = abs_gtz(difference, positive);
  *(v64uint8 *)bytes = (v64uint8)a;
  masks[0] = below, masks[1] = gtz(a), masks[2] = eqz(difference) | ltz(a);
}
}
