// RUN: allo-opt --syntax=2026-03 %s | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-debuginfo | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIR: asynchronous.

#map = affine_map<(d0) -> (d0 * 32)>
#map1 = affine_map<()[s0] -> (s0 * 64)>
#set = affine_set<()[s0, s1] : (s0 == 0, s1 >= 0, -s1 + 3 >= 0)>
#set1 = affine_set<(d0, d1)[s0] : (d0 - s0 == 0, d1 >= 0)>
module {
  air.channel @channel_0 [1, 1]
  air.channel @channel_1 [1, 4] {broadcast_shape = [4, 4]}
  air.channel @c2 []
  air.channel @c3 [2] {channel_type = "npu_cascade"}
  air.channel @c4 [2,1] {broadcast_shape = [2 : index, 4 : index], channel_type = "dma_packet"}
  air.channel @c5 [] {channel_type="npu_dma_stream"}
  func.func @f(%arg0: memref<64x64xbf16>, %arg1: memref<*xf32>, %arg2: memref<?x?xf32>) {
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    air.launch () in () {
    }
    air.launch @empty () in ()
    air.launch (%x) in (%sx=%c4) args(%a=%arg0) : memref<64x64xbf16> attributes {id = 7 : i32} {
      air.launch_terminator
    }
    %t = air.wait_all async
    %0 = air.launch @l async [%t] (%arg3, %arg4) in (%arg5=%c1, %arg6=%c1) args(%arg7=%arg0, %arg8=%arg1, %z=%arg2) : memref<64x64xbf16>, memref<*xf32>, memref<?x?xf32> attributes {id = 1 : i32} {
      %1 = air.segment @seg async [] unroll(%u, %v) in (%su=%arg5, %sv=%arg6) args(%arg9=%arg7, %q=%arg8) : memref<64x64xbf16>, memref<*xf32> attributes {id = 2 : i32, x_loc = 0 : i64} {
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %c32 = arith.constant 32 : index
        %c2 = arith.constant 2 : index
        %async_token, %results:2 = air.execute -> (memref<32x32xbf16, 1>, index) {
          %alloc = memref.alloc() : memref<32x32xbf16, 1>
          air.execute_terminator %alloc, %c0 : memref<32x32xbf16, 1>, index
        } {id = 4 : i32}
        %e5, %r5, %r6 = air.execute[%async_token] -> (memref<32x32xbf16, 1 : i32>, i32) {
          %alloc = memref.alloc() : memref<32x32xbf16, 1 : i32>
          %i = arith.constant 3 : i32
          air.execute_terminator %alloc, %i : memref<32x32xbf16, 1 : i32>, i32
        }
        %hh = memref.alloc() : memref<index, 1>
        %e9 = air.execute {
        }
        %e10 = air.execute [%e9, %e5] {
          memref.store %c0, %hh[] : memref<index, 1>
          air.execute_terminator
        }
        %2 = air.channel.put async [%async_token, %e9] @channel_0[%c0, %c0] (%results#0[%c0, %c0] [%c32, %c32] [%c32, %c1_0]) {id = 1 : i32} : (memref<32x32xbf16, 1>)
        %3 = air.herd @herd_0 async [%2] tile (%arg10, %arg11) in (%arg12=%c2, %arg13=%c2) args(%arg14=%arg9) : memref<64x64xbf16> attributes {link_with = "mm.o", x_loc = 0 : i64} {
          %c0_1 = arith.constant 0 : index
          %cst = arith.constant 0.0 : bf16
          %alloc = memref.alloc() : memref<32x32xbf16, 2>
          air.dma_memcpy_nd (%alloc[] [] [], %arg14[%arg10, %arg11] [%arg12, %arg13] [%arg12, %arg13]) {id = 3 : i32} : (memref<32x32xbf16, 2>, memref<64x64xbf16>)
          air.dma_memcpy_nd (%alloc[0, 0] [32, 32] [32, 1], %arg14[%arg10, 0] [32, 32] [64, 1]) {id = 3 : i32} : (memref<32x32xbf16, 2>, memref<64x64xbf16>)
          %d = air.dma_memcpy_nd async (%alloc[][][], %arg14[][][]) : (memref<32x32xbf16, 2>, memref<64x64xbf16>)
          %d2 = air.dma_memcpy_nd async [%d] (%alloc[%c0_1] [%c0_1] [%c0_1], %arg14[%c0_1, %c0_1, %c0_1, %c0_1] [%c0_1, %c0_1, %c0_1, %c0_1] [%c0_1, %c0_1, %c0_1, %c0_1]) {broadcast_pattern = #set, id = 9 : i32} : (memref<32x32xbf16, 2>, memref<64x64xbf16>)
          affine.if #set()[%arg10, %arg11] {
            %5 = air.channel.get async [%d2] @channel_1[%arg10, %arg11] (%alloc[] [] []) : (memref<32x32xbf16, 2>)
          } else {
            air.channel.get @channel_1[%arg10, %arg11] (%alloc[] [] []) : (memref<32x32xbf16, 2>)
          }
          %6 = affine.if #set1(%arg10, %arg11)[%arg12] -> !air.async.token {
            %7 = air.wait_all async [%d]
            affine.yield %7 : !air.async.token
          } else {
            %7 = air.wait_all async [%d, %d2] {id = 3 : i32}
            affine.yield %7 : !air.async.token
          }
          %8 = scf.for %i = %c0_1 to %arg12 step %arg13 iter_args(%tok = %6) -> (!air.async.token) {
            %9 = affine.apply #map(%i)
            %10 = air.execute [%tok] {
              linalg.fill ins(%cst : bf16) outs(%alloc : memref<32x32xbf16, 2>)
            }
            scf.yield %10 : !air.async.token
          }
          %s = scf.parallel (%i, %j) = (%c0_1, %c0_1) to (%arg12, %arg13) step (%arg12, %arg12) init (%8) -> !air.async.token {
            %w = air.wait_all async [%8]
            scf.reduce(%w : !air.async.token) {
            ^bb0(%l: !air.async.token, %r: !air.async.token):
              %k = air.wait_all async [%l, %r]
              scf.reduce.return %k : !air.async.token
            }
          }
          affine.for %i = 0 to 32 {
            affine.for %j = 0 to 32 step 4 {
              %v0 = affine.load %alloc[%i, %j] : memref<32x32xbf16, 2>
              affine.store %v0, %alloc[%i, %j + 1] : memref<32x32xbf16, 2>
              %v1 = affine.load %alloc[%arg10 * 8, symbol(%arg11) + 1] : memref<32x32xbf16, 2>
            }
          }
          affine.parallel (%i) = (0) to (4) { %v0 = affine.load %alloc[%i, %i] : memref<32x32xbf16, 2> }
          memref.dealloc %alloc : memref<32x32xbf16, 2>
          air.herd_terminator
        }
        %4 = air.wait_all async [%3]
        air.wait_all [%4, %3]
        air.wait_all
      }
    }
    air.wait_all [%0]
    air.custom operands (%c4) : index attributes {foo = "bar"}
    %cu = air.custom @sym async [%0] operands (%c4, %c1) : index, index
    %cv = air.custom async [%0]
    air.custom
    return
  }
}

