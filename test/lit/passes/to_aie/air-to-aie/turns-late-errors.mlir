// RUN: not allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1' 2>&1 | filecheck %s

// What the core reads after the next transfer of its turn stays a buffer of its own.
// CHECK: error: 'air.herd' op does not fit: core (0, 2) needs 19 BDs and has 16; 18 for '@in'[0, 0], 1 for '@out'[0, 0]

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
        %late = vector.transfer_read %a0[%c0], %h {in_bounds = [true]} : memref<64xbf16, 2>, vector<32xbf16>
        %wide = arith.extf %late : vector<32xbf16> to vector<32xf32>
        vector.transfer_write %wide, %sum[%c0] {in_bounds = [true]} : vector<32xf32>, memref<64xf32, 2>
        air.channel.get @in[%i, %j] (%r1[] [] []) : (memref<2x16xf32, 2>)
        air.channel.put @out[%i, %j] (%sum[] [] []) : (memref<64xf32, 2>)
        memref.dealloc %sum : memref<64xf32, 2>
      }
    }
  }
  return
}
