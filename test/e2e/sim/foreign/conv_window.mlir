// Three rows in, one row out: acquire 3, release 1, with the first and last row counted twice; link_with of a function that the library has not.
module {
  aie.device(npu1_1col) {
    %t00 = aie.tile(0, 0)
    %t01 = aie.tile(0, 1)
    %t02 = aie.tile(0, 2)
    %weights = aie.buffer(%t02) {sym_name = "weights"} : memref<3xi32> = dense<[1, 2, 1]>
    aie.objectfifo @in(%t00, {%t02}, 4 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @act(%t02, {%t01}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @out(%t01, {%t00}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo.link [@act] -> [@out]()
    func.func @line(%a : memref<16xi32>, %b : memref<16xi32>, %c : memref<16xi32>, %w : memref<3xi32>, %o : memref<16xi32>) -> () {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c16 = arith.constant 16 : index
      %w0 = memref.load %w[%c0] : memref<3xi32>
      %w1 = memref.load %w[%c1] : memref<3xi32>
      %w2 = memref.load %w[%c2] : memref<3xi32>
      scf.for %i = %c0 to %c16 step %c1 {
        %x = memref.load %a[%i] : memref<16xi32>
        %y = memref.load %b[%i] : memref<16xi32>
        %z = memref.load %c[%i] : memref<16xi32>
        %0 = arith.muli %x, %w0 : i32
        %1 = arith.muli %y, %w1 : i32
        %2 = arith.muli %z, %w2 : i32
        %3 = arith.addi %0, %1 : i32
        %4 = arith.addi %3, %2 : i32
        memref.store %4, %o[%i] : memref<16xi32>
      }
      return
    }
    %core = aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      // first row
      %s = aie.objectfifo.acquire @in(Consume, 2) : !aie.objectfifosubview<memref<16xi32>>
      %p0 = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      %p1 = aie.objectfifo.subview.access %s[1] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      %so = aie.objectfifo.acquire @act(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
      %o = aie.objectfifo.subview.access %so[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      func.call @line(%p0, %p0, %p1, %weights, %o) : (memref<16xi32>, memref<16xi32>, memref<16xi32>, memref<3xi32>, memref<16xi32>) -> ()
      aie.objectfifo.release @act(Produce, 1)
      scf.for %i = %c0 to %c6 step %c1 {
        %s3 = aie.objectfifo.acquire @in(Consume, 3) : !aie.objectfifosubview<memref<16xi32>>
        %q0 = aie.objectfifo.subview.access %s3[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        %q1 = aie.objectfifo.subview.access %s3[1] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        %q2 = aie.objectfifo.subview.access %s3[2] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        %so2 = aie.objectfifo.acquire @act(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
        %o2 = aie.objectfifo.subview.access %so2[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        func.call @line(%q0, %q1, %q2, %weights, %o2) : (memref<16xi32>, memref<16xi32>, memref<16xi32>, memref<3xi32>, memref<16xi32>) -> ()
        aie.objectfifo.release @in(Consume, 1)
        aie.objectfifo.release @act(Produce, 1)
      }
      %s2 = aie.objectfifo.acquire @in(Consume, 2) : !aie.objectfifosubview<memref<16xi32>>
      %r0 = aie.objectfifo.subview.access %s2[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      %r1 = aie.objectfifo.subview.access %s2[1] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      %so3 = aie.objectfifo.acquire @act(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
      %o3 = aie.objectfifo.subview.access %so3[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      func.call @line(%r0, %r1, %r1, %weights, %o3) : (memref<16xi32>, memref<16xi32>, memref<16xi32>, memref<3xi32>, memref<16xi32>) -> ()
      aie.objectfifo.release @in(Consume, 2)
      aie.objectfifo.release @act(Produce, 1)
      aie.end
    }
    aie.runtime_sequence(%x : memref<8x16xi32>, %y : memref<8x16xi32>) {
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 8, 16][0, 0, 16, 1]) {id = 0 : i64, metadata = @in} : memref<8x16xi32>
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 8, 16][0, 0, 16, 1]) {id = 2 : i64, metadata = @out, issue_token = true} : memref<8x16xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
