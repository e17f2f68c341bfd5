aie.device(npu1) @s_0_0 {
} {segment_unroll_x = 0 : i64, segment_unroll_y = 0 : i64}
aie.device(npu1) @s_1_0 {
} {segment_unroll_x = 1 : i64, segment_unroll_y = 0 : i64}
