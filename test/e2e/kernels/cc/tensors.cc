// Matrix times vector, a 3x3 convolution in rows of eight channels, i8 x i4 tiles, a transpose by interleaving.
#define NOCPP
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <type_traits>
#include <aie_api/aie.hpp>
#include "aie_kernel_utils.h"

#define REL_WRITE 0
#define REL_READ 1

template <typename T_in, typename T_out, typename T_acc, unsigned m, unsigned k, unsigned r, unsigned s>
void matvec_vectorized(T_in *__restrict a, T_in *__restrict b, T_out *__restrict c) {
  static_assert(m % r == 0 && k % 2 == 0);
  static_assert(s == 8); // s is fixed to 8 because that is the number of column vectors
  static_assert(std::is_same<T_in, bfloat16>::value || std::is_same<T_in, int16_t>::value);
  event0();
  T_in *__restrict a_ptr = a;
  T_in *__restrict b_ptr = b;
  for (int col = 0; col < k; col += 8) {
    aie::vector<T_in, 8> b_vec = aie::load_v<8>(b_ptr);
    T_out *__restrict c_ptr = c;
    for (int row = 0; row < m; row += r)
      chess_loop_range(m / r, ) {
        aie::accum<T_acc, r> c_acc_in;
        c_acc_in.from_vector(aie::load_v<r>(c_ptr));
        const aie::vector<T_in, 2 * r> a_vec_0 = aie::load_v<2 * r>(a_ptr);
        const aie::vector<T_in, 2 * r> a_vec_1 = aie::load_v<2 * r>(a_ptr + 2 * m);
        const aie::vector<T_in, 2 * r> a_vec_2 = aie::load_v<2 * r>(a_ptr + 4 * m);
        const aie::vector<T_in, 2 * r> a_vec_3 = aie::load_v<2 * r>(a_ptr + 6 * m);
        const aie::vector<T_in, r> a_vec_0_0 = aie::filter_even(a_vec_0);
        const aie::vector<T_in, r> a_vec_0_1 = aie::filter_odd(a_vec_0);
        const aie::vector<T_in, r> a_vec_1_0 = aie::filter_even(a_vec_1);
        const aie::vector<T_in, r> a_vec_1_1 = aie::filter_odd(a_vec_1);
        const aie::vector<T_in, r> a_vec_2_0 = aie::filter_even(a_vec_2);
        const aie::vector<T_in, r> a_vec_2_1 = aie::filter_odd(a_vec_2);
        const aie::vector<T_in, r> a_vec_3_0 = aie::filter_even(a_vec_3);
        const aie::vector<T_in, r> a_vec_3_1 = aie::filter_odd(a_vec_3);
        auto c_acc_out = aie::accumulate<r>(c_acc_in, b_vec, 0, a_vec_0_0, a_vec_0_1, a_vec_1_0, a_vec_1_1, a_vec_2_0, a_vec_2_1, a_vec_3_0, a_vec_3_1);
        aie::store_v(c_ptr, c_acc_out.template to_vector<T_out>());
        a_ptr += 2 * r; // Move to next r rows of the same columns in A.
        c_ptr += r;
      }
    a_ptr += 6 * m; // Move to next s columns.
    b_ptr += s;
  }
  event1();
}

// conv2dk3: one middle row of width 32, zero border
void conv2dk3_ui8_vector(uint8_t *line0, uint8_t *line1, uint8_t *line2, int8_t *wts, uint8_t *output, const int32_t input_width, const int32_t input_channels, const int32_t output_channels, const int32_t kernel_width, const int32_t kernel_height, const int32_t check, const int scale, const int channel_offset) {
  event0();
  ::aie::set_saturation(aie::saturation_mode::saturate);
  ::aie::set_rounding(aie::rounding_mode::symmetric_inf);
  const int iw = input_width;
  uint8_t *line[3];
  line[0] = line0;
  line[1] = line1;
  line[2] = line2;
  uint8_t *restrict out_ptr = output;
  aie::vector<uint8, 32> zero = aie::broadcast<uint8, 32>(0);
  using MMUL4x8x8 = aie::mmul<4, 8, 8, uint8, int8>;
  MMUL4x8x8 acc_tmp[8];
  int kernel_height_start = 0, kernel_height_end = kernel_height;
  if (check == 0) kernel_height_start = 1;
  else if (check == 2) kernel_height_end = kernel_height - 1;
  for (int oc = 0; oc < output_channels / 8; oc++) {
    for (int i = 0; i < 8; i++) acc_tmp[i] = aie::zeros<acc32, 32>();
    for (int ic = 0; ic < input_channels / 8; ic++)
      for (int ki = kernel_height_start; ki < kernel_height_end; ki++) {
        int8_t *w = wts + (((oc + channel_offset) * (input_channels / 8) + ic) * 9 + ki * 3) * 64;
        uint8_t *l = line[ki] + ic * iw * 8;
        aie::vector<int8, 64> wtsVec[3];
        for (int kj = 0; kj < 3; kj++) wtsVec[kj] = aie::load_v<64>(w + 64 * kj);
        aie::vector<uint8, 32> prev_a = zero, in_a = aie::load_v<32>(l), next_a;
        aie::vector<uint8, 64> tmp_a = aie::zeros<uint8, 64>();
        for (int x = 0; x < 8; x++)
          chess_prepare_for_pipelining chess_unroll_loop() {
            next_a = x < 7 ? aie::load_v<32>(l + 32 * (x + 1)) : zero;
            tmp_a.insert(0, prev_a);
            tmp_a.insert(1, in_a);
            auto left = aie::shuffle_down(tmp_a, 24).extract<32>(0);
            tmp_a = aie::concat(in_a, next_a);
            aie::vector<uint8, 64> tmp = ::shift_bytes(tmp_a, tmp_a, 8);
            acc_tmp[x].mac(left, wtsVec[0]);
            acc_tmp[x].mac(in_a, wtsVec[1]);
            acc_tmp[x].mac(tmp.extract<32>(0), wtsVec[2]);
            prev_a = in_a;
            in_a = next_a;
          }
      }
    for (int i = 0; i < 8; i++) {
      aie::vector<uint8, 32> o1 = acc_tmp[i].to_vector<uint8>(scale);
      aie::store_v(out_ptr, o1);
      out_ptr += 32;
    }
  }
  event1();
}

