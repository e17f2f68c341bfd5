// RUN: not allo-opt %s --air-verify-hierarchy-locality 2>&1 | filecheck %s
// RUN: not allo-opt %s --air-verify-hierarchy-locality=strict=false 2>&1 | filecheck %s --check-prefix=LAX
// RUN: allo-opt %s --air-verify-hierarchy-locality=herds=false | filecheck %s --check-prefix=OFF

// Cores may read an L1 buffer of the segment, and write parts of their own of it, or buffers that are each core's.

// CHECK-NOT: @fine
// CHECK: error: 'memref.store' op writes memref<32xi32, 2> where another instance of the herd touches it
// CHECK: error: {{.*}} op writes memref<32xi32, 2>, and it cannot be decided whether another instance of the herd touches that part
// LAX: error: 'memref.store' op writes memref<32xi32, 2> where another
// LAX: warning: {{.*}} op writes memref<32xi32, 2>, and it cannot be decided
// OFF: func.func @meets
air.channel @c [2, 1]
func.func private @k(memref<32xi32, 2>)
func.func private @own(memref<32xi32, 2>, index)
func.func @fine() {
  air.segment @s {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %l = memref.alloc() : memref<32xi32, 2>
    %m = memref.alloc() : memref<32xi32, 2>
    %n = memref.alloc() : memref<32xi32, 2>
    %o = memref.alloc() : memref<32xi32, 2>
    air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%a=%l, %b=%m, %c=%n, %d=%o) : memref<32xi32, 2>, memref<32xi32, 2>, memref<32xi32, 2>, memref<32xi32, 2> {
      %v = memref.load %a[%x] : memref<32xi32, 2>
      memref.store %v, %b[%x] : memref<32xi32, 2>
      air.channel.get @c[%x, %y] (%c[] [] []) : (memref<32xi32, 2>)
      func.call @own(%d, %x) : (memref<32xi32, 2>, index) -> ()
    }
  }
  return
}
func.func @meets() {
  air.segment @t {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %l = memref.alloc() : memref<32xi32, 2>
    %m = memref.alloc() : memref<32xi32, 2>
    air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%a=%l, %b=%m) : memref<32xi32, 2>, memref<32xi32, 2> {
      %c0 = arith.constant 0 : index
      %v = arith.constant 1 : i32
      memref.store %v, %a[%c0] : memref<32xi32, 2>
      func.call @k(%b) : (memref<32xi32, 2>) -> ()
    }
  }
  return
}
