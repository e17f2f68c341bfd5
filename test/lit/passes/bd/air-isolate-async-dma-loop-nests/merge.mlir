// RUN: allo-opt %s --air-isolate-async-dma-loop-nests --canonicalize --cse | filecheck %s
// RUN: allo-opt %s --air-isolate-async-dma-loop-nests='merge-herds=false' --canonicalize --cse | filecheck %s --check-prefix=APART

air.channel @in [1, 1]
air.channel @out [1, 1]
air.channel @other [1, 1]

// Herds of one name, with an L1 buffer in common, become the last of them, which keeps their order. What waited for the first
// and is before the last waits for what they wait for.

// CHECK-LABEL: func.func @merges
// CHECK:         %[[T:.*]], %{{.*}} = air.execute -> (memref<64xi32, 1>)
// CHECK:         %[[A:.*]], %[[M:.*]] = air.execute -> (memref<64xi32, 2>)
// CHECK:         air.channel.get async [%[[T]]] @out[] (
// CHECK-NEXT:    %[[H:.*]] = air.herd @h async [%[[A]]] tile ({{.*}}) args(%[[B:.*]]=%[[M]]) : memref<64xi32, 2> attributes {id = 4 : i32}
// CHECK:           %[[R:.*]] = air.channel.get async @in[%{{.*}}] (%[[B]][] [] [])
// CHECK-NEXT:      air.channel.put async [%[[R]]] @out[%{{.*}}] (%[[B]][] [] [])
// CHECK-NEXT:    }
// CHECK-NEXT:    %{{.*}} = air.execute [%[[H]]]
// APART-LABEL: func.func @merges
// APART:         air.herd @h
// APART:         air.herd @h
func.func @merges(%from: memref<64xi32>, %to: memref<64xi32>) {
  %one = arith.constant 1 : index
  %0 = air.launch async (%i) in (%n=%one) args(%f=%from, %o=%to) : memref<64xi32>, memref<64xi32> {
    %p = air.channel.put async @in[] (%f[] [] []) : (memref<64xi32>)
    %q = air.channel.get async @other[] (%o[] [] []) : (memref<64xi32>)
    %s = air.segment @s async {
      %c1 = arith.constant 1 : index
      %t, %l2 = air.execute -> (memref<64xi32, 1>) {
        %a = memref.alloc() : memref<64xi32, 1>
        air.execute_terminator %a : memref<64xi32, 1>
      }
      %u, %l1 = air.execute -> (memref<64xi32, 2>) {
        %a = memref.alloc() : memref<64xi32, 2>
        air.execute_terminator %a : memref<64xi32, 2>
      }
      %1 = air.herd @h async [%u] tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%b=%l1) : memref<64xi32, 2> attributes {id = 3 : i32} {
        %2 = air.channel.get async @in[%x, %y] (%b[] [] []) : (memref<64xi32, 2>)
      }
      %g = air.channel.get async [%t, %1] @out[] (%l2[] [] []) : (memref<64xi32, 1>)
      %3 = air.herd @h async [%1] tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%b=%l1) : memref<64xi32, 2> attributes {id = 4 : i32} {
        %4 = air.channel.put async @out[%x, %y] (%b[] [] []) : (memref<64xi32, 2>)
      }
      %5 = air.execute [%3] {
        memref.dealloc %l1 : memref<64xi32, 2>
      }
      %6 = air.channel.put async [%g] @other[] (%l2[] [] []) : (memref<64xi32, 1>)
      %7 = air.execute [%6] {
        memref.dealloc %l2 : memref<64xi32, 1>
      }
    }
  }
  return
}

// Herds that are passed L2, are of other sizes, or of other names, stay.

// CHECK-LABEL: func.func @stays
// CHECK:         air.herd @h
// CHECK:         air.herd @h
// CHECK:         air.herd @h
// CHECK:         air.herd @k
func.func @stays(%l2: memref<64xi32, 1>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.segment @s args(%m=%l2) : memref<64xi32, 1> {
    %d1 = arith.constant 1 : index
    %d2 = arith.constant 2 : index
    air.herd @h tile (%x, %y) in (%sx=%d1, %sy=%d1) args(%b=%m) : memref<64xi32, 1> {
      %l1 = memref.alloc() : memref<64xi32, 2>
      air.dma_memcpy_nd (%l1[] [] [], %b[] [] []) : (memref<64xi32, 2>, memref<64xi32, 1>)
    }
    air.herd @h tile (%x, %y) in (%sx=%d1, %sy=%d1) {
      %l1 = memref.alloc() : memref<64xi32, 2>
    }
    air.herd @h tile (%x, %y) in (%sx=%d2, %sy=%d1) {
      %l1 = memref.alloc() : memref<64xi32, 2>
    }
    air.herd @k tile (%x, %y) in (%sx=%d2, %sy=%d1) {
      %l1 = memref.alloc() : memref<64xi32, 2>
    }
  }
  return
}
