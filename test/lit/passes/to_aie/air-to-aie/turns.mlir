// RUN: allo-opt --syntax=2026-03 %s --split-input-file --air-to-aie='use-lock-race-condition-fix=true device=npu1' --canonicalize | filecheck %s

// Sixteen steps and two more transfers of as many bytes are more than the DMA of a core has descriptors for: all fill the two
// buffers of the steps by turns. The core reads what is f32 as twice as many bf16, and takes the locks of what it does not read.
// CHECK:       aie.mem(%tile_0_2) {
// CHECK:       aie.dma_start(S2MM, 0,
// CHECK:       aie.dma_bd(%[[A:.*]] : memref<64xbf16, 2>, 0, 64)
// CHECK:       aie.dma_bd(%[[B:.*]] : memref<64xbf16, 2>, 0, 64)
// CHECK-NOT:   aie.dma_bd
// CHECK:       aie.core(%tile_0_2) {
// CHECK:       scf.for
// CHECK:         aie.use_lock(%[[FULL:.*]], AcquireGreaterEqual, 1)
// CHECK:         vector.transfer_read %[[A]]
// CHECK:         aie.use_lock(%[[EMPTY:.*]], Release, 1)
// CHECK:         aie.use_lock(%[[FULL1:.*]], AcquireGreaterEqual, 1)
// CHECK:         vector.transfer_read %[[B]]
// CHECK:         aie.use_lock(%[[EMPTY1:.*]], Release, 1)
// CHECK:       }
// CHECK:       aie.use_lock(%[[FULL]], AcquireGreaterEqual, 1)
// CHECK:       %[[V:.*]] = vector.load %[[A]][%c32] : memref<64xbf16, 2>, vector<32xbf16>
// CHECK:       aie.use_lock(%[[EMPTY]], Release, 1)
// CHECK:       vector.bitcast %[[V]] : vector<32xbf16> to vector<16xf32>
// CHECK:       aie.use_lock(%[[FULL1]], AcquireGreaterEqual, 1)
// CHECK-NEXT:  aie.use_lock(%[[EMPTY1]], Release, 1)
air.channel @in [1, 1]
air.channel @out [1, 1]
func.func @f(%a: memref<1024xbf16>, %b: memref<128xf32>, %c: memref<64xf32>) {
  air.launch () in () args(%x = %a, %y = %b, %z = %c) : memref<1024xbf16>, memref<128xf32>, memref<64xf32> {
    air.channel.put @in[] (%x[] [] []) : (memref<1024xbf16>)
    air.channel.put @in[] (%y[] [] []) : (memref<128xf32>)
    air.channel.get @out[] (%z[] [] []) : (memref<64xf32>)
    air.segment @seg {
      %c1 = arith.constant 1 : index
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %c0 = arith.constant 0 : index
        %one = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %h = arith.constant 0.0 : bf16
        %f = arith.constant 0.0 : f32
        %sum = memref.alloc() : memref<64xf32, 2>
        %a0 = memref.alloc() : memref<64xbf16, 2>
        %a1 = memref.alloc() : memref<64xbf16, 2>
        scf.for %k = %c0 to %c8 step %one {
          air.channel.get @in[%i, %j] (%a0[] [] []) : (memref<64xbf16, 2>)
          %v0 = vector.transfer_read %a0[%c0], %h {in_bounds = [true]} : memref<64xbf16, 2>, vector<32xbf16>
          %w0 = arith.extf %v0 : vector<32xbf16> to vector<32xf32>
          vector.transfer_write %w0, %sum[%c0] {in_bounds = [true]} : vector<32xf32>, memref<64xf32, 2>
          air.channel.get @in[%i, %j] (%a1[] [] []) : (memref<64xbf16, 2>)
          %v1 = vector.transfer_read %a1[%c0], %h {in_bounds = [true]} : memref<64xbf16, 2>, vector<32xbf16>
          %w1 = arith.extf %v1 : vector<32xbf16> to vector<32xf32>
          vector.transfer_write %w1, %sum[%c0] {in_bounds = [true]} : vector<32xf32>, memref<64xf32, 2>
        }
        %r0 = memref.alloc() : memref<2x16xf32, 2>
        %r1 = memref.alloc() : memref<2x16xf32, 2>
        air.channel.get @in[%i, %j] (%r0[] [] []) : (memref<2x16xf32, 2>)
        %s0 = memref.subview %r0[%one, 0] [1, 16] [1, 1] : memref<2x16xf32, 2> to memref<16xf32, strided<[1], offset: ?>, 2>
        %u0 = vector.transfer_read %s0[%c0], %f {in_bounds = [true]} : memref<16xf32, strided<[1], offset: ?>, 2>, vector<16xf32>
        vector.transfer_write %u0, %sum[%c0] {in_bounds = [true]} : vector<16xf32>, memref<64xf32, 2>
        air.channel.get @in[%i, %j] (%r1[] [] []) : (memref<2x16xf32, 2>)
        air.channel.put @out[%i, %j] (%sum[] [] []) : (memref<64xf32, 2>)
        memref.dealloc %sum : memref<64xf32, 2>
      }
    }
  }
  return
}

