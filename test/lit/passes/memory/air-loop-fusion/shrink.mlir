// RUN: allo-opt --syntax=2026-03 %s --air-loop-fusion --canonicalize --cse | filecheck %s

air.channel @in []
air.channel @out [2]

// A buffer that is used in part only, without any loop, and with offsets that are not numbers; one that is used whole stays.

// CHECK-LABEL: func.func @partly
// CHECK:       %[[M:.*]] = memref.alloc() {alignment = 64 : i64} : memref<2x8xf32, 1>
// CHECK-NEXT:  air.channel.get @in[] (%[[M]][%c1{{.*}}, %c0{{.*}}] [%c1{{.*}}, %c8{{.*}}] [%c8{{.*}}, %c1{{.*}}]) : (memref<2x8xf32, 1>)
// CHECK-NEXT:  air.channel.put @out[%c0{{.*}}] (%[[M]][%c0{{.*}}, %c0{{.*}}] [%c2{{.*}}, %c4{{.*}}] [%c8{{.*}}, %c2{{.*}}]) : (memref<2x8xf32, 1>)
// CHECK-NEXT:  memref.dealloc %[[M]] : memref<2x8xf32, 1>
// CHECK:       memref.alloc() : memref<4x4xf32, 1>
func.func @partly(%n: index) {
  %one = arith.constant 1 : index
  air.launch (%i) in (%s=%one) args(%j=%n) : index {
    air.segment @s args(%o=%j) : index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c64 = arith.constant 64 : index
      %m = memref.alloc() {alignment = 64 : i64} : memref<4x64xf32, 1>
      %r = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%o]
      air.channel.get @in[] (%m[%r, %c8] [%c1, %c8] [%c64, %c1]) : (memref<4x64xf32, 1>)
      air.channel.put @out[%c0] (%m[%o, %c4] [%c2, %c4] [%c64, %c2]) : (memref<4x64xf32, 1>)
      memref.dealloc %m : memref<4x64xf32, 1>
      %q = memref.alloc() : memref<4x4xf32, 1>
      air.channel.get @in[] (%q[] [] []) : (memref<4x4xf32, 1>)
      air.channel.put @out[%c1] (%q[%c0, %c0] [%c2, %c2] [%c4, %c1]) : (memref<4x4xf32, 1>)
      memref.dealloc %q : memref<4x4xf32, 1>
    }
  }
  return
}

// Both halves are used: mlir-air shrinks this buffer to one of them and then accesses it past its end.

// CHECK-LABEL: func.func @both_halves
// CHECK:       memref.alloc() : memref<64x32xf32, 1>
// CHECK-COUNT-2: air.channel.put @out{{.*}} : (memref<64x32xf32, 1>)
func.func @both_halves() {
  %one = arith.constant 1 : index
  air.launch (%i) in (%s=%one) {
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %m = memref.alloc() : memref<64x32xf32, 1>
      air.channel.get @in[] (%m[] [] []) : (memref<64x32xf32, 1>)
      scf.parallel (%k) = (%c0) to (%c2) step (%c1) {
        %o = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%k]
        air.channel.put @out[%k] (%m[%o, %c0] [%c32, %c32] [%c32, %c1]) : (memref<64x32xf32, 1>)
        scf.reduce
      }
      memref.dealloc %m : memref<64x32xf32, 1>
    }
  }
  return
}
