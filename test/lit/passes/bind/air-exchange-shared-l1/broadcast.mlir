// What a herd of one core writes, all cores of the other get.
// RUN: allo-opt %s --air-exchange-shared-l1 | filecheck %s

// CHECK: air.channel @shared_0 [1, 1] {broadcast_shape = [1, 2]}
// CHECK: air.herd @one
// CHECK: air.channel.put {{.*}}@shared_0[
// CHECK: air.herd @two
// CHECK: air.channel.get {{.*}}@shared_0[
func.func @f() {
  air.launch () in () {
    air.segment @s {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %m = memref.alloc() : memref<8xi32, 2>
      air.herd @one tile (%i, %j) in (%p=%c1, %q=%c1) args(%a=%m) : memref<8xi32, 2> {
        %c0 = arith.constant 0 : index
        %v = arith.constant 7 : i32
        memref.store %v, %a[%c0] : memref<8xi32, 2>
      }
      air.herd @two tile (%i, %j) in (%p=%c1, %q=%c2) args(%a=%m) : memref<8xi32, 2> {
        %c0 = arith.constant 0 : index
        %v = memref.load %a[%c0] : memref<8xi32, 2>
        memref.store %v, %a[%c0] : memref<8xi32, 2>
      }
      memref.dealloc %m : memref<8xi32, 2>
    }
  }
  return
}
