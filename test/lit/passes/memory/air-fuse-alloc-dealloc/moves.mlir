// RUN: allo-opt %s --air-fuse-alloc-dealloc | filecheck %s
// RUN: allo-opt %s --air-dependency --air-fuse-alloc-dealloc --verify-each=execute | filecheck %s --check-prefix=ASYNC

air.channel @in [1]
air.channel @out [1]
air.channel @back [1]

// From the function through the launch and the segment to the innermost loop of a perfect nest; the herd gets its own buffer.

// CHECK-LABEL: func.func @f
// CHECK-NOT:     memref.alloc
// CHECK:         air.launch
// CHECK:           air.segment @s {
// CHECK-NOT:         memref.alloc
// CHECK:             scf.for
// CHECK:               scf.for
// CHECK-NEXT:            %[[B:.*]] = memref.alloc() : memref<8xi32, 1>
// CHECK:                 air.channel.get @in{{.*}} (%[[B]][] [] [])
// CHECK:                 air.channel.put @out{{.*}} (%[[B]][] [] [])
// CHECK-NEXT:            memref.dealloc %[[B]]
// CHECK:             air.herd @h {{.*}} {
// CHECK:               %[[L:.*]] = memref.alloc() : memref<8xi32, 2>
// CHECK:               linalg.fill {{.*}} outs(%[[L]]
// CHECK:               scf.for
// CHECK:                 memref.alloc() : memref<8xi32, 2>
// CHECK:               memref.dealloc %[[L]]
// ASYNC-LABEL: func.func @f
// ASYNC:             air.segment @s async
// ASYNC:               scf.for
// ASYNC:                 scf.for {{.*}} iter_args(%[[C:.*]] = %{{.*}}) -> (!air.async.token) {
// ASYNC:                   %[[T:.*]], %[[B:.*]] = air.execute -> (memref<8xi32, 1>)
// ASYNC:                   air.channel.get async [%[[T]], %{{.*}}] @in
// ASYNC:                   %[[P:.*]] = air.channel.put async {{.*}} @out
// ASYNC:                   %[[D:.*]] = air.execute [{{.*}}%[[P]]{{.*}}] {
// ASYNC-NEXT:                memref.dealloc %[[B]]
// ASYNC:                   %[[W:.*]] = air.wait_all async [%{{.*}}, %[[D]]]
// ASYNC:                   scf.yield %[[W]]
func.func @f(%a: memref<4x8xi32>, %r: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<8xi32, 1>
  air.launch (%i) in (%n=%c1) args(%x=%a, %y=%b, %q=%r) : memref<4x8xi32>, memref<8xi32, 1>, memref<8xi32> {
    %z0 = arith.constant 0 : index
    %z1 = arith.constant 1 : index
    %z4 = arith.constant 4 : index
    %z8 = arith.constant 8 : index
    scf.for %k = %z0 to %z4 step %z1 {
      air.channel.put @in[%z0] (%x[%k, %z0] [%z1, %z8] [%z8, %z1]) : (memref<4x8xi32>)
    }
    air.channel.get @back[%z0] (%q[] [] []) : (memref<8xi32>)
    air.segment @s args(%m=%y) : memref<8xi32, 1> {
      %c0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      scf.for %k = %c0 to %c2 step %d1 {
        scf.for %l = %c0 to %c2 step %d1 {
          air.channel.get @in[%c0] (%m[] [] []) : (memref<8xi32, 1>)
          air.channel.put @out[%c0] (%m[] [] []) : (memref<8xi32, 1>)
        }
      }
      %l1 = memref.alloc() : memref<8xi32, 2>
      air.herd @h tile (%tx, %ty) in (%sx=%d1, %sy=%d1) args(%w=%l1) : memref<8xi32, 2> {
        %e0 = arith.constant 0 : index
        %e1 = arith.constant 1 : index
        %e4 = arith.constant 4 : index
        %zero = arith.constant 0 : i32
        %g = memref.alloc() : memref<8xi32, 2>
        linalg.fill ins(%zero : i32) outs(%w : memref<8xi32, 2>)
        scf.for %k = %e0 to %e4 step %e1 {
          air.channel.get @out[%e0] (%g[] [] []) : (memref<8xi32, 2>)
          linalg.add ins(%w, %g : memref<8xi32, 2>, memref<8xi32, 2>) outs(%w : memref<8xi32, 2>)
        }
        air.channel.put @back[%e0] (%w[] [] []) : (memref<8xi32, 2>)
        memref.dealloc %g : memref<8xi32, 2>
      }
      memref.dealloc %l1 : memref<8xi32, 2>
    }
  }
  memref.dealloc %b : memref<8xi32, 1>
  return
}
