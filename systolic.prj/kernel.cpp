//===------------------------------------------------------------*- C++ -*-===//
//
// Automatically generated file for High-level Synthesis (HLS).
//
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <ap_axi_sdata.h>
#include <ap_fixed.h>
#include <ap_int.h>
#include <hls_math.h>
#include <hls_stream.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
using namespace std;
extern "C" {

void element_0_0(
  int16_t v0[6][5],
  int16_t v1[5][4],
  int32_t v2[6][4],
  hls::stream< int16_t > &systolic_right_0_1,
  hls::stream< int16_t > &systolic_down_1_0
) {
  int16_t y;
  int16_t x;
  int32_t total;
  l_S_m_n_0_m: for (int m = 0; m < 2; m++) {
    l_n: for (int n = 0; n < 2; n++) {
      total = 0;
      l_S_k_0_k: for (int k = 0; k < 5; k++) {
        x = 0;
        y = 0;
        int16_t v3 = v0[m * 3][k];
        x = v3;
        int16_t v4 = v1[k][n * 2];
        y = v4;
        int32_t v5 = total;
        int16_t v6 = x;
        int16_t v7 = y;
        int16_t v8 = v6 * v7;
        int32_t v9 = v8;
        int32_t v10 = v5 + v9;
        total = v10;
        int16_t v11 = x;
        int16_t v12[2];
        for (int v13 = 0; v13 < 2; v13++) {
          v12[v13] = v11;
        }
        systolic_right_0_1.write(v12[0]);
        int16_t v14 = y;
        int16_t v15[2];
        for (int v16 = 0; v16 < 2; v16++) {
          v15[v16] = v14;
        }
        systolic_down_1_0.write(v15[0]);
      }
      int32_t v17 = total;
      v2[m * 3][n * 2] = v17;
    }
  }
}

void element_0_1(
  int16_t v0[6][5],
  int16_t v1[5][4],
  int32_t v2[6][4],
  hls::stream< int16_t > &systolic_right_0_1,
  hls::stream< int16_t > &systolic_down_1_1
) {
  int16_t y;
  int16_t x;
  int32_t total;
  l_S_m_n_1_m: for (int m = 0; m < 2; m++) {
    l_n: for (int n = 0; n < 2; n++) {
      total = 0;
      l_S_k_1_k: for (int k = 0; k < 5; k++) {
        x = 0;
        y = 0;
        int16_t v3[2];
        v3[0] = systolic_right_0_1.read();
        int16_t v4 = v3[0];
        x = v4;
        int16_t v5 = v1[k][(n * 2) + 1];
        y = v5;
        int32_t v6 = total;
        int16_t v7 = x;
        int16_t v8 = y;
        int16_t v9 = v7 * v8;
        int32_t v10 = v9;
        int32_t v11 = v6 + v10;
        total = v11;
        int16_t v12 = y;
        int16_t v13[2];
        for (int v14 = 0; v14 < 2; v14++) {
          v13[v14] = v12;
        }
        systolic_down_1_1.write(v13[0]);
      }
      int32_t v15 = total;
      v2[m * 3][(n * 2) + 1] = v15;
    }
  }
}

void element_1_0(
  int16_t v0[6][5],
  int16_t v1[5][4],
  int32_t v2[6][4],
  hls::stream< int16_t > &systolic_down_1_0,
  hls::stream< int16_t > &systolic_right_1_1,
  hls::stream< int16_t > &systolic_down_2_0
) {
  int16_t y;
  int16_t x;
  int32_t total;
  l_S_m_n_2_m: for (int m = 0; m < 2; m++) {
    l_n: for (int n = 0; n < 2; n++) {
      total = 0;
      l_S_k_2_k: for (int k = 0; k < 5; k++) {
        x = 0;
        y = 0;
        int16_t v3 = v0[(m * 3) + 1][k];
        x = v3;
        int16_t v4[2];
        v4[0] = systolic_down_1_0.read();
        int16_t v5 = v4[0];
        y = v5;
        int32_t v6 = total;
        int16_t v7 = x;
        int16_t v8 = y;
        int16_t v9 = v7 * v8;
        int32_t v10 = v9;
        int32_t v11 = v6 + v10;
        total = v11;
        int16_t v12 = x;
        int16_t v13[2];
        for (int v14 = 0; v14 < 2; v14++) {
          v13[v14] = v12;
        }
        systolic_right_1_1.write(v13[0]);
        int16_t v15 = y;
        int16_t v16[2];
        for (int v17 = 0; v17 < 2; v17++) {
          v16[v17] = v15;
        }
        systolic_down_2_0.write(v16[0]);
      }
      int32_t v18 = total;
      v2[(m * 3) + 1][n * 2] = v18;
    }
  }
}

void element_1_1(
  int16_t v0[6][5],
  int16_t v1[5][4],
  int32_t v2[6][4],
  hls::stream< int16_t > &systolic_right_1_1,
  hls::stream< int16_t > &systolic_down_1_1,
  hls::stream< int16_t > &systolic_down_2_1
) {
  int16_t y;
  int16_t x;
  int32_t total;
  l_S_m_n_3_m: for (int m = 0; m < 2; m++) {
    l_n: for (int n = 0; n < 2; n++) {
      total = 0;
      l_S_k_3_k: for (int k = 0; k < 5; k++) {
        x = 0;
        y = 0;
        int16_t v3[2];
        v3[0] = systolic_right_1_1.read();
        int16_t v4 = v3[0];
        x = v4;
        int16_t v5[2];
        v5[0] = systolic_down_1_1.read();
        int16_t v6 = v5[0];
        y = v6;
        int32_t v7 = total;
        int16_t v8 = x;
        int16_t v9 = y;
        int16_t v10 = v8 * v9;
        int32_t v11 = v10;
        int32_t v12 = v7 + v11;
        total = v12;
        int16_t v13 = y;
        int16_t v14[2];
        for (int v15 = 0; v15 < 2; v15++) {
          v14[v15] = v13;
        }
        systolic_down_2_1.write(v14[0]);
      }
      int32_t v16 = total;
      v2[(m * 3) + 1][(n * 2) + 1] = v16;
    }
  }
}

void element_2_0(
  int16_t v0[6][5],
  int16_t v1[5][4],
  int32_t v2[6][4],
  hls::stream< int16_t > &systolic_down_2_0,
  hls::stream< int16_t > &systolic_right_2_1
) {
  int16_t y;
  int16_t x;
  int32_t total;
  l_S_m_n_4_m: for (int m = 0; m < 2; m++) {
    l_n: for (int n = 0; n < 2; n++) {
      total = 0;
      l_S_k_4_k: for (int k = 0; k < 5; k++) {
        x = 0;
        y = 0;
        int16_t v3 = v0[(m * 3) + 2][k];
        x = v3;
        int16_t v4[2];
        v4[0] = systolic_down_2_0.read();
        int16_t v5 = v4[0];
        y = v5;
        int32_t v6 = total;
        int16_t v7 = x;
        int16_t v8 = y;
        int16_t v9 = v7 * v8;
        int32_t v10 = v9;
        int32_t v11 = v6 + v10;
        total = v11;
        int16_t v12 = x;
        int16_t v13[2];
        for (int v14 = 0; v14 < 2; v14++) {
          v13[v14] = v12;
        }
        systolic_right_2_1.write(v13[0]);
      }
      int32_t v15 = total;
      v2[(m * 3) + 2][n * 2] = v15;
    }
  }
}

void element_2_1(
  int16_t v0[6][5],
  int16_t v1[5][4],
  int32_t v2[6][4],
  hls::stream< int16_t > &systolic_right_2_1,
  hls::stream< int16_t > &systolic_down_2_1
) {
  int16_t y;
  int16_t x;
  int32_t total;
  l_S_m_n_5_m: for (int m = 0; m < 2; m++) {
    l_n: for (int n = 0; n < 2; n++) {
      total = 0;
      l_S_k_5_k: for (int k = 0; k < 5; k++) {
        x = 0;
        y = 0;
        int16_t v3[2];
        v3[0] = systolic_right_2_1.read();
        int16_t v4 = v3[0];
        x = v4;
        int16_t v5[2];
        v5[0] = systolic_down_2_1.read();
        int16_t v6 = v5[0];
        y = v6;
        int32_t v7 = total;
        int16_t v8 = x;
        int16_t v9 = y;
        int16_t v10 = v8 * v9;
        int32_t v11 = v10;
        int32_t v12 = v7 + v11;
        total = v12;
      }
      int32_t v13 = total;
      v2[(m * 3) + 2][(n * 2) + 1] = v13;
    }
  }
}

void systolic(
  int16_t v0[6][5],
  int16_t v1[5][4],
  int32_t v2[6][4]
) {
  #pragma HLS dataflow
  #pragma HLS interface m_axi port=v0 offset=slave bundle=gmem0
  #pragma HLS interface m_axi port=v1 offset=slave bundle=gmem1
  #pragma HLS interface m_axi port=v2 offset=slave bundle=gmem2
  hls::stream< int16_t > systolic_right_0_1("systolic_right_0_1");
  #pragma HLS stream variable=systolic_right_0_1 depth=4
  hls::stream< int16_t > systolic_down_1_0("systolic_down_1_0");
  #pragma HLS stream variable=systolic_down_1_0 depth=4
  hls::stream< int16_t > systolic_down_1_1("systolic_down_1_1");
  #pragma HLS stream variable=systolic_down_1_1 depth=4
  hls::stream< int16_t > systolic_right_1_1("systolic_right_1_1");
  #pragma HLS stream variable=systolic_right_1_1 depth=4
  hls::stream< int16_t > systolic_down_2_0("systolic_down_2_0");
  #pragma HLS stream variable=systolic_down_2_0 depth=4
  hls::stream< int16_t > systolic_down_2_1("systolic_down_2_1");
  #pragma HLS stream variable=systolic_down_2_1 depth=4
  hls::stream< int16_t > systolic_right_2_1("systolic_right_2_1");
  #pragma HLS stream variable=systolic_right_2_1 depth=4
  element_0_0(v0, v1, v2, systolic_right_0_1, systolic_down_1_0);
  element_0_1(v0, v1, v2, systolic_right_0_1, systolic_down_1_1);
  element_1_0(v0, v1, v2, systolic_down_1_0, systolic_right_1_1, systolic_down_2_0);
  element_1_1(v0, v1, v2, systolic_right_1_1, systolic_down_1_1, systolic_down_2_1);
  element_2_0(v0, v1, v2, systolic_down_2_0, systolic_right_2_1);
  element_2_1(v0, v1, v2, systolic_right_2_1, systolic_down_2_1);
}

} // extern "C"