// CHECK: air.channel @channel_0 [1, 1]
// CHECK: air.channel @channel_1 [1, 4] {broadcast_shape = [4, 4]}
// CHECK: air.channel @c2 []
// CHECK: air.channel @c3 [2] {channel_type = "cascade"}
// CHECK: air.channel @c4 [2, 1] {broadcast_shape = [2 : index, 4 : index], channel_type = "dma_packet"}
// CHECK: air.channel @c5 []
// CHECK: air.launch () in () {
// CHECK: air.launch @empty() in () {
// CHECK: air.launch (%arg3) in (%arg4=%c4) args(%arg5=%arg0) : memref<64x64xbf16> attributes {id = 7 : i32} {
// CHECK: %0 = air.wait_all async
// CHECK: %1 = air.launch @l async [%0] (%arg3, %arg4) in (%arg5=%c1, %arg6=%c1) args(%arg7=%arg0, %arg8=%arg1, %arg9=%arg2) : memref<64x64xbf16>, memref<*xf32>, memref<?x?xf32> attributes {id = 1 : i32} {
// CHECK: %4 = air.segment @seg async unroll(%arg10, %arg11) in (%arg12=%arg5, %arg13=%arg6) args(%arg14=%arg7, %arg15=%arg8) : memref<64x64xbf16>, memref<*xf32> attributes {id = 2 : i32, x_loc = 0 : i64} {
// CHECK: %async_token, %results, %results_0 = air.execute -> (memref<32x32xbf16, 1>, index) {
// CHECK: air.execute_terminator %alloc_1, %c0 : memref<32x32xbf16, 1>, index
// CHECK: %async_token_1, %results_2, %results_3 = air.execute [%async_token] -> (memref<32x32xbf16, 1 : i32>, i32) {
// CHECK: air.execute_terminator %alloc_1, %c3_i32 : memref<32x32xbf16, 1 : i32>, i32
// CHECK: %async_token_4 = air.execute {
// CHECK: %async_token_5 = air.execute [%async_token_4, %async_token_1] {
// CHECK: %5 = air.channel.put async [%async_token, %async_token_4] @channel_0[%c0, %c0] (%results[%c0, %c0] [%c32, %c32] [%c32, %c1_0]) {id = 1 : i32} : (memref<32x32xbf16, 1>)
// CHECK: %6 = air.herd @herd_0 async [%5] tile (%arg16, %arg17) in (%arg18=%c2, %arg19=%c2) args(%arg20=%arg14) : memref<64x64xbf16> attributes {link_with = "mm.o", x_loc = 0 : i64} {
// CHECK: air.dma_memcpy_nd (%alloc_2[] [] [], %arg20[%arg16, %arg17] [%arg18, %arg19] [%arg18, %arg19]) {id = 3 : i32} : (memref<32x32xbf16, 2>, memref<64x64xbf16>)
// CHECK: air.dma_memcpy_nd (%alloc_2[%c0_3, %c0_4] [%c32_5, %c32_6] [%c32_7, %c1_8], %arg20[%arg16, %c0_9] [%c32_10, %c32_11] [%c64, %c1_12]) {id = 3 : i32} : (memref<32x32xbf16, 2>, memref<64x64xbf16>)
// CHECK: %8 = air.dma_memcpy_nd async (%alloc_2[] [] [], %arg20[] [] []) : (memref<32x32xbf16, 2>, memref<64x64xbf16>)
// CHECK: %9 = air.dma_memcpy_nd async [%8] (%alloc_2[%c0_1] [%c0_1] [%c0_1], %arg20[%c0_1, %c0_1, %c0_1, %c0_1] [%c0_1, %c0_1, %c0_1, %c0_1] [%c0_1, %c0_1, %c0_1, %c0_1]) {broadcast_pattern = #set, id = 9 : i32} : (memref<32x32xbf16, 2>, memref<64x64xbf16>)
// CHECK: affine.if #set()[%arg16, %arg17] {
// CHECK: %13 = air.channel.get async [%9] @channel_1[%arg16, %arg17] (%alloc_2[] [] []) : (memref<32x32xbf16, 2>)
// CHECK: air.channel.get @channel_1[%arg16, %arg17] (%alloc_2[] [] []) : (memref<32x32xbf16, 2>)
// CHECK: %10 = affine.if #set1(%arg16, %arg17)[%arg18] -> !air.async.token {
// CHECK: %13 = air.wait_all async [%8]
// CHECK: affine.yield %13 : !air.async.token
// CHECK: %13 = air.wait_all async [%8, %9] {id = 3 : i32}
// CHECK: affine.yield %13 : !air.async.token
// CHECK: %11 = scf.for %arg21 = %c0_1 to %arg18 step %arg19 iter_args(%arg22 = %10) -> (!air.async.token) {
// CHECK: %13 = affine.apply #map(%arg21)
// CHECK: %async_token_6 = air.execute [%arg22] {
// CHECK: scf.yield %async_token_6 : !air.async.token
// CHECK: %12 = scf.parallel (%arg21, %arg22) = (%c0_1, %c0_1) to (%arg18, %arg19) step (%arg18, %arg18) init (%11) -> !air.async.token {
// CHECK: %13 = air.wait_all async [%11]
// CHECK: scf.reduce(%13 : !air.async.token) {
// CHECK: ^bb0(%arg23: !air.async.token, %arg24: !air.async.token):
// CHECK: %14 = air.wait_all async [%arg23, %arg24]
// CHECK: scf.reduce.return %14 : !air.async.token
// CHECK: affine.for %arg21 = 0 to 32 {
// CHECK: affine.for %arg22 = 0 to 32 step 4 {
// CHECK: %14 = affine.apply #map1(%arg22)
// CHECK: %15 = affine.apply #map2(%arg16)
// CHECK: %16 = affine.apply #map1(%arg17)
// CHECK: affine.parallel (%arg21) = (0) to (4) {
// CHECK: %7 = air.wait_all async [%6]
// CHECK: air.wait_all [%7, %6]
// CHECK: air.wait_all
// CHECK: air.wait_all [%1]
// CHECK: air.custom operands (%c4) : index attributes {foo = "bar"}
// CHECK: %2 = air.custom @sym async [%1] operands (%c4, %c1) : index, index
// CHECK: %3 = air.custom async [%1]
// CHECK: air.custom

