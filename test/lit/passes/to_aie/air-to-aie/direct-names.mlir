// RUN: allo-opt %s --split-input-file --air-to-aie='device=npu1_1col row-offset=2 col-offset=0 logical-tiles=false use-lock-race-condition-fix=true' | filecheck %s

// A copy in an unrolled segment has the shims of all its instances.
// CHECK: aie.device(npu1_1col) @seg_0_0
// CHECK: aie.device(npu1_1col) @seg_1_0
// CHECK: air.dma_memcpy_nd {{.*}} {id = 4 : i32, metadataArray = [{base = "airMemcpyId4_0_0", index = 0 : i32}, {base = "airMemcpyId4_1_0_0", index = 1 : i32}]}
// CHECK: air.dma_memcpy_nd {{.*}} {id = 5 : i32, metadataArray = [{base = "airMemcpyId5_0_0", index = 0 : i32}, {base = "airMemcpyId5_1_0_0", index = 1 : i32}]}
  func.func @f(%m: memref<16xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%i) in (%n=%c1) args(%lm=%m) : memref<16xi32> {
      %c2 = arith.constant 2 : index
      %c1_0 = arith.constant 1 : index
      air.segment @seg unroll(%sx, %sy) in (%nx=%c2, %ny=%c1_0) args(%sm=%lm) : memref<16xi32> {
        %c1_1 = arith.constant 1 : index
        air.herd @h tile (%x, %y) in (%hx=%c1_1, %hy=%c1_1) args(%hm=%sm) : memref<16xi32> {
          %b = memref.alloc() : memref<16xi32, 2>
          air.dma_memcpy_nd (%b[] [] [], %hm[] [] []) {id = 4 : i32} : (memref<16xi32, 2>, memref<16xi32>)
          air.dma_memcpy_nd (%hm[] [] [], %b[] [] []) {id = 5 : i32} : (memref<16xi32>, memref<16xi32, 2>)
          memref.dealloc %b : memref<16xi32, 2>
        }
      }
    }
    return
  }

// -----

// However many channels are called so already, a free name is found.
// CHECK: aie.shim_dma_allocation @airMemcpyId4_copy2(
// CHECK: air.dma_memcpy_nd {{.*}} {id = 4 : i32, metadataArray = [{base = "airMemcpyId4_copy2", index = 0 : i32}]}
  air.channel @airMemcpyId4 []
  air.channel @airMemcpyId4_copy0 []
  air.channel @airMemcpyId4_copy1 []
  func.func @f(%m: memref<16xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%i) in (%n=%c1) args(%lm=%m) : memref<16xi32> {
      %c2 = arith.constant 2 : index
      %c1_0 = arith.constant 1 : index
      air.segment @seg args(%sm=%lm) : memref<16xi32> {
        %c1_1 = arith.constant 1 : index
        air.herd @h tile (%x, %y) in (%hx=%c1_1, %hy=%c1_1) args(%hm=%sm) : memref<16xi32> {
          %b = memref.alloc() : memref<16xi32, 2>
          air.dma_memcpy_nd (%b[] [] [], %hm[] [] []) {id = 4 : i32} : (memref<16xi32, 2>, memref<16xi32>)
          air.dma_memcpy_nd (%hm[] [] [], %b[] [] []) {id = 5 : i32} : (memref<16xi32>, memref<16xi32, 2>)
          memref.dealloc %b : memref<16xi32, 2>
        }
      }
    }
    return
  }
