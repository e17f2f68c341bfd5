// Leaves of a core in i32: linalg, vectors of two dimensions, reductions, scf.forall, signed divisions, narrowing.
module {
  aie.device(npu1_1col) {
    %s = aie.tile(0, 0)
    %c = aie.tile(0, 2)
    aie.objectfifo @x(%s, {%c}, 1 : i32) : !aie.objectfifo<memref<8x8xi32>>
    aie.objectfifo @y(%c, {%s}, 1 : i32) : !aie.objectfifo<memref<5x8x8xi32>>
    aie.core(%c) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %z = arith.constant 0 : i32
      %sx = aie.objectfifo.acquire @x(Consume, 1) : !aie.objectfifosubview<memref<8x8xi32>>
      %x = aie.objectfifo.subview.access %sx[0] : !aie.objectfifosubview<memref<8x8xi32>> -> memref<8x8xi32>
      %sy = aie.objectfifo.acquire @y(Produce, 1) : !aie.objectfifosubview<memref<5x8x8xi32>>
      %y = aie.objectfifo.subview.access %sy[0] : !aie.objectfifosubview<memref<5x8x8xi32>> -> memref<5x8x8xi32>
      %y0 = memref.subview %y[0, 0, 0] [1, 8, 8] [1, 1, 1] : memref<5x8x8xi32> to memref<8x8xi32, strided<[8, 1]>>
      linalg.fill ins(%z : i32) outs(%y0 : memref<8x8xi32, strided<[8, 1]>>)
      linalg.matmul ins(%x, %x : memref<8x8xi32>, memref<8x8xi32>) outs(%y0 : memref<8x8xi32, strided<[8, 1]>>)
      %q = vector.load %x[%c2, %c0] : memref<8x8xi32>, vector<4x8xi32>
      %q2 = arith.addi %q, %q : vector<4x8xi32>
      vector.store %q2, %y[%c1, %c0, %c0] : memref<5x8x8xi32>, vector<4x8xi32>
      vector.store %q, %y[%c1, %c4, %c0] : memref<5x8x8xi32>, vector<4x8xi32>
      scf.forall (%i, %j) in (8, 8) {
        %a = memref.load %x[%i, %j] : memref<8x8xi32>
        %h = arith.trunci %a : i32 to i16
        %three = arith.constant 3 : i16
        %sl = arith.shli %h, %three : i16
        %e = arith.extsi %sl : i16 to i32
        memref.store %e, %y[%c2, %j, %i] : memref<5x8x8xi32>
      }
      %acc = arith.constant dense<0> : vector<8xi32>
      %all = vector.load %x[%c0, %c0] : memref<8x8xi32>, vector<8x8xi32>
      %rowsum = vector.multi_reduction <add>, %all, %acc [1] : vector<8x8xi32> to vector<8xi32>
      %colmax = vector.multi_reduction <maxsi>, %all, %acc [0] : vector<8x8xi32> to vector<8xi32>
      affine.for %i = 0 to 8 step 2 {
        vector.store %rowsum, %y[%c3, %i, %c0] : memref<5x8x8xi32>, vector<8xi32>
        %i1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
        vector.store %colmax, %y[%c3, %i1, %c0] : memref<5x8x8xi32>, vector<8xi32>
      }
      scf.for %i = %c0 to %c8 step %c1 {
        scf.for %j = %c0 to %c8 step %c1 {
          %a = memref.load %x[%i, %j] : memref<8x8xi32>
          %ji = arith.addi %i, %j : index
          %k = arith.remui %ji, %c8 : index
          %seven = arith.constant 7 : i32
          %d = arith.divsi %a, %seven : i32
          %r = arith.remsi %a, %seven : i32
          %m = arith.muli %d, %r : i32
          %fd = arith.floordivsi %a, %seven : i32
          %o = arith.addi %m, %fd : i32
          memref.store %o, %y[%c4, %i, %k] : memref<5x8x8xi32>
        }
      }
      aie.objectfifo.release @x(Consume, 1)
      aie.objectfifo.release @y(Produce, 1)
      aie.end
    }
    aie.runtime_sequence(%x : memref<64xi32>, %y : memref<320xi32>) {
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @x} : memref<64xi32>
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 320][0, 0, 0, 1]) {id = 1 : i64, metadata = @y, issue_token = true} : memref<320xi32>
      aiex.npu.dma_wait {symbol = @y}
    }
  }
}