// GENERIC: "air.channel"() <{channel_type = "dma_stream", size = [1, 1], sym_name = "channel_0"}> : () -> ()
// GENERIC: "air.launch"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> ({
// GENERIC: "air.launch_terminator"() : () -> ()
// GENERIC: "air.wait_all"() : () -> !air.async.token
// GENERIC: "air.segment"(%arg5, %arg6, %arg7, %arg8) <{sym_name = "seg", operandSegmentSizes = array<i32: 0, 2, 2>}> ({
// GENERIC: "air.execute"() ({
// GENERIC: "air.execute_terminator"(%53, %7) : (memref<32x32xbf16, 1>, index) -> ()
// GENERIC: "air.channel.put"(%11#0, %14, %7, %7, %11#1, %7, %7, %9, %9, %9, %8) <{chan_name = @channel_0, operandSegmentSizes = array<i32: 2, 2, 1, 2, 2, 2>}> {id = 1 : i32} : (!air.async.token, !air.async.token, index, index, memref<32x32xbf16, 1>, index, index, index, index, index, index) -> !air.async.token
// GENERIC: "air.herd"(%16, %10, %10, %arg14) <{link_with = "mm.o", sym_name = "herd_0", operandSegmentSizes = array<i32: 1, 2, 1>}> ({
// GENERIC: "air.dma_memcpy_nd"(%21, %arg20, %arg16, %arg17, %arg18, %arg19, %arg18, %arg19) <{operandSegmentSizes = array<i32: 0, 1, 0, 0, 0, 1, 2, 2, 2>}> {id = 3 : i32} : (memref<32x32xbf16, 2>, memref<64x64xbf16>, index, index, index, index, index, index) -> ()
// GENERIC: "air.channel.get"(%34, %arg16, %arg17, %21) <{chan_name = @channel_1, operandSegmentSizes = array<i32: 1, 2, 1, 0, 0, 0>}> : (!air.async.token, index, index, memref<32x32xbf16, 2>) -> !air.async.token
// GENERIC: "air.herd_terminator"() : () -> ()
// GENERIC: "air.segment_terminator"() : () -> ()
// GENERIC: "air.custom"(%0) <{operandSegmentSizes = array<i32: 0, 1>}> {foo = "bar"} : (index) -> ()
