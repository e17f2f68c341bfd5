// RUN: allo-opt %s --air-hoist-channels-in-accum-pattern | filecheck %s

// One herd fills what goes to L2, for the other to begin with: the other fills it, and the first goes with its transfers.

// CHECK-LABEL: func.func @matmul
// CHECK-NOT:   @channel_0[
// CHECK-NOT:   @channel_6[
// CHECK-NOT:   air.herd @herd_0
// CHECK:       air.herd @herd_1
// CHECK:         %[[Z:.*]] = arith.constant 0 : i32
// CHECK:         linalg.fill ins(%[[Z]]
// CHECK:         scf.for
// CHECK:         scf.yield
// CHECK:         air.channel.put {{.*}} @channel_7
#map = affine_map<()[s0] -> (s0 * 16)>
#map1 = affine_map<()[s0] -> (s0 * 8)>
#set = affine_set<()[s0, s1] : (s0 >= 0, -s0 + 1 >= 0, s1 == 0)>
#set1 = affine_set<()[s0, s1] : (s0 >= 0, -s0 + 1 >= 0, s1 - 1 == 0)>
module {
  air.channel @channel_0 [2, 2]
  air.channel @channel_1 []
  air.channel @channel_2 []
  air.channel @channel_3 [2, 2]
  air.channel @channel_4 [1, 1] {broadcast_shape = [2, 1]}
  air.channel @channel_5 [1, 1] {broadcast_shape = [2, 1]}
  air.channel @channel_6 [2, 2]
  air.channel @channel_7 [2, 2]
  air.channel @channel_8 []
  func.func @matmul(%arg0: memref<16x24xi8>, %arg1: memref<24x16xi8>, %arg2: memref<16x16xi32>) {
    %c1 = arith.constant 1 : index
    %0 = air.launch async (%arg3, %arg4) in (%arg5=%c1, %arg6=%c1) args(%arg7=%arg0, %arg8=%arg1, %arg9=%arg2) : memref<16x24xi8>, memref<24x16xi8>, memref<16x16xi32> attributes {id = 1 : i32} {
      %c1_0 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c0 = arith.constant 0 : index
      %c24 = arith.constant 24 : index
      %c8 = arith.constant 8 : index
      %1 = air.wait_all async
      %2 = affine.apply #map()[%arg3]
      %3 = scf.for %arg10 = %c0 to %c24 step %c8 iter_args(%arg11 = %1) -> (!air.async.token) {
        %9 = air.channel.put async [%arg11] @channel_1[] (%arg7[%2, %arg10] [%c16, %c8] [%c24, %c1_0]) {id = 1 : i32} : (memref<16x24xi8>)
        scf.yield %9 : !air.async.token
      }
      %4 = air.wait_all async
      %5 = affine.apply #map()[%arg4]
      %6 = scf.for %arg10 = %c0 to %c24 step %c8 iter_args(%arg11 = %4) -> (!air.async.token) {
        %9 = air.channel.put async [%arg11] @channel_2[] (%arg8[%arg10, %5] [%c8, %c16] [%c16, %c1_0]) {id = 2 : i32} : (memref<24x16xi8>)
        scf.yield %9 : !air.async.token
      }
      %7 = air.channel.get async @channel_8[] (%arg9[%2, %5] [%c16, %c16] [%c16, %c1_0]) {id = 3 : i32} : (memref<16x16xi32>)
      %8 = air.segment @matmul_0 async attributes {id = 2 : i32} {
        %c2 = arith.constant 2 : index
        %c1_1 = arith.constant 1 : index
        %c16_2 = arith.constant 16 : index
        %c0_3 = arith.constant 0 : index
        %c24_4 = arith.constant 24 : index
        %c8_5 = arith.constant 8 : index
        %async_token, %results = air.execute -> (memref<16x16xi32, 1>) {
          %alloc = memref.alloc() : memref<16x16xi32, 1>
          air.execute_terminator %alloc : memref<16x16xi32, 1>
        }
        %9 = scf.parallel (%arg10, %arg11) = (%c0_3, %c0_3) to (%c2, %c2) step (%c1_1, %c1_1) init (%async_token) -> !air.async.token {
          %17 = affine.apply #map1()[%arg10]
          %18 = affine.apply #map1()[%arg11]
          %19 = air.channel.get async [%async_token] @channel_0[%arg10, %arg11] (%results[%17, %18] [%c8_5, %c8_5] [%c16_2, %c1_1]) {id = 4 : i32} : (memref<16x16xi32, 1>)
          scf.reduce(%19 : !air.async.token) {
          ^bb0(%arg12: !air.async.token, %arg13: !air.async.token):
            %20 = air.wait_all async [%arg12, %arg13]
            scf.reduce.return %20 : !air.async.token
          }
        }
        %10 = air.herd @herd_0 async [%async_token] tile (%arg10, %arg11) in (%arg12=%c2, %arg13=%c2) attributes {id = 3 : i32} {
          %c0_i32 = arith.constant 0 : i32
          %async_token_0, %results_1 = air.execute -> (memref<8x8xi32, 2>) {
            %alloc = memref.alloc() : memref<8x8xi32, 2>
            air.execute_terminator %alloc : memref<8x8xi32, 2>
          }
          %async_token_2 = air.execute [%async_token_0] {
            linalg.fill ins(%c0_i32 : i32) outs(%results_1 : memref<8x8xi32, 2>)
          }
          %17 = air.channel.put async [%async_token_2] @channel_0[%arg10, %arg11] (%results_1[] [] []) {id = 5 : i32} : (memref<8x8xi32, 2>)
          %async_token_3 = air.execute [%17] {
            memref.dealloc %results_1 : memref<8x8xi32, 2>
          }
        }
        %11 = air.wait_all async [%10, %9]
        %12 = scf.for %arg10 = %c0_3 to %c24_4 step %c8_5 iter_args(%arg11 = %11) -> (!air.async.token) {
          %async_token_4, %results_5 = air.execute -> (memref<16x8xi8, 1>) {
            %alloc = memref.alloc() : memref<16x8xi8, 1>
            air.execute_terminator %alloc : memref<16x8xi8, 1>
          }
          %17 = air.channel.get async [%arg11, %async_token_4] @channel_1[] (%results_5[] [] []) {id = 6 : i32} : (memref<16x8xi8, 1>)
          %18 = scf.parallel (%arg12, %arg13) = (%c0_3, %c0_3) to (%c2, %c2) step (%c1_1, %c1_1) init (%17) -> !air.async.token {
            %19 = affine.apply #map1()[%arg12]
            %20 = air.channel.put async [%17] @channel_3[%arg12, %arg13] (%results_5[%19, %c0_3] [%c8_5, %c8_5] [%c8_5, %c1_1]) {id = 8 : i32} : (memref<16x8xi8, 1>)
            scf.reduce(%20 : !air.async.token) {
            ^bb0(%arg14: !air.async.token, %arg15: !air.async.token):
              %21 = air.wait_all async [%arg14, %arg15]
              scf.reduce.return %21 : !air.async.token
            }
          }
          %async_token_6 = air.execute [%18] {
            memref.dealloc %results_5 : memref<16x8xi8, 1>
          }
          scf.yield %async_token_6 : !air.async.token
        }
        %13 = scf.for %arg10 = %c0_3 to %c24_4 step %c8_5 iter_args(%arg11 = %11) -> (!air.async.token) {
          %async_token_7, %results_8 = air.execute -> (memref<8x16xi8, 1>) {
            %alloc = memref.alloc() : memref<8x16xi8, 1>
            air.execute_terminator %alloc : memref<8x16xi8, 1>
          }
          %17 = air.channel.get async [%arg11, %async_token_7] @channel_2[] (%results_8[] [] []) {id = 7 : i32} : (memref<8x16xi8, 1>)
          %18 = air.channel.put async [%17] @channel_4[] (%results_8[%c0_3, %c0_3] [%c8_5, %c8_5] [%c16_2, %c1_1]) {broadcast_set = #set, id = 9 : i32} : (memref<8x16xi8, 1>)
          %19 = air.channel.put async [%17] @channel_5[] (%results_8[%c0_3, %c8_5] [%c8_5, %c8_5] [%c16_2, %c1_1]) {broadcast_set = #set1, id = 10 : i32} : (memref<8x16xi8, 1>)
          %async_token_9 = air.execute [%18, %19] {
            memref.dealloc %results_8 : memref<8x16xi8, 1>
          }
          scf.yield %async_token_9 : !air.async.token
        }
        %14 = scf.for %arg10 = %c0_3 to %c24_4 step %c8_5 iter_args(%arg11 = %11) -> (!air.async.token) {
          %17 = scf.parallel (%arg12, %arg13) = (%c0_3, %c0_3) to (%c2, %c2) step (%c1_1, %c1_1) init (%arg11) -> !air.async.token {
            %20 = affine.apply #map1()[%arg12]
            %21 = affine.apply #map1()[%arg13]
            %22 = air.channel.put async [%arg11] @channel_6[%arg12, %arg13] (%results[%20, %21] [%c8_5, %c8_5] [%c16_2, %c1_1]) {id = 11 : i32} : (memref<16x16xi32, 1>)
            scf.reduce(%22 : !air.async.token) {
            ^bb0(%arg14: !air.async.token, %arg15: !air.async.token):
              %23 = air.wait_all async [%arg14, %arg15]
              scf.reduce.return %23 : !air.async.token
            }
          }
          %18 = scf.parallel (%arg12, %arg13) = (%c0_3, %c0_3) to (%c2, %c2) step (%c1_1, %c1_1) init (%arg11) -> !air.async.token {
            %20 = affine.apply #map1()[%arg12]
            %21 = affine.apply #map1()[%arg13]
            %22 = air.channel.get async [%arg11] @channel_7[%arg12, %arg13] (%results[%20, %21] [%c8_5, %c8_5] [%c16_2, %c1_1]) {id = 12 : i32} : (memref<16x16xi32, 1>)
            scf.reduce(%22 : !air.async.token) {
            ^bb0(%arg14: !air.async.token, %arg15: !air.async.token):
              %23 = air.wait_all async [%arg14, %arg15]
              scf.reduce.return %23 : !air.async.token
            }
          }
          %19 = air.wait_all async [%17, %18]
          scf.yield %19 : !air.async.token
        }
        %15 = air.herd @herd_1 async [%10, %9] tile (%arg10, %arg11) in (%arg12=%c2, %arg13=%c2) attributes {id = 4 : i32} {
          %c0_6 = arith.constant 0 : index
          %c24_7 = arith.constant 24 : index
          %c8_8 = arith.constant 8 : index
          %17 = air.wait_all async
          %18 = scf.for %arg14 = %c0_6 to %c24_7 step %c8_8 iter_args(%arg15 = %17) -> (!air.async.token) {
            %async_token_10, %results_11 = air.execute -> (memref<8x8xi8, 2>) {
              %alloc = memref.alloc() : memref<8x8xi8, 2>
              air.execute_terminator %alloc : memref<8x8xi8, 2>
            }
            %async_token_12, %results_13 = air.execute -> (memref<8x8xi8, 2>) {
              %alloc = memref.alloc() : memref<8x8xi8, 2>
              air.execute_terminator %alloc : memref<8x8xi8, 2>
            }
            %async_token_14, %results_15 = air.execute -> (memref<8x8xi32, 2>) {
              %alloc = memref.alloc() : memref<8x8xi32, 2>
              air.execute_terminator %alloc : memref<8x8xi32, 2>
            }
            %19 = air.channel.get async [%async_token_10, %arg15] @channel_3[%arg10, %arg11] (%results_11[] [] []) {id = 13 : i32} : (memref<8x8xi8, 2>)
            %20 = affine.if #set()[%arg10, %arg11] -> !air.async.token {
              %24 = air.channel.get async [%async_token_12, %arg15] @channel_4[%arg10, %arg11] (%results_13[] [] []) {id = 14 : i32} : (memref<8x8xi8, 2>)
              affine.yield %24 : !air.async.token
            } else {
              %24 = air.channel.get async [%async_token_12, %arg15] @channel_5[%arg10, %arg11] (%results_13[] [] []) {id = 15 : i32} : (memref<8x8xi8, 2>)
              affine.yield %24 : !air.async.token
            }
            %21 = air.channel.get async [%async_token_14, %arg15] @channel_6[%arg10, %arg11] (%results_15[] [] []) {id = 16 : i32} : (memref<8x8xi32, 2>)
            %async_token_16 = air.execute [%19, %20, %21] {
              linalg.matmul ins(%results_11, %results_13 : memref<8x8xi8, 2>, memref<8x8xi8, 2>) outs(%results_15 : memref<8x8xi32, 2>)
            }
            %22 = air.channel.put async [%async_token_16] @channel_7[%arg10, %arg11] (%results_15[] [] []) {id = 17 : i32} : (memref<8x8xi32, 2>)
            %async_token_17 = air.execute [%async_token_16] {
              memref.dealloc %results_11 : memref<8x8xi8, 2>
            }
            %async_token_18 = air.execute [%async_token_16] {
              memref.dealloc %results_13 : memref<8x8xi8, 2>
            }
            %async_token_19 = air.execute [%22] {
              memref.dealloc %results_15 : memref<8x8xi32, 2>
            }
            %23 = air.wait_all async [%async_token_17, %async_token_18, %async_token_19]
            scf.yield %23 : !air.async.token
          }
        }
        %16 = air.channel.put async [%12, %13, %14, %15] @channel_8[] (%results[] [] []) {id = 18 : i32} : (memref<16x16xi32, 1>)
        %async_token_20 = air.execute [%16] {
          memref.dealloc %results : memref<16x16xi32, 1>
        }
      }
    }
    return
  }
}
