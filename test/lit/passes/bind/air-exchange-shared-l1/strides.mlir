// RUN: allo-opt %s --air-exchange-shared-l1 --split-input-file | filecheck %s

// A store that leaves out every second element: the buffer starts from zeros.
// CHECK-LABEL: @stepped
// CHECK: air.herd @a
// CHECK: linalg.fill
  func.func @stepped(%o: memref<16xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%i) in (%n=%c1) args(%lo=%o) : memref<16xi32> {
      air.segment @seg args(%so=%lo) : memref<16xi32> {
        %c1_1 = arith.constant 1 : index
        %b = memref.alloc() : memref<16xi32, 2>
        air.herd @a tile (%x, %y) in (%hx=%c1_1, %hy=%c1_1) args(%hb=%b) : memref<16xi32, 2> {
          %c0 = arith.constant 0 : index
          %c2 = arith.constant 2 : index
          %c16 = arith.constant 16 : index
          %v = arith.constant 3 : i32
          scf.for %k = %c0 to %c16 step %c2 {
            memref.store %v, %hb[%k] : memref<16xi32, 2>
          }
        }
        air.herd @b tile (%x, %y) in (%hx=%c1_1, %hy=%c1_1) args(%hb=%b, %ho=%so) : memref<16xi32, 2>, memref<16xi32> {
          air.dma_memcpy_nd (%ho[] [] [], %hb[] [] []) : (memref<16xi32>, memref<16xi32, 2>)
        }
        memref.dealloc %b : memref<16xi32, 2>
      }
    }
    return
  }

// -----

// Of an index that is computed it is not known.
// CHECK-LABEL: @computed
// CHECK: air.herd @a
// CHECK: linalg.fill
  func.func @computed(%o: memref<16xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%i) in (%n=%c1) args(%lo=%o) : memref<16xi32> {
      air.segment @seg args(%so=%lo) : memref<16xi32> {
        %c1_1 = arith.constant 1 : index
        %b = memref.alloc() : memref<16xi32, 2>
        air.herd @a tile (%x, %y) in (%hx=%c1_1, %hy=%c1_1) args(%hb=%b) : memref<16xi32, 2> {
          %c0 = arith.constant 0 : index
          %c2 = arith.constant 2 : index
          %c1_2 = arith.constant 1 : index
          %v = arith.constant 3 : i32
          scf.for %k = %c0 to %c2 step %c1_2 {
            %at = affine.apply affine_map<(d0) -> (d0 * 8)>(%k)
            memref.store %v, %hb[%at] : memref<16xi32, 2>
          }
        }
        air.herd @b tile (%x, %y) in (%hx=%c1_1, %hy=%c1_1) args(%hb=%b, %ho=%so) : memref<16xi32, 2>, memref<16xi32> {
          air.dma_memcpy_nd (%ho[] [] [], %hb[] [] []) : (memref<16xi32>, memref<16xi32, 2>)
        }
        memref.dealloc %b : memref<16xi32, 2>
      }
    }
    return
  }

// -----

// Vectors of the step's length reach all elements.
// CHECK-LABEL: @vectors
// CHECK-NOT: linalg.fill
  func.func @vectors(%o: memref<16xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%i) in (%n=%c1) args(%lo=%o) : memref<16xi32> {
      air.segment @seg args(%so=%lo) : memref<16xi32> {
        %c1_1 = arith.constant 1 : index
        %b = memref.alloc() : memref<16xi32, 2>
        air.herd @a tile (%x, %y) in (%hx=%c1_1, %hy=%c1_1) args(%hb=%b) : memref<16xi32, 2> {
          %c0 = arith.constant 0 : index
          %c2 = arith.constant 2 : index
          %c16 = arith.constant 16 : index
          %v = arith.constant dense<3> : vector<2xi32>
          scf.for %k = %c0 to %c16 step %c2 {
            vector.store %v, %hb[%k] : memref<16xi32, 2>, vector<2xi32>
          }
        }
        air.herd @b tile (%x, %y) in (%hx=%c1_1, %hy=%c1_1) args(%hb=%b, %ho=%so) : memref<16xi32, 2>, memref<16xi32> {
          air.dma_memcpy_nd (%ho[] [] [], %hb[] [] []) : (memref<16xi32>, memref<16xi32, 2>)
        }
        memref.dealloc %b : memref<16xi32, 2>
      }
    }
    return
  }
