// RUN: allo-opt %s --air-label-channels-to-fuse | filecheck %s

// What loops of a core bring out of one buffer, one after another, comes over one channel; out of another buffer over another.

// CHECK:      air.channel @first [] {allo.fuse_group = 0 : i64}
// CHECK-NEXT: air.channel @second [] {allo.fuse_group = 0 : i64}
// CHECK-NEXT: air.channel @other []
// CHECK-NOT:  allo.fuse_group = 1
air.channel @first []
air.channel @second []
air.channel @other []
func.func @passes() {
  air.launch () in () {
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %m = memref.alloc() : memref<4x8xi32, 1>
      %n = memref.alloc() : memref<4x8xi32, 1>
      scf.for %i = %c0 to %c4 step %c1 {
        air.channel.put @first[] (%m[%i, %c0] [%c1, %c8] [%c8, %c1]) : (memref<4x8xi32, 1>)
      }
      scf.for %i = %c0 to %c4 step %c1 {
        air.channel.put @second[] (%m[%i, %c0] [%c1, %c8] [%c8, %c1]) : (memref<4x8xi32, 1>)
      }
      scf.for %i = %c0 to %c4 step %c1 {
        air.channel.put @other[] (%n[%i, %c0] [%c1, %c8] [%c8, %c1]) : (memref<4x8xi32, 1>)
      }
      air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) {
        %k0 = arith.constant 0 : index
        %k1 = arith.constant 1 : index
        %k4 = arith.constant 4 : index
        %a = memref.alloc() : memref<8xi32, 2>
        scf.for %i = %k0 to %k4 step %k1 {
          air.channel.get @first[] (%a[] [] []) : (memref<8xi32, 2>)
        }
        scf.for %i = %k0 to %k4 step %k1 {
          air.channel.get @second[] (%a[] [] []) : (memref<8xi32, 2>)
        }
        scf.for %i = %k0 to %k4 step %k1 {
          air.channel.get @other[] (%a[] [] []) : (memref<8xi32, 2>)
        }
      }
    }
  }
  return
}
