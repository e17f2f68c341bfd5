#ifndef KERNEL_H
#define KERNEL_H
#include <algorithm>
#include <ap_axi_sdata.h>
#include <ap_fixed.h>
#include <ap_int.h>
#include <hls_math.h>
#include <hls_stream.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

extern "C" {
void systolic(
  int16_t v0[6][5],
  int16_t v1[5][4],
  int32_t v2[6][4]
);
}

#endif // KERNEL_H
