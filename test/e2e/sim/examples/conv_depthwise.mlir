// Convolution of rows of i8 with 3x3 weights in a buffer: borders at the first and last row and column, functions that call functions.
module {
  aie.device(npu2_1col) {
    %s = aie.tile(0, 0)
    %c = aie.tile(0, 3)
    %taps = aie.buffer(%c) {sym_name = "taps"} : memref<3x3xi8> = dense<[[1, 2, 1], [2, 4, 2], [1, 2, 1]]>
    aie.objectfifo @act(%s, {%c}, [2 : i32, 4 : i32]) : !aie.objectfifo<memref<32xi8>>
    aie.objectfifo @res(%c, {%s}, 2 : i32) : !aie.objectfifo<memref<32xi8>>
    func.func private @line(%a: memref<32xi8>, %b: memref<32xi8>, %d: memref<32xi8>, %w: memref<3x3xi8>, %o: memref<32xi8>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c31 = arith.constant 31 : index
      %c32 = arith.constant 32 : index
      %four = arith.constant 4 : i32
      %zero = arith.constant 0 : i32
      scf.for %x = %c0 to %c32 step %c1 {
        %acc = scf.for %k = %c0 to %c2 step %c1 iter_args(%s0 = %zero) -> (i32) {
          scf.yield %s0 : i32
        }
        %l0 = arith.subi %x, %c1 : index
        %l = arith.maxsi %l0, %c0 : index
        %r0 = arith.addi %x, %c1 : index
        %r = arith.minsi %r0, %c31 : index
        %sum = scf.execute_region -> i32 {
          %total = func.call @row(%a, %w, %c0, %l, %x, %r) : (memref<32xi8>, memref<3x3xi8>, index, index, index, index) -> i32
          %t1 = func.call @row(%b, %w, %c1, %l, %x, %r) : (memref<32xi8>, memref<3x3xi8>, index, index, index, index) -> i32
          %t2 = func.call @row(%d, %w, %c2, %l, %x, %r) : (memref<32xi8>, memref<3x3xi8>, index, index, index, index) -> i32
          %u = arith.addi %total, %t1 : i32
          %v = arith.addi %u, %t2 : i32
          scf.yield %v : i32
        }
        %n = arith.addi %sum, %acc : i32
        %sh = arith.shrsi %n, %four : i32
        %t = arith.trunci %sh : i32 to i8
        memref.store %t, %o[%x] : memref<32xi8>
      }
      return
    }
    func.func private @row(%a: memref<32xi8>, %w: memref<3x3xi8>, %k: index, %l: index, %x: index, %r: index) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %al = memref.load %a[%l] : memref<32xi8>
      %ax = memref.load %a[%x] : memref<32xi8>
      %ar = memref.load %a[%r] : memref<32xi8>
      %w0 = memref.load %w[%k, %c0] : memref<3x3xi8>
      %w1 = memref.load %w[%k, %c1] : memref<3x3xi8>
      %w2 = memref.load %w[%k, %c2] : memref<3x3xi8>
      %e0 = arith.extsi %al : i8 to i32
      %e1 = arith.extsi %ax : i8 to i32
      %e2 = arith.extsi %ar : i8 to i32
      %f0 = arith.extsi %w0 : i8 to i32
      %f1 = arith.extsi %w1 : i8 to i32
      %f2 = arith.extsi %w2 : i8 to i32
      %p0 = arith.muli %e0, %f0 : i32
      %p1 = arith.muli %e1, %f1 : i32
      %p2 = arith.muli %e2, %f2 : i32
      %q = arith.addi %p0, %p1 : i32
      %rs = arith.addi %q, %p2 : i32
      return %rs : i32
    }
    aie.core(%c) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      %0 = aie.objectfifo.acquire @act(Consume, 2) : !aie.objectfifosubview<memref<32xi8>>
      %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<32xi8>> -> memref<32xi8>
      %2 = aie.objectfifo.subview.access %0[1] : !aie.objectfifosubview<memref<32xi8>> -> memref<32xi8>
      %3 = aie.objectfifo.acquire @res(Produce, 1) : !aie.objectfifosubview<memref<32xi8>>
      %4 = aie.objectfifo.subview.access %3[0] : !aie.objectfifosubview<memref<32xi8>> -> memref<32xi8>
      func.call @line(%1, %1, %2, %taps, %4) : (memref<32xi8>, memref<32xi8>, memref<32xi8>, memref<3x3xi8>, memref<32xi8>) -> ()
      aie.objectfifo.release @res(Produce, 1)
      scf.for %i = %c0 to %c6 step %c1 {
        %10 = aie.objectfifo.acquire @act(Consume, 3) : !aie.objectfifosubview<memref<32xi8>>
        %11 = aie.objectfifo.subview.access %10[0] : !aie.objectfifosubview<memref<32xi8>> -> memref<32xi8>
        %12 = aie.objectfifo.subview.access %10[1] : !aie.objectfifosubview<memref<32xi8>> -> memref<32xi8>
        %13 = aie.objectfifo.subview.access %10[2] : !aie.objectfifosubview<memref<32xi8>> -> memref<32xi8>
        %14 = aie.objectfifo.acquire @res(Produce, 1) : !aie.objectfifosubview<memref<32xi8>>
        %15 = aie.objectfifo.subview.access %14[0] : !aie.objectfifosubview<memref<32xi8>> -> memref<32xi8>
        func.call @line(%11, %12, %13, %taps, %15) : (memref<32xi8>, memref<32xi8>, memref<32xi8>, memref<3x3xi8>, memref<32xi8>) -> ()
        aie.objectfifo.release @act(Consume, 1)
        aie.objectfifo.release @res(Produce, 1)
      }
      %20 = aie.objectfifo.acquire @act(Consume, 2) : !aie.objectfifosubview<memref<32xi8>>
      %21 = aie.objectfifo.subview.access %20[0] : !aie.objectfifosubview<memref<32xi8>> -> memref<32xi8>
      %22 = aie.objectfifo.subview.access %20[1] : !aie.objectfifosubview<memref<32xi8>> -> memref<32xi8>
      %23 = aie.objectfifo.acquire @res(Produce, 1) : !aie.objectfifosubview<memref<32xi8>>
      %24 = aie.objectfifo.subview.access %23[0] : !aie.objectfifosubview<memref<32xi8>> -> memref<32xi8>
      func.call @line(%21, %22, %22, %taps, %24) : (memref<32xi8>, memref<32xi8>, memref<32xi8>, memref<3x3xi8>, memref<32xi8>) -> ()
      aie.objectfifo.release @act(Consume, 2)
      aie.objectfifo.release @res(Produce, 1)
      aie.end
    }
    aie.runtime_sequence(%x : memref<8x32xi8>, %y : memref<8x32xi8>) {
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 8, 32][0, 0, 32, 1]) {id = 0 : i64, metadata = @act} : memref<8x32xi8>
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 8, 32][0, 0, 32, 1]) {id = 1 : i64, metadata = @res} : memref<8x32xi8>
      aiex.npu.dma_wait {symbol = @res}
    }
  }
}