// -----

// So does a second loop; single elements come out of vectors.
// CHECK:       aie.mem(%tile_0_2) {
// CHECK-COUNT-2: aie.dma_bd(%{{.*}} : memref<64xbf16, 2>, 0, 64)
// CHECK-NOT:   aie.dma_bd(%{{.*}} : memref<2x16xf32, 2>
// CHECK:       aie.core(%tile_0_2) {
// CHECK:       vector.load %{{.*}} : memref<64xbf16, 2>, vector<16xbf16>
// CHECK:       vector.bitcast %{{.*}} : vector<16xbf16> to vector<8xf32>
// CHECK:       vector.extract %{{.*}} : f32 from vector<8xf32>

air.channel @in [1, 1]
air.channel @out [1, 1]
func.func @f(%a: memref<1024xbf16>, %b: memref<512xf32>, %c: memref<64xf32>) {
  air.launch () in () args(%x = %a, %y = %b, %z = %c) : memref<1024xbf16>, memref<512xf32>, memref<64xf32> {
    air.channel.put @in[] (%x[] [] []) : (memref<1024xbf16>)
    air.channel.put @in[] (%y[] [] []) : (memref<512xf32>)
    air.channel.get @out[] (%z[] [] []) : (memref<64xf32>)
    air.segment @seg {
      %c1 = arith.constant 1 : index
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %c0 = arith.constant 0 : index
        %one = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %h = arith.constant 0.0 : bf16
        %f = arith.constant 0.0 : f32
        %sum = memref.alloc() : memref<64xf32, 2>
        %a0 = memref.alloc() : memref<64xbf16, 2>
        %a1 = memref.alloc() : memref<64xbf16, 2>
        scf.for %k = %c0 to %c8 step %one {
          air.channel.get @in[%i, %j] (%a0[] [] []) : (memref<64xbf16, 2>)
          %v0 = vector.transfer_read %a0[%c0], %h {in_bounds = [true]} : memref<64xbf16, 2>, vector<32xbf16>
          %w0 = arith.extf %v0 : vector<32xbf16> to vector<32xf32>
          vector.transfer_write %w0, %sum[%c0] {in_bounds = [true]} : vector<32xf32>, memref<64xf32, 2>
          air.channel.get @in[%i, %j] (%a1[] [] []) : (memref<64xbf16, 2>)
          %v1 = vector.transfer_read %a1[%c0], %h {in_bounds = [true]} : memref<64xbf16, 2>, vector<32xbf16>
          %w1 = arith.extf %v1 : vector<32xbf16> to vector<32xf32>
          vector.transfer_write %w1, %sum[%c0] {in_bounds = [true]} : vector<32xf32>, memref<64xf32, 2>
        }
        %r0 = memref.alloc() : memref<2x16xf32, 2>
        %r1 = memref.alloc() : memref<2x16xf32, 2>
        scf.for %k = %c0 to %c8 step %one {
          air.channel.get @in[%i, %j] (%r0[] [] []) : (memref<2x16xf32, 2>)
          %e = memref.load %r0[%one, %k] : memref<2x16xf32, 2>
          memref.store %e, %sum[%k] : memref<64xf32, 2>
          air.channel.get @in[%i, %j] (%r1[] [] []) : (memref<2x16xf32, 2>)
        }
        air.channel.put @out[%i, %j] (%sum[] [] []) : (memref<64xf32, 2>)
        memref.dealloc %sum : memref<64xf32, 2>
      }
    }
  }
  return
}