// i8 x i4, B packed by two to a byte
template <unsigned M, unsigned K, unsigned N>
void mm_i8_i4(const int8_t *__restrict A, const int8_t *__restrict B, int8_t *__restrict C) {
  using MMUL = aie::mmul<4, 16, 8, int8, int4>;
  for (unsigned z = 0; z < M / 4; z++)
    for (unsigned j = 0; j < N / 8; j++) {
      const int4 *__restrict pB = (const int4 *)(B) ;
      aie::vector<int8, MMUL::size_C> acc_C00 = aie::load_v<MMUL::size_C>(C + (z * (N / 8) + j) * MMUL::size_C);
      MMUL C00(acc_C00);
      for (unsigned i = 0; i < K / 16; i++)
        chess_flatten_loop {
          aie::vector<int8, MMUL::size_A> A0 = aie::load_v<MMUL::size_A>(A + (z * (K / 16) + i) * MMUL::size_A);
          aie::vector<int4, MMUL::size_B> B0 = aie::load_v<MMUL::size_B>((int4 *)(B + (i * (N / 8) + j) * MMUL::size_B / 2));
          C00.mac(A0, B0);
        }
      aie::store_v(C + (z * (N / 8) + j) * MMUL::size_C, C00.template to_vector<int8>(4));
    }
}

template <typename T>
void transpose_16(T *in, T *out) {
  // four 4x16 slices, 16x16 in all
  aie::vector<T, 64> a = aie::load_v<64>(in), b = aie::load_v<64>(in + 64), c = aie::load_v<64>(in + 128), d = aie::load_v<64>(in + 192);
  auto at = aie::transpose(a, 4, 16), bt = aie::transpose(b, 4, 16), ct = aie::transpose(c, 4, 16), dt = aie::transpose(d, 4, 16);
  auto [ab0, ab1] = aie::interleave_zip(at, bt, 4);
  auto [cd0, cd1] = aie::interleave_zip(ct, dt, 4);
  std::tie(a, b) = aie::interleave_zip(ab0, cd0, 8);
  std::tie(c, d) = aie::interleave_zip(ab1, cd1, 8);
  aie::store_v(out, a);
  aie::store_v(out + 64, b);
  aie::store_v(out + 128, c);
  aie::store_v(out + 192, d);
}

extern "C" {
#define combos(X) X(int16_t, i16, int32_t, i32, acc32) X(bfloat16, bf16, float, f32, accfloat)
#define matvec_c_func(in_t, in_s, out_t, out_s, acc_t) \
  void matvec_vectorized_##in_s##_##out_s(in_t *a_in, in_t *b_in, out_t *c_out) { matvec_vectorized<in_t, out_t, acc_t, 32, 32, 16, 8>(a_in, b_in, c_out); }
combos(matvec_c_func)
void conv2dk3_ui8(uint8_t *line0, uint8_t *line1, uint8_t *line2, int8_t *wts, uint8_t *output, const int32_t w, const int32_t ci, const int32_t co, const int32_t kw, const int32_t kh, const int32_t check, const int scale, const int channel_offset) {
  conv2dk3_ui8_vector(line0, line1, line2, wts, output, w, ci, co, kw, kh, check, scale, channel_offset);
}
void matmul_i8_i4(int8_t *a, int8_t *b, int8_t *c) { mm_i8_i4<8, 32, 16>(a, b, c); }
void transpose_i32(int32_t *in, int32_t *out) { transpose_16<int32_t>(in, out); }
}
